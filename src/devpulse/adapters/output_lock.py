"""One run at a time in an output folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.locks import FileLock, try_lock
from devpulse.errors import OutputFolderInUse

LOCK_NAME = ".lock"


@dataclass(frozen=True, slots=True)
class OutputLock:
    """The output folder is this run's own until the lock is released, or dropped.

    ``missing`` says why there is none, and is empty when there is: the run then goes on without.
    """

    lock: FileLock | None
    missing: str = ""

    def release(self) -> None:
        """Let the next run in."""
        if self.lock is not None:
            self.lock.release()


def lock_output(folder: Path) -> OutputLock:
    """Keep other runs out of a folder, which is made when it is not there.

    What a killed process held is free again. Where the file system knows no locks, or nothing can be
    written, there is none: the first is said in the report, the second the first artifact finds out.

    Raises:
        OutputFolderInUse: another run is at work in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = try_lock(folder / LOCK_NAME)
    except OSError as error:
        return OutputLock(None, error.strerror or str(error))
    if lock is None:
        raise OutputFolderInUse(
            f"another run is writing to the output folder {folder}",
            hint="Wait until it has ended, or give this run a folder of its own with --output-dir.",
        )
    return OutputLock(lock)
