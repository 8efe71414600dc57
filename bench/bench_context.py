"""What the context strategies save, measured: the bundled sample, and a change of a public repository.

    python bench/bench_context.py [REPO BASE HEAD]

REPO is a clone on this machine, bare or not; the change is what HEAD has and the merge base with BASE has not. Both
are reviewed offline by ``devpulse compare``. Then the log of the run is read: no request may be above 80 % of the
window, no history above its share. Ends with 1 when a target is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from devpulse.cli import run
from devpulse.core.budget import ContextBudget

ROOT = Path(__file__).resolve().parents[1]
SAMPLE_TARGET, CHANGE_TARGET = 80.0, 90.0


def main(arguments: list[str]) -> int:
    """Measure and print; the exit status says whether every target was met."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sample = place / "sample"
        script = str(ROOT / "demo" / "make_sample.py")
        subprocess.run([sys.executable, script, str(sample)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own)
        met = measured("the bundled sample", sample, "main", "feature", place / "one", SAMPLE_TARGET)
        named = [argument for argument in arguments if argument]
        if len(named) != 3:
            print("\nthe change of a public repository: skipped; name one with REPO=path BASE=commit HEAD=commit")
            return 0 if met else 1
        repository, base, head = named
        if not Path(repository).is_dir():
            print(f"\nthe change of a public repository: skipped; there is no folder {repository}")
            return 0 if met else 1
        clone = place / "clone.git"
        # Of its own, so that nothing is written into REPO.
        command = ["git", "clone", "--quiet", "--bare", "--shared", repository, str(clone)]
        subprocess.run(command, check=True)  # noqa: S603  (a folder of the caller's)
        title = f"{repository} {base}..{head}"
        return 0 if measured(title, clone, base, head, place / "two", CHANGE_TARGET) and met else 1


def measured(title: str, repository: Path, base: str, head: str, place: Path, target: float) -> bool:
    """Compare one change and print the figures; says whether all targets were met."""
    place.mkdir()
    os.chdir(place)  # artifacts of a bare repository go below the current folder
    printed = StringIO()
    started = time.monotonic()
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        status = run(["compare", str(repository), "--base", base, "--head", head, "--engine", "offline", "--json"])
    seconds = time.monotonic() - started
    print(f"\n{title}: {seconds:.0f} s")
    if status:
        print(f"  failed with status {status}")
        return False
    result = json.loads(printed.getvalue())
    inside = place if (place / "devpulse-artifacts").exists() else repository
    return all([*figures(result, target), *limits(inside / "devpulse-artifacts" / "run_log.jsonl", result["window"])])


def figures(result: dict[str, Any], target: float) -> list[bool]:
    """Print what was saved and by what; gives whether each target was met."""
    before, after, same = result["before"], result["after"], result["findings"]
    paths = {task["path"] for task in result["tasks"]}
    print(f"  {len(paths)} files, {len(result['tasks'])} tasks")
    for arm in (before, after):
        print(
            f"  {arm['name'].upper():<6} {arm['input_tokens']:>12,} tokens in {arm['requests']} requests, "
            f"largest {arm['largest_request']:,}"
        )
    third = next(row["arm"] for row in result["ablation"] if row["arm"]["name"] == "whole-files")
    print(f"  THIRD  {third['input_tokens']:>12,} tokens in {third['requests']} requests: {third['about']}")
    met = [result["saved_percent"] >= target, same["identical"] == same["total"]]
    print(f"  saved {result['saved_percent']:.1f} %, target {target:.0f} %: {said(met[0])}")
    print(f"  findings identical {same['identical']} of {same['total']}: {said(met[1])}")
    tokens = {arm["name"]: arm["input_tokens"] for arm in (before, after, *(row["arm"] for row in result["ablation"]))}
    for row in result["ablation"]:
        print(
            f"    {row['strategy']:<14}{tokens[row['without']]:>12,} -> {tokens[row['with']]:>9,} tokens, saved "
            f"{row['saved_percent']:.1f} %, findings {row['findings']['identical']} of {row['findings']['total']} "
            f"({row['without']} -> {row['with']})"
        )
    return met


def limits(log: Path, window: int) -> list[bool]:
    """Print the largest request and history that the log knows; gives whether each stayed within its limit."""
    budget = ContextBudget(window)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    requests = [event for event in events if event["event"] == "request"]
    tokens = max((event["whole"] for event in requests), default=0)
    history = max((event["history"] for event in requests), default=0)
    met = [tokens <= budget.request, history <= budget.history]
    print(f"  log: {len(requests)} requests, largest {tokens:,} of {budget.request:,} allowed: {said(met[0])}")
    print(f"  log: largest history {history:,} of {budget.history:,} allowed: {said(met[1])}")
    return met


def said(met: bool) -> str:  # noqa: FBT001  (a fact put into words)
    """A target in words."""
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
