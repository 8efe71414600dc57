"""What the context strategies save, measured: the bundled sample, and a change of a public repository.

    python bench/bench_context.py [REPO BASE HEAD]

REPO is a clone on this machine, bare or not; the change is what HEAD has and the merge base with BASE has not. Each
change is compared offline, as ``devpulse compare`` does it, by two engines: the one that ships, whose rules seldom
have to look anything up, and one that reads on in its file for six steps first, as a model may: only then do
histories grow and get compacted. (The third arm cannot read on, so its figures say little beside the second engine.)
Then the log of the run is read: no request may be above 80 % of the window. No history may be above its share, unless
its last two turns alone are, which are kept word for word: then the child has to be told to hand in. Ends with 1 when a
target is missed. A change without any finding shows nothing about findings, and meets no target for them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from devpulse.adapters.offline import OfflineEngine
from devpulse.adapters.progress import SilentProgress
from devpulse.core.comparison import Arm, Comparison, same_findings, saved_tokens, share_percent
from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelReply, ModelRequest, StopReason, ToolCall, UserMessage
from devpulse.main.job import Job, run_job
from devpulse.main.opening import open_source
from devpulse.pipeline.comparison import CompareOptions, compare
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.run import RunOptions, RunPorts
from devpulse.pipeline.ways import ISOLATE, WHOLE_FILES
from devpulse.pipeline.work import Work
from devpulse.ports import ReviewModel
from devpulse.requests import ReviewRequest
from devpulse.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
SAMPLE_TARGET, CHANGE_TARGET = 80.0, 90.0
STEPS, LINES = 6, 120
_PATH = re.compile(r'"path": "([^"]+)"')


class ReadingEngine:
    """Reads on in its file for some steps, then does what the rules' engine does."""

    name = "reading"
    version = "1"
    source = FindingSource.RULE

    def __init__(self) -> None:
        self._rules = OfflineEngine()

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        tasks = [m.text for m in request.messages if isinstance(m, UserMessage) and m.text.startswith("Fence key ")]
        named = _PATH.search(tasks[-1]) if tasks else None
        can_read = any(tool.name == "read_lines" for tool in request.tools)
        if request.step > STEPS or request.forced_tool is not None or named is None or not can_read:
            return self._rules.complete(request)
        first = 1 + (request.step - 1) * LINES
        lines = {"path": named[1], "start_line": first, "end_line": first + LINES - 1}
        calls = (ToolCall(f"on:{request.step}", "read_lines", lines),)
        return ModelReply("", calls, StopReason.TOOL_CALLS)


def main(arguments: list[str]) -> int:
    """Measure and print; the exit status says whether every target was met."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sample = place / "sample"
        script = str(ROOT / "demo" / "make_sample.py")
        subprocess.run([sys.executable, script, str(sample)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own)
        met = both_engines("the bundled sample", (sample, "main", "feature"), place / "sample-out", SAMPLE_TARGET)
        named = [argument for argument in arguments if argument]
        if len(named) != 3:
            print("\nthe change of a public repository: skipped; name one with REPO=path BASE=commit HEAD=commit")
        elif not Path(named[0]).is_dir():
            print(f"\nthe change of a public repository: skipped; there is no folder {named[0]}")
        else:
            clone = place / "clone.git"
            # A clone of our own, so that nothing is written into REPO.
            command = ["git", "clone", "--quiet", "--bare", "--shared", named[0], str(clone)]
            subprocess.run(command, check=True)  # noqa: S603  (a folder of the caller's)
            change = (clone, named[1], named[2])
            met = both_engines(" ".join(named), change, place / "change-out", CHANGE_TARGET) and met
        return 0 if met else 1


def both_engines(title: str, change: tuple[Path, str, str], place: Path, target: float) -> bool:
    """Compare one change with both engines; says whether all targets were met."""
    engines: list[tuple[str, ReviewModel]] = [
        ("offline engine", OfflineEngine()),
        (f"an engine that reads on for {STEPS} steps", ReadingEngine()),
    ]
    met = True
    for number, (name, engine) in enumerate(engines):
        started = time.monotonic()
        comparison, log = compared(change, engine, place / str(number))
        print(f"\n{title}, {name}: {time.monotonic() - started:.0f} s")
        met = all([*figures(comparison, target), *limits(log)]) and met
    return met


def compared(change: tuple[Path, str, str], engine: ReviewModel, place: Path) -> tuple[Comparison, Path]:
    """The comparison of a change, and the log of its usual run.

    Raises:
        RuntimeError: the comparison was broken off.
    """
    place.mkdir(parents=True)
    os.chdir(place)  # artifacts of a bare repository go below the current folder
    repository, base, head = change
    flags: dict[str, str | bool | None] = {"engine": "offline", "state-dir": str(place) + "-state", "fresh": True}
    request = ReviewRequest("compare", str(repository), base, head, None, False, False, False, flags)  # noqa: FBT003  (nothing staged, printed or shown)
    settings = Settings.load(flags, {})
    opened = open_source(request, settings.output_dir)
    try:
        job = Job(opened, opened.source.load(), settings, {}, SilentProgress(), review=reviewing(engine))
        done = run_job(job)
        done.lock.release()
    finally:
        opened.close()
    if done.result.comparison is None:
        raise RuntimeError("the comparison was broken off")
    return done.result.comparison, Path(done.paths["log"])


def reviewing(engine: ReviewModel) -> Callable[[Work, RunOptions, RunPorts], RunResult]:
    """The comparison with an engine of the caller's."""
    asked = CompareOptions(ablation=True, announce=lambda *_: None, begun=lambda *_: None)
    return lambda work, options, ports: compare(work, options, replace(ports, model=engine), asked)


