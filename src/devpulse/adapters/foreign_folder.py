"""The artifacts of another run, read from a folder that anybody may have filled.

Only regular files below it are read, by names of our own; no link is followed, nothing is read without a limit.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.regular_files import read_regular
from devpulse.errors import ResultsRefused

FINDINGS = "findings.json"
TASKS = "findings"

MAX_FINDINGS_BYTES = 16 * 1024 * 1024
"""A report of 2,000 findings with long texts has half of that."""
MAX_TASK_BYTES = 2 * 1024 * 1024
MAX_TASKS = 3_000
"""GitHub lists no more changed files of a pull request."""
MAX_BYTES = 64 * 1024 * 1024
"""What is read of all files together."""

_HINT = "Check that --from is the folder that the other run's artifacts were downloaded to."


@dataclass(frozen=True, slots=True)
class ForeignFiles:
    """What was read: ``findings.json``, the files of single tasks, and how many of those were left out."""

    findings: bytes
    tasks: tuple[bytes, ...]
    left_out: int


def read_foreign(folder: Path) -> ForeignFiles:
    """Read the artifacts of another run.

    A task's file that is a link, no file, or too large is left out; ``findings.json`` has to be there.

    Raises:
        ResultsRefused: there is no readable ``findings.json`` of an acceptable size.
    """
    try:
        findings = read_regular(folder / FINDINGS, MAX_FINDINGS_BYTES + 1, follow=False)
    except OSError as error:
        raise ResultsRefused(f"{FINDINGS} in {folder} cannot be read: {error.strerror}", hint=_HINT) from error
    if len(findings) > MAX_FINDINGS_BYTES:
        raise ResultsRefused(f"{FINDINGS} in {folder} has more than {MAX_FINDINGS_BYTES:,} bytes", hint=_HINT)
    tasks: list[bytes] = []
    left_out, room = 0, MAX_BYTES - len(findings)
    for path in _task_files(folder / TASKS):
        data = _read_task(path) if len(tasks) < MAX_TASKS else None
        if data is None or len(data) > room:
            left_out += 1
        else:
            tasks.append(data)
            room -= len(data)
    return ForeignFiles(findings, tuple(tasks), left_out)


def _task_files(folder: Path) -> Iterator[Path]:
    """The entries of the folder by name; none when it is a link or no folder."""
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".json"))
    except OSError:
        return
    for name in names:
        yield folder / name


def _read_task(path: Path) -> bytes | None:
    try:
        data = read_regular(path, MAX_TASK_BYTES + 1, follow=False)
    except OSError:
        return None
    return data if len(data) <= MAX_TASK_BYTES else None
