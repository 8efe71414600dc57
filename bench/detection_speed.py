"""What a scan costs: the whole process beside bandit and semgrep over the same files, and how it grows.

Figures are those of one process each, children included, with the files in the page cache: seconds of wall and CPU
time, peak memory. On a busy machine trust the ratios of CPU time. Growth is measured twice, over copies of a sample
of the files and over one file made of copies of a text, each at 1, 4 and 16 times the size; a tool whose cost is
linear takes at most four times as long for four times as much. The slowest file is the slowest of all judged alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from detection_cases import read
from detection_product import findings_of
from detection_quiet import scan_command
from detection_rates import say
from detection_rivals import Rival

FASTER, MEMORY_MB, SECONDS, GROWTH = 20.0, 300.0, 2.0, 4.8
"""Times faster than semgrep, peak memory, seconds of the slowest file, and times longer for four times as much
(a fifth of it is left to chance)."""

SAMPLE = 100
TIMES = (1, 4, 16)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: seconds of wall and CPU time, and peak memory in MB."""

    wall: float
    cpu: float
    peak: float


def cost_of(command: Sequence[str]) -> Cost:
    """Run one process to its end; how it ended is no matter here."""
    begin = time.perf_counter()
    quiet = {**os.environ, "SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=quiet) as process:  # noqa: S603  (named by the reader)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000)


def own_cost(folder: Path, scratch: Path) -> Cost:
    """What a scan of a folder costs; what it writes there is removed."""
    cost = cost_of([*scan_command(folder), "--state-dir", str(scratch / "state")])
    shutil.rmtree(folder / "devpulse-artifacts", ignore_errors=True)
    return cost


def speed(root: Path, rivals: Sequence[Rival]) -> None:
    """Measure over the files below a folder and print the tables."""
    files = sorted(path for path in root.rglob("*.py") if path.is_file())
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        scratch = Path(place).resolve()
        whole = scratch / "whole"
        _copies(files, whole, 1)
        size = sum(path.stat().st_size for path in files) / 1e6
        print(f"\nSpeed: {len(files):,} files, {size:.1f} MB; load {os.getloadavg()[0]:.1f}")
        print(f"{'':<24}{'wall s':>9}{'CPU s':>9}{'peak MB':>9}")
        costs = {"devpulse scan": own_cost(whole, scratch)}
        _print("devpulse scan", costs["devpulse scan"])
        for rival in rivals:
            costs[rival.name] = cost_of(rival.command(whole))
            _print(rival.name, costs[rival.name])
        _compare(costs)
        _many_files(files[:: max(1, len(files) // SAMPLE)][:SAMPLE], scratch)
    _one_file(files)


def _compare(costs: dict[str, Cost]) -> None:
    own = costs["devpulse scan"]
    if "semgrep" in costs:
        say("semgrep / devpulse, wall", costs["semgrep"].wall / own.wall, FASTER)
        say("semgrep / devpulse, CPU", costs["semgrep"].cpu / own.cpu, FASTER)
    say("peak memory, MB", own.peak, MEMORY_MB, most=True)


def _print(name: str, cost: Cost) -> None:
    print(f"{name:<24}{cost.wall:>9.1f}{cost.cpu:>9.1f}{cost.peak:>9.0f}", flush=True)


def _copies(files: Sequence[Path], target: Path, times: int) -> None:
    target.mkdir()
    for copy in range(times):
        for number, path in enumerate(files):
            shutil.copyfile(path, target / f"f{copy}_{number}{path.suffix}")


def _many_files(files: Sequence[Path], scratch: Path) -> None:
    """Growth with the number of files, without the start of the process."""
    empty = scratch / "empty"
    empty.mkdir()
    (empty / "one.py").write_text("")
    start = own_cost(empty, scratch)
    costs = []
    for times in TIMES:
        folder = scratch / f"times{times}"
        _copies(files, folder, times)
        costs.append(own_cost(folder, scratch))
        _print(f"{len(files) * times:,} files", costs[-1])
    taken = [max(cost.cpu - start.cpu, 0.01) for cost in costs]
    _say_growth("files", taken)
    say("peak memory, MB", max(cost.peak for cost in costs), MEMORY_MB, most=True)


def _one_file(files: Sequence[Path]) -> None:
    """Growth with the length of one file, and the slowest of all files alone; in this process."""
    slowest = max((findings_of(path.name, path.read_bytes(), {})[1], path.name) for path in files)
    say(f"slowest file, s ({slowest[1]})", slowest[0], SECONDS, most=True)
    text = "\n".join(read(path) for path in files[:: max(1, len(files) // 5)][:5])
    taken = []
    for times in TIMES:
        data = "\n".join([text] * times).encode()
        taken.append(findings_of("long.py", data, {})[1])
        print(f"one file of {data.count(10):>7,} lines {taken[-1]:>9.2f} s", flush=True)
    _say_growth("one file", taken)


def _say_growth(what: str, taken: Sequence[float]) -> None:
    for smaller, larger, times in zip(taken, taken[1:], TIMES[1:], strict=False):
        say(f"{what}, {times}x / {times // 4}x", larger / smaller, GROWTH, most=True)
