"""A slice of what `make chaos` runs: services that fail in three of ten calls lose, double and misplace nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run.py"


def campaign(*arguments: str) -> subprocess.CompletedProcess[str]:
    # In a process of its own, since it makes the program's waits short.
    return subprocess.run(
        [sys.executable, str(RUN), *arguments], capture_output=True, text=True, check=False, env=os.environ
    )


def test_chaos__a_few_seeds():
    done = campaign("--seed", "1", "--runs", "10", "--processes", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken runs 0" in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_chaos__more_seeds():
    done = campaign("--seed", "1001", "--runs", "40", "--processes", "2")
    assert done.returncode == 0, done.stdout + done.stderr
