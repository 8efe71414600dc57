"""Advisory locks on files: the system lets go of one when its process ends, however it ends."""

from __future__ import annotations

import errno
import fcntl
import os
import weakref
from pathlib import Path

_OPEN = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_TAKEN = frozenset({errno.EWOULDBLOCK, errno.EACCES})
"""What ``flock`` says of a lock that somebody else holds."""


class FileLock:
    """A lock that is held until it is released or collected, or until its process has gone.

    Programs that the process starts do not hold it; a fork of the process does.
    """

    def __init__(self, descriptor: int) -> None:
        self._close = weakref.finalize(self, os.close, descriptor)

    def release(self) -> None:
        """Let go. The file stays: who removes it may remove one that another process has just locked."""
        self._close()


def try_lock(path: Path, *, create: bool = True) -> FileLock | None:
    """The lock on a file, or ``None`` when another process holds it.

    Raises:
        OSError: the file cannot be opened, or its file system has no locks.
    """
    descriptor = _open(path, os.O_CREAT if create else 0)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno in _TAKEN:
            return None
        raise
    return FileLock(descriptor)


def _open(path: Path, create: int) -> int:
    try:
        # To write: network file systems make a lock for one alone of a right to write.
        return os.open(path, os.O_RDWR | create | _OPEN, 0o644)
    except PermissionError:
        return os.open(path, os.O_RDONLY | _OPEN)  # the file of another user, for instance of a container's root
