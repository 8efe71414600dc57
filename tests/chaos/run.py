"""Chaos runs: `devpulse action` with services that fail, then once more with services that work.

Started as a script by `make chaos` and by the tests; it prints what broke, with the seed that breaks it again.
The program's waits take no time here, so time is made short before the program is loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import io
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NO_TIME = 0.0005
_really_sleep = time.sleep


def _make_time_short() -> None:
    time.sleep = lambda seconds: _really_sleep(min(float(seconds), _NO_TIME))
    import devpulse.main.action  # noqa: F401, PLC0415  (after the waits were made short)
    from devpulse.adapters.gemini.config import GeminiConfig  # noqa: PLC0415
    from devpulse.adapters.github.client import Pace, connect  # noqa: PLC0415
    from devpulse.main import engine, pull_request  # noqa: PLC0415

    vars(engine)["GeminiConfig"] = functools.partial(GeminiConfig, timeout_seconds=1.0)
    vars(pull_request)["connect"] = functools.partial(connect, pace=Pace(timeout=1, first_retry=0.001))


@dataclass
class Outcome:
    """What a seed came to."""

    seed: int
    broken: list[str] = field(default_factory=list)
    statuses: tuple[int, int] = (-1, -1)
    thrown: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Ran:
    """One run of the program."""

    status: int
    printed: str
    said: str
    report: dict[str, Any] | None
    record: dict[str, Any] | None


class Campaign:
    """A worker's scene and its runs, one after the other."""

    def __init__(self, folder: Path) -> None:
        from chaos.scene import Scene  # noqa: PLC0415  (after the waits were made short)

        self.folder = folder
        self.scene = Scene(folder)

    def run(self, seed: int) -> Outcome:
        """Two runs of one seed, and everything that must hold of them."""
        from chaos import rules  # noqa: PLC0415
        from chaos.faults import ChaoticGitHub, Dice, responder  # noqa: PLC0415
        from fakes.gemini import FakeGemini  # noqa: PLC0415

        dice = Dice(seed)
        options = _options(seed)
        outcome = Outcome(seed)
        for each in ("temp", "shop"):
            shutil.rmtree(self.folder / f"run-{each}", ignore_errors=True)
        source = self.scene.checkout if options.checkout else self.scene.empty
        shutil.copytree(source, self.folder / "run-shop", symlinks=True)
        with FakeGemini(responder(dice)) as gemini, ChaoticGitHub(self.scene.repo, dice) as hub:
            environment = self._environment(hub, gemini.url, options.inputs)
            first = self._once(hub, environment)
            outcome.broken += [f"first run: {each}" for each in rules.after_chaos(first, hub, options.gate)]
            outcome.thrown = Counter(dice.thrown)
            dice.calm = True
            gc.collect()  # an error's frames may still hold the lock on the output folder
            second = self._once(hub, environment)
            refusals = any(each.endswith("POST /repos/octo/shop/pulls/7/comments") for each in dice.refused)
            broken = rules.after_calm(second, hub, options.gate, refusals)
            outcome.broken += [f"second run: {each}" for each in broken]
            outcome.statuses = (first.status, second.status)
            outcome.outcomes = Counter(row["outcome"] for row in (first.report or {}).get("coverage", ()))
        return outcome

    def _environment(self, hub: Any, gemini: str, inputs: dict[str, str]) -> dict[str, str]:
        from runner import KEY, Runner  # noqa: PLC0415

        runner = Runner(self.folder / "run-temp", self.folder / "run-shop")
        variables = {"GOOGLE_GEMINI_BASE_URL": gemini, "GEMINI_API_KEY": KEY}
        return runner.environment(hub, hub.event(), inputs=inputs, **variables)

    def _once(self, hub: Any, environment: dict[str, str]) -> Ran:
        from devpulse.cli import run  # noqa: PLC0415

        (self.folder / "run-temp" / "event.json").write_text(json.dumps(hub.event()))
        for name in ("output", "summary"):
            (self.folder / "run-temp" / name).write_text("")
        for name in [name for name in os.environ if name not in environment]:
            del os.environ[name]
        os.environ.update(environment)
        os.chdir(self.folder / "run-shop")
        said = io.StringIO()
        artifacts = self.folder / "run-shop" / "devpulse-artifacts"
        for name in ("findings.json", "comments.json"):
            (artifacts / name).unlink(missing_ok=True)
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = run(["action"])
        left = [(artifacts / name) for name in ("findings.json", "comments.json")]
        report, record = (json.loads(path.read_text()) if path.is_file() else None for path in left)
        texts = [path.read_text(errors="replace") for path in artifacts.rglob("*") if path.is_file()]
        texts += [(self.folder / "run-temp" / name).read_text() for name in ("output", "summary")]
        return Ran(status, said.getvalue(), said.getvalue() + "".join(texts), report, record)


@dataclass(frozen=True)
class _Options:
    checkout: bool
    gate: bool
    inputs: dict[str, str]


def _options(seed: int) -> _Options:
    """Every fourth run has no checkout, two of three a gate, every third no fallback, every fifth one child a time."""
    gate = seed % 3 != 0
    inputs = {"fail-on": "critical" if gate else ""}
    inputs["engine"] = "gemini" if seed % 3 == 1 else ""
    inputs["max-parallel"] = "1" if seed % 5 == 0 else ""
    return _Options(seed % 4 != 0, gate, inputs)


_worker: Campaign | None = None


def _start(folder: str) -> None:
    global _worker  # noqa: PLW0603  (one scene for all runs of a process)
    _make_time_short()
    _worker = Campaign(Path(tempfile.mkdtemp(dir=folder)))


def _run(seed: int) -> Outcome:
    assert _worker is not None
    try:
        return _worker.run(seed)
    except BaseException:  # noqa: BLE001  (whatever it was, the seed is to be named)
        return Outcome(seed, [traceback.format_exc()])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    wanted = parser.parse_args()
    seeds = range(wanted.seed, wanted.seed + wanted.runs)
    began, results = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="devpulse-chaos-") as folder:
        context = multiprocessing.get_context("spawn")  # a worker loads the program after it has made time short
        workers = min(wanted.processes, wanted.runs)
        with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(folder,)) as pool:
            for future in as_completed([pool.submit(_run, seed) for seed in seeds]):
                outcome = future.result()
                results.append(outcome)
                for line in outcome.broken:
                    print(f"seed {outcome.seed} {outcome.statuses}: {line}", flush=True)
    return _summed_up(results, seeds, time.monotonic() - began)


def _summed_up(results: list[Outcome], seeds: range, seconds: float) -> int:
    thrown: Counter[str] = sum((each.thrown for each in results), Counter())
    outcomes: Counter[str] = sum((each.outcomes for each in results), Counter())
    statuses = Counter(each.statuses[0] for each in results)
    broken = [each.seed for each in results if each.broken]
    calls = sum(thrown.values())
    print(f"{len(results)} runs, seeds {seeds[0]} to {seeds[-1]}, {seconds:.0f} s")
    print(f"calls {calls}, failed {calls - thrown['fine']} ({1 - thrown['fine'] / max(1, calls):.1%})")
    print("faults " + ", ".join(f"{name} {count}" for name, count in thrown.most_common() if name != "fine"))
    print("exit statuses under faults " + ", ".join(f"{k}: {v}" for k, v in sorted(statuses.items())))
    print("files under faults " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))
    print(
        f"broken runs {len(broken)}"
        + (f": {sorted(broken)}; again with CHAOS_SEED={broken[0]} CHAOS_RUNS=1" if broken else "")
    )
    return bool(broken)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    sys.exit(main())
