"""Reads of files that somebody else may have put there: only regular ones, never waiting, never more than asked for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def read_regular(path: Path, most: int, *, follow: bool = True) -> bytes:
    """The content of a regular file, or its first ``most`` bytes.

    A FIFO in its place would make a plain read wait for ever, a device might never end.

    Args:
        path: the file.
        most: bytes that are read at most.
        follow: whether the file may be a symlink to one.

    Raises:
        OSError: it is not there, no regular file, or cannot be read.
    """
    # Opening a device can have effects of its own, so look before, and again at what was really opened.
    _check(path.stat(follow_symlinks=follow), path)
    handle = os.open(path, _READ if follow else _READ | os.O_NOFOLLOW)
    with open(handle, "rb") as file:  # noqa: PTH123  (opens a descriptor, not a path)
        status = os.fstat(handle)
        _check(status, path)
        return file.read(min(most, status.st_size + 1))


def is_regular(path: Path) -> bool:
    """Whether a file is there and is a regular one, not a symlink.

    Raises:
        OSError: it cannot be known.
    """
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def _check(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
