"""Atomic writes: a reader sees the old file or the new one, never a torn one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

UNFINISHED = ".part"
"""How the name of a temporary file ends."""
_READABLE = 0o644
"""Files made by a container's root must stay readable for the steps that follow."""


def write_atomic(path: Path, text: str) -> None:
    """Write through a temporary file in the same folder, synced, then renamed over the target.

    Raises:
        OSError: the folder cannot be written, or the disk is full; the target is then unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", errors="backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), _READABLE)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)  # gone already when it was renamed
