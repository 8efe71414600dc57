"""Files on disk, read so that nothing outside the root is ever opened and nothing ever blocks."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Self

from devpulse.core.diff_headers import decode_name, encode_name
from devpulse.core.folders import folder_of
from devpulse.core.text import BINARY_PROBE_BYTES, DIFF_LIMIT_BYTES

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK_BYTES = 1024 * 1024
_EXECUTABLE = 0o100
_UNREAL = frozenset({b"", b".", b".."})
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""A symlink where a folder should be gives ENOTDIR or ELOOP: below it, nothing is there."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file on disk: git's mode (``100644``, ``100755``, ``120000``) and its size in bytes."""

    mode: str
    size: int


class WorkTree:
    """The files ``paths`` of a folder, as bytes from disk. A ``SourceTree``.

    Only listed paths are read, so ignored files and ``.git`` stay out of reach. No component of a path may be
    a symlink; a FIFO, device, locked or vanished file reads as ``None``, and so does one of more than
    ``DIFF_LIMIT_BYTES``, of which only the ``beginning`` can be had: it may be larger than memory.
    """

    def __init__(self, root: Path, paths: Iterable[str]) -> None:
        self.root = root
        self._listing = tuple(sorted(set(paths)))
        self._known = frozenset(self._listing)

    def paths(self) -> Sequence[str]:
        """The listed paths, sorted."""
        return self._listing

    def size(self, path: str) -> int | None:
        """Size in bytes, or ``None`` when there is no such file."""
        found = self._look(path)
        return found.size if found is not None else None

    def mode(self, path: str) -> str:
        """``100755`` for an executable file, else ``100644``."""
        found = self._look(path)
        return found.mode if found is not None else "100644"

    def _look(self, path: str) -> Found | None:
        if path in self._known:
            with suppress(OSError):
                found = look(self.root, path)
                return None if found is None or found.mode == "120000" else found
        return None

    def read(self, path: str) -> bytes | None:
        """Content, or ``None`` when there is no such file or it is too large."""
        data = self._read(path, DIFF_LIMIT_BYTES + 1)
        return None if data is None or len(data) > DIFF_LIMIT_BYTES else data

    def beginning(self, path: str) -> bytes | None:
        """The first ``BINARY_PROBE_BYTES`` of a file, or ``None`` when there is no such file."""
        return self._read(path, BINARY_PROBE_BYTES)

    def _read(self, path: str, most: int) -> bytes | None:
        if path in self._known:
            with suppress(OSError), open_regular(self.root, path) as file:
                # Not just ``most``: as much memory would be set aside for the smallest file.
                return None if file is None else file.read(min(most, os.fstat(file.fileno()).st_size + 1))
        return None

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The content of those of ``paths`` that can be read; a folder is opened once for its files in a row."""
        limit = DIFF_LIMIT_BYTES if most is None else min(most, DIFF_LIMIT_BYTES)
        with suppress(OSError), _Folders(self.root) as folders:
            for folder, files in groupby((path for path in paths if path in self._known), folder_of):
                handle = folders.enter(encode_name(folder).split(b"/")[:-1])
                if handle is None:
                    continue
                for path in files:
                    data = _read_in(handle, encode_name(path[len(folder) :]), limit)
                    if data is not None:
                        yield path, data


def look(root: Path, path: str) -> Found | None:
    """What is at ``path``: a regular file or a symlink; ``None`` for everything else, or when it is not there.

    Raises:
        OSError: it cannot be known, for want of permission, say.
    """
    try:
        with _parent(root, path) as folder:
            status = os.stat(_name(path), dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise
    if stat.S_ISLNK(status.st_mode):
        return Found("120000", status.st_size)
    if not stat.S_ISREG(status.st_mode):
        return None
    return Found("100755" if status.st_mode & _EXECUTABLE else "100644", status.st_size)


@contextmanager
def open_regular(root: Path, path: str) -> Iterator[BinaryIO | None]:
    """A regular file open for reading, or ``None`` when something else is there.

    Raises:
        OSError: it is not there, or may not be read.
    """
    with _parent(root, path) as folder:
        handle = _open_in(folder, _name(path))
    if handle is None:
        yield None
        return
    with open(handle, "rb") as file:  # noqa: PTH123  (opens a descriptor, not a path)
        yield file if stat.S_ISREG(os.fstat(handle).st_mode) else None


def chunks_of(file: BinaryIO) -> Iterator[bytes]:
    """A file from its start in pieces of a megabyte; may be asked again."""
    file.seek(0)
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def read_link(root: Path, path: str) -> bytes:
    """The target of a symlink.

    Raises:
        OSError: it is not there, or not a symlink.
    """
    with _parent(root, path) as folder:
        return os.readlink(_name(path), dir_fd=folder)


def _open_in(folder: int, name: bytes) -> int | None:
    # Opening a device can have effects of its own, so look before, and again at what was really opened.
    before = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return os.open(name, _FILE, dir_fd=folder) if stat.S_ISREG(before.st_mode) else None


def _read_in(folder: int, name: bytes, most: int) -> bytes | None:
    """The content of a regular file, or ``None`` when it cannot be had or has more than ``most`` bytes."""
    # Not looked at before it is opened, unlike a single file: thousands are read. A FIFO opens at once and does
    # nothing; git cannot have made a device.
    handle = None
    try:
        handle = os.open(name, _FILE, dir_fd=folder)
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return None
        data = os.read(handle, status.st_size + 1)
        while len(data) < status.st_size and (more := os.read(handle, status.st_size - len(data))):
            data += more
    except OSError:
        return None
    finally:
        if handle is not None:
            os.close(handle)
    return data if len(data) <= most else None


def _name(path: str) -> bytes:
    return encode_name(path).rpartition(b"/")[2]


@contextmanager
def _parent(root: Path, path: str) -> Iterator[int]:
    """A descriptor of the folder that holds ``path``, reached without following a symlink below the root."""
    parts = encode_name(path).split(b"/")
    if not _UNREAL.isdisjoint(parts):
        raise FileNotFoundError(path)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


class _Folders:
    """Descriptors of a folder and of those around it, so that its neighbours are opened from where they part.

    No symlink below the root is followed. Closing it closes them.
    """

    def __init__(self, root: Path) -> None:
        self._parts: list[bytes] = []
        self._handles = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(-1)

    def enter(self, parts: Sequence[bytes]) -> int | None:
        """The descriptor of a folder, valid until the next call; ``None`` when it is not there or locked."""
        shared = 0
        while self._parts[shared : shared + 1] == list(parts[shared : shared + 1]) != []:
            shared += 1
        self._leave(shared)
        for part in parts[shared:]:
            handle = self._open(part)
            if handle is None:
                return None
            self._parts.append(part)
            self._handles.append(handle)
        return self._handles[-1]

    def _open(self, part: bytes) -> int | None:
        with suppress(OSError):
            return None if part in _UNREAL else os.open(part, _FOLDER, dir_fd=self._handles[-1])
        return None

    def _leave(self, depth: int) -> None:
        """Close all but the folders down to a depth; the root is at 0."""
        while len(self._handles) > depth + 1:
            os.close(self._handles.pop())
        del self._parts[max(depth, 0) :]


def walk(root: Path, skip: frozenset[str], unread: Callable[[str], None]) -> Iterator[str]:
    """Every regular file below ``root``, sorted within each folder. Symlinks are neither followed nor listed.

    Folders whose name is in ``skip`` are left out; one that cannot be listed is told to ``unread``,
    with a slash at its end, and passed over.
    """
    pending = [b""]
    while pending:
        prefix = pending.pop()
        folders, files = [], []
        try:
            with os.scandir(os.path.join(os.fsencode(root), prefix)) as entries:  # noqa: PTH118  (bytes)
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.is_dir(follow_symlinks=False):
                        if decode_name(entry.name) not in skip:
                            folders.append(prefix + entry.name + b"/")
                    elif entry.is_file(follow_symlinks=False):
                        files.append(decode_name(prefix + entry.name))
        except OSError as error:
            if error.errno not in _NOT_THERE:
                unread(decode_name(prefix))
        yield from files
        pending += reversed(folders)
