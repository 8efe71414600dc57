"""Temporary folders that a later run removes when their process died before it could."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from devpulse.adapters.locks import FileLock, try_lock

PREFIX = "devpulse-"
MIN_AGE_SECONDS = 60
"""A folder that was just made may not be locked yet."""

_LOCK_NAME = "devpulse.lock"
_NAME = re.compile(re.escape(PREFIX) + r"(?:git|blank)-\w+")


class ScratchFolder:
    """A new folder for one process, called ``devpulse-<kind>-…``, which nobody else can read.

    A lock in it says that its process lives, also to processes that do not see this one, as in another container.
    """

    def __init__(self, kind: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-"))
        self._lock: FileLock | None = None
        with suppress(OSError):  # without locks nobody will take it for abandoned, nor remove it after a sudden death
            self._lock = try_lock(self.path / _LOCK_NAME)

    def remove(self) -> None:
        """Delete it with all that is in it; what cannot be deleted stays."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            self._lock.release()


def remove_abandoned(now: float) -> None:
    """Remove the scratch folders of processes that are gone; ``now`` is in seconds since 1970.

    Only folders that are named like ours, belong to this user, and are empty or hold a lock file of ours that
    nobody holds.
    """
    for folder in _candidates(Path(tempfile.gettempdir()), now):
        with suppress(OSError):
            _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: Path) -> None:
    try:
        lock = try_lock(folder / _LOCK_NAME, create=False)
    except FileNotFoundError:
        folder.rmdir()  # its process died before it made the lock; fails when there is anything else in it
        return
    if lock is not None:
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def _candidates(parent: Path, now: float) -> Iterator[Path]:
    with suppress(OSError), os.scandir(parent) as found:
        for entry in found:
            with suppress(OSError):
                if _NAME.fullmatch(entry.name) and _is_old_and_own(entry.stat(follow_symlinks=False), now):
                    yield parent / entry.name


def _is_old_and_own(status: os.stat_result, now: float) -> bool:
    mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return mine and now - status.st_mtime > MIN_AGE_SECONDS