def figures(comparison: Comparison, target: float) -> list[bool]:
    """Print what was saved and by what; gives whether each target was met."""
    before, after, same = comparison.before, comparison.after, comparison.findings
    print(f"  {len({task.path for task in comparison.tasks})} files, {len(comparison.tasks)} tasks")
    arms = [("BEFORE", before), ("AFTER", after)]
    arms += [("THIRD", row.arm) for row in comparison.ablations if row.arm.name == WHOLE_FILES]
    for label, arm in arms:
        sent = f"{len(arm.sizes):>4} requests, largest {arm.largest:>9,}"
        print(f"  {label:<6} {arm.tokens:>12,} tokens, {sent}: {arm.about}")
        if arm.failure:
            print(f"  {label} failed: {arm.failure}")
    saved = share_percent(comparison.saved, before.tokens) or 0.0
    met = [saved >= target, same.identical == same.total > 0]
    print(f"  saved {saved:.1f} %, target {target:.0f} %: {said(met[0])}")
    shown = said(met[1]) if same.total else "no findings: not shown"
    print(f"  findings identical {same.identical} of {same.total}: {shown}")
    for row in comparison.ablations:
        show(row.strategy, row.more, row.less)
    isolated = next(row.arm for row in comparison.ablations if row.arm.name == ISOLATE)
    show("compress too", isolated, after)
    return met


def show(strategy: str, more: Arm, less: Arm) -> None:
    """Print what one strategy saved."""
    same = same_findings(more.findings, less.findings)
    percent = share_percent(saved_tokens(more, less), more.tokens)
    saved = "failed" if percent is None else f"saved {percent:.1f} %"
    print(
        f"    {strategy:<14}{more.tokens:>12,} -> {less.tokens:>10,} tokens, {saved}, "
        f"findings {same.identical} of {same.total} ({more.name} -> {less.name})"
    )


def limits(log: Path) -> list[bool]:
    """Print the largest request and history that the log knows; gives whether each stayed within its limit, as logged
    with it."""
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    requests = [event for event in events if event["event"] == "request"]
    compactions = sum(event["event"] == "compaction" for event in events)
    tokens, limit = largest(requests, "whole", "limit")
    history, share = largest(requests, "history", "share")
    above = [event for event in requests if event["history"] > event["share"]]
    met = [all(event["whole"] <= event["limit"] for event in requests), all(event["forced"] for event in above)]
    print(f"  log: {len(requests)} requests, largest {tokens:,} of {limit:,} allowed: {said(met[0])}")
    print(
        f"  log: {compactions} compactions, largest history {history:,} of {share:,}, {len(above)} above its share: "
        f"{said(met[1])}"
    )
    return met


def largest(requests: list[dict[str, Any]], size: str, limit: str) -> tuple[int, int]:
    """The largest of a size among requests, and the limit that was logged with it."""
    return max(((event[size], event[limit]) for event in requests), default=(0, 0))


def said(met: bool) -> str:  # noqa: FBT001  (a fact put into words)
    """A target in words."""
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
