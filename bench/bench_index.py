"""How fast, how large and how complete in memory the symbol index is, beside what it is measured against.

    python bench/bench_index.py [NAME=FOLDER ...] [--rounds 5] [--questions 200]

Each FOLDER is a git checkout; one that is not there is skipped, which is said. Every figure of the first table is
a fresh process, interpreter and imports included, with the files in the page cache; the cases of a round run one
after the other, so that a busy machine slows all alike. Figures are medians of the rounds, ratios those of medians.
CPU is user and system time with children's: on a busy machine trust its ratios rather than those of wall time.

The second table asks a built index for random definitions (exact span, nearest first, three rows) and for the lines
that mention their names, from random files; each question once, in one process. "words" is the search alone, "and
shown" parses the files of the ten lines shown, to name the function around each.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CASES = str(Path(__file__).with_name("index_cases.py"))
MEGABYTE = 1e6

READ_RATIO, EAGER_RATIO, MEMORY_MB = 3.5, 25.0, 60.0
LOOKUP_P50, LOOKUP_P95, WORDS_P95, COMMAND_SECONDS = 15.0, 100.0, 30.0, 0.5


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: seconds of wall and CPU time, peak memory in MB, and what it printed."""

    wall: float
    cpu: float
    peak: float
    output: bytes = b""


def run(command: Sequence[str], feed: bytes | None = None, folder: Path | None = None, *, keep: bool = True) -> Cost:
    """Run one process to its end. Its output is kept only when asked for: a child's peak includes this one's size.

    Raises:
        SystemExit: it failed.
    """
    begin = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  (commands of this script)
        command,
        cwd=folder,
        stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
        stdout=subprocess.PIPE if keep else subprocess.DEVNULL,
        stderr=None if keep else subprocess.DEVNULL,
    ) as process:
        if process.stdin is not None:
            process.stdin.write(feed or b"")
            process.stdin.close()
        output = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return Cost(took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MEGABYTE, output)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure; the output is the last one's."""
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.peak for cost in costs),
        costs[-1].output,
    )


def indexed_suffixes() -> str:
    """The endings of the files that the index reads."""
    code = (
        "from devpulse.core.languages import LANGUAGES\nfrom devpulse.core.lazy_sources import WORDS_ONLY\n"
        "print(*sorted(WORDS_ONLY.union(*(support.extensions for support in LANGUAGES.values()))))"
    )
    return run([sys.executable, "-c", code]).output.decode().strip()


def ctags_command(folder: Path, suffixes: str) -> tuple[list[str], bytes] | None:
    """universal-ctags over the same files, to JSON; ``None`` when it is not installed."""
    ctags = shutil.which("ctags")
    if ctags is None or b"Universal Ctags" not in run([ctags, "--version"]).output:
        return None
    listed = run(["git", "-C", str(folder), "ls-files"]).output.decode("utf-8", "surrogateescape").splitlines()
    wanted = "\n".join(name for name in listed if name.endswith(tuple(suffixes.split())))
    command = [ctags, "--quiet", "--output-format=json", "--fields=+ne", "-f", "-", "-L", "-"]
    return command, wanted.encode("utf-8", "surrogateescape")


def measure(folder: Path, suffixes: str, rounds: int) -> dict[str, Cost]:
    """The costs of every case, in rounds."""
    python = [sys.executable, CASES]
    found: dict[str, list[Cost]] = {}
    has_python = run(["git", "-C", str(folder), "ls-files", "*.py"]).output.count(b"\n") > 1000
    tags = ctags_command(folder, suffixes)
    for _ in range(rounds):
        found.setdefault("bare interpreter", []).append(run([*python, "bare", str(folder)]))
        found.setdefault("list + read (the unit)", []).append(run([*python, "read", str(folder), suffixes]))
        found.setdefault("searchable names", []).append(run([*python, "names", str(folder)]))
        if has_python:
            command = [sys.executable, "-m", "devpulse", "index", "search", "get_queryset", "--json"]
            found.setdefault("devpulse index search", []).append(run(command, folder=folder))
            found.setdefault("eager baseline", []).append(run([*python, "eager", str(folder)]))
        if tags is not None:
            found.setdefault("universal-ctags", []).append(run(tags[0], tags[1], folder, keep=False))
    return {case: median(costs) for case, costs in found.items()}


