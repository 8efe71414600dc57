"""The waits that are ours and not the model's, as one table. Usage: bench_speed.py [ROUNDS]

A fake service on loopback answers each request after one second. What is compared runs in turn, in fresh processes;
figures are medians, and each is held against others of the same run: S is a bare import of the model library. The
program runs as it is installed, from bytecode, which the first, unmeasured round writes to a folder of the bench's own.
"""

from __future__ import annotations

import io
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini, GeminiRequest
from fakes.gemini_replies import Call, Reply
from fakes.github import FakeGitHub
from life import Life
from repos import Repo
from runner import INJECTION

LATENCY_SECONDS = 1.0
PARALLEL = 10
LINES = 300
_FUNCTION = '''
def total_{number}(rows, rate=1.0):
    """The sum of the amounts of rows."""
    amount = 0.0
    for row in rows:
        if row.get("amount") is not None:
            amount += float(row["amount"]) * rate
    return round(amount, 2)

'''


@dataclass(frozen=True)
class Figure:
    """One row: what is measured, what was asked for and what came out, in the same unit."""

    name: str
    asked: float
    measured: float
    unit: str = "s"

    def row(self) -> str:
        """The row as text."""
        met = "yes" if self.measured <= self.asked else "NO"
        return f"{self.name:<62} {self.asked:>9.2f} {self.measured:>9.2f} {self.unit:<3} {met:>3}"


def main(rounds: int) -> None:
    """Print the table."""
    print(f"{'figure':<62} {'at most':>9} {'measured':>9} {'':<3} met")
    with tempfile.TemporaryDirectory() as folder:
        # Without bytecode every process would compile what it imports, which no installation does.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        os.environ["DEVPULSE_STATE_DIR"] = str(Path(folder) / "state")
        for part in (
            lambda: _offline(Path(folder), rounds),
            lambda: _with_a_model(Path(folder), rounds),
            lambda: _on_github(Path(folder)),
        ):
            for figure in part():
                print(figure.row(), flush=True)


def _offline(folder: Path, rounds: int) -> list[Figure]:
    few, many = _files(folder / "few", 1), _files(folder / "many", 41)
    environment = {**os.environ, "DEVPULSE_ENGINE": "offline", "DEVPULSE_FRESH": "true"}
    # It ends as a crash would, as soon as the first file's result is saved: no report is written.
    start = _devpulse("scan", few, "--stop-after", "1")
    _run(start, environment, status=70)
    bare, first = [], []
    for _ in range(rounds):
        bare.append(_run([sys.executable, "-c", "pass"], environment))
        first.append(_run(start, environment, status=70))
    (bare_wall, bare_cpu), (wall, cpu) = (
        tuple(statistics.median(each) for each in zip(*times, strict=True)) for times in (bare, first)
    )
    one = _median(rounds, lambda: _run(_devpulse("scan", few), environment)[1])
    all_of_them = _median(rounds, lambda: _run(_devpulse("scan", many), environment)[1])
    return [
        Figure("offline, start to first file reviewed / bare interpreter", 10.0, wall / bare_wall, "x"),
        Figure("the same in CPU", 10.0, cpu / bare_cpu, "x"),
        Figure(f"offline, our CPU for a file of {LINES} lines", 15.0, (all_of_them - one) / 40 * 1000, "ms"),
    ]


def _with_a_model(folder: Path, rounds: int) -> list[Figure]:
    arrived: list[float] = []

    def respond(_request: GeminiRequest) -> Reply:
        arrived.append(time.monotonic())
        time.sleep(LATENCY_SECONDS)
        return replies.calls(Call("submit_review", {"findings": [], "overall_risk": "none", "summary": ""}))

    figures = []
    with FakeGemini(respond) as fake:
        environment = {
            **os.environ,
            "DEVPULSE_FRESH": "true",
            "DEVPULSE_MAX_PARALLEL": str(PARALLEL),
            "GEMINI_API_KEY": "AIza" + "x" * 35,
            "GOOGLE_GEMINI_BASE_URL": fake.url,
        }
        for count, factor in ((50, 1.10), (300, 1.05)):
            repo = _change(folder / f"change{count}", count)
            walls, firsts, imports = [], [], []
            _run([sys.executable, "-c", "import langchain_google_genai"], environment)
            _run(_devpulse("review", repo, "--base", "main", "--head", "work"), environment)
            for _ in range(rounds):
                imports.append(_run([sys.executable, "-c", "import langchain_google_genai"], environment)[0])
                arrived.clear()
                started = time.monotonic()
                walls.append(_run(_devpulse("review", repo, "--base", "main", "--head", "work"), environment)[0])
                firsts.append(arrived[0] - started)
            library = statistics.median(imports)
            ideal = count / PARALLEL * LATENCY_SECONDS
            if count == 50:
                figures.append(Figure("start to first model request", library + 0.6, statistics.median(firsts)))
            name = (
                f"{count} files, {PARALLEL} at once, {LATENCY_SECONDS:.0f} s a call: {factor:.2f} x ideal + S + 0.8 s"
            )
            figures.append(Figure(name, factor * ideal + library + 0.8, statistics.median(walls)))
            if count == 50:
                arrived.clear()
                again = {**environment, "DEVPULSE_FRESH": "false"}
                _run(_devpulse("review", repo, "--base", "main", "--head", "work"), again)
                figures.append(Figure("a second run with nothing changed: model calls", 0, len(arrived), ""))
    return figures


def _on_github(folder: Path) -> list[Figure]:
    """The action on a pull request, and once more on the same head."""
    repo = Repo(folder / "origin")
    repo.commit("base", **{"README.md": "Shop\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{f"app/part{number}.py": INJECTION for number in range(3)})
    said = io.StringIO()
    with FakeGitHub(repo) as hub, redirect_stdout(said), redirect_stderr(said):
        life = Life(repo, hub, folder / "life")
        life.run("opened")
        again = life.run()
    return [Figure("a second run with nothing changed: GitHub calls", 6, again.calls, "")]


def _files(folder: Path, count: int) -> Path:
    """A folder of ordinary Python files, no two alike."""
    folder.mkdir()
    each = LINES // (_FUNCTION.count("\n"))
    for number in range(count):
        text = "".join(_FUNCTION.format(number=f"{number}_{place}") for place in range(each))
        (folder / f"part{number:03}.py").write_text(text)
    return folder


def _change(folder: Path, count: int) -> Path:
    """A repository in whose work branch so many files are new."""
    repo = Repo(folder)
    repo.commit("base", **{"README.md": "Shop\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{f"part{number:03}.py": _FUNCTION.format(number=number) for number in range(count)})
    return repo.root


def _devpulse(command: str, folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "devpulse", command, str(folder), *arguments]


def _median(rounds: int, measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(rounds))


def _run(command: list[str], environment: Mapping[str, str], status: int = 0) -> tuple[float, float]:
    """Run a command to its end; gives its wall time and its CPU time in seconds."""
    before, started = _children(), time.monotonic()
    done = subprocess.run(command, check=False, capture_output=True, env=environment)  # noqa: S603  (our own program)
    if done.returncode != status:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode(errors='replace')}")
    return time.monotonic() - started, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
