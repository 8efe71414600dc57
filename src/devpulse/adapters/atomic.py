"""Atomic writes: a reader sees the old file or the new one, never a torn one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

UNFINISHED = ".part"
"""How the name of a temporary file ends."""
_READABLE = 0o644
"""Files made by a container's root must stay readable for the steps that follow."""


def write_atomic(path: Path, text: str, *, synced: bool = True) -> None:
    """Write through a temporary file in the same folder, then renamed over the target.

    Args:
        path: the file; missing folders above it are made.
        text: its new content.
        synced: whether it is on the disk before it has its name, so that a machine that loses its power leaves no
            empty file. A process that dies leaves none either way. What is checked when it is read, or made anew by
            the next run, need not wait for the disk.

    Raises:
        OSError: the folder cannot be written, or the disk is full; the target is then unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", errors="backslashreplace"))
            file.flush()
            if synced:
                os.fsync(file.fileno())
            os.fchmod(file.fileno(), _READABLE)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)  # gone already when it was renamed