def verdict(figure: float, most: float, unit: str = "") -> str:
    """A figure beside what is asked for."""
    return f"{figure:.1f}{unit} (asked for: at most {most:g}{unit}){'' if figure <= most else '  <-- MISSED'}"


def report(name: str, folder: Path, suffixes: str, asked: argparse.Namespace) -> None:
    """Measure one repository and print its tables."""
    costs = measure(folder, suffixes, asked.rounds)
    unit, ours = costs["list + read (the unit)"], costs["searchable names"]
    files, size = (int(word) for word in unit.output.split())
    print(f"\n{name}: {files:,} files, {size / MEGABYTE:.1f} MB; load {os.getloadavg()[0]:.1f}")
    print(f"{'case':<24}{'wall ms':>9}{'CPU ms':>9}{'x wall':>8}{'x CPU':>8}{'peak MB':>9}")
    for case, cost in costs.items():
        ratios = f"{cost.wall / unit.wall:>8.1f}{cost.cpu / unit.cpu:>8.1f}"
        print(f"{case:<24}{cost.wall * 1000:>9.0f}{cost.cpu * 1000:>9.0f}{ratios}{cost.peak:>9.0f}")
    print(f"names / read, wall   {verdict(ours.wall / unit.wall, READ_RATIO, ' x')}")
    print(f"names / read, CPU    {verdict(ours.cpu / unit.cpu, READ_RATIO, ' x')}")
    eager = costs.get("eager baseline")
    if eager is not None:
        factor = eager.cpu / ours.cpu
        missed = "" if factor >= EAGER_RATIO else "  <-- MISSED"
        wall, asked_for = eager.wall / ours.wall, f"(asked for: at least {EAGER_RATIO:g})"
        print(f"eager / names        {wall:.1f} x wall, {factor:.1f} x CPU {asked_for}{missed}")
        print(f"index search         {verdict(costs['devpulse index search'].wall, COMMAND_SECONDS, ' s')}")
    print(f"memory over sources  {verdict(ours.peak - size / MEGABYTE, MEMORY_MB, ' MB')}")
    rows = json.loads(run([sys.executable, CASES, "warm", str(folder), str(asked.questions)]).output)
    print(f"{'warm, ms':<24}{'p50':>9}{'p95':>9}{'most':>9}")
    for kind, label in (("definitions", "definitions"), ("words", "references: words"), ("references", "and shown")):
        p50, p95 = percentile(rows[kind], 0.5), percentile(rows[kind], 0.95)
        print(f"{label:<24}{p50:>9.1f}{p95:>9.1f}{max(rows[kind]):>9.1f}")
    print(f"definitions p50      {verdict(percentile(rows['definitions'], 0.5), LOOKUP_P50, ' ms')}")
    print(f"definitions p95      {verdict(percentile(rows['definitions'], 0.95), LOOKUP_P95, ' ms')}")
    print(f"reference words p95  {verdict(percentile(rows['words'], 0.95), WORDS_P95, ' ms')}")


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    """Measure every repository that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", type=int, default=200)
    asked = parser.parse_args()
    suffixes = indexed_suffixes()
    for repository in asked.repositories:
        name, _, place = repository.rpartition("=")
        folder = Path(place)
        if not place or not (folder / ".git").exists():
            print(f"\n{name or place}: skipped, {place or 'no folder'} is not a git checkout")
            continue
        report(name or folder.name, folder.resolve(), suffixes, asked)


if __name__ == "__main__":
    main()
