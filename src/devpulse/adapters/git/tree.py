"""The files of a commit or tree, read from the object store."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devpulse.adapters.git.objects import ObjectReader
from devpulse.adapters.git.process import Git
from devpulse.core.diff_headers import decode_name

_REGULAR = frozenset({"100644", "100755", "100664"})
"""100664 stands in trees written by very old versions of git."""
_WINDOW_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A regular file of a tree; ``size`` is in bytes."""

    mode: str
    sha: str
    size: int


class GitTree:
    """A ``SourceTree`` of a commit or tree; listed once, when first asked."""

    def __init__(self, git: Git, reader: ObjectReader, sha: str) -> None:
        self.sha = sha
        self._git = git
        self._reader = reader
        self._lock = threading.Lock()
        self._listing: dict[str, TreeEntry] | None = None

    def entries(self) -> Mapping[str, TreeEntry]:
        """All regular files by path, sorted.

        Raises:
            SourceError: the tree cannot be read.
        """
        with self._lock:
            if self._listing is None:
                self._listing = self._list()
            return self._listing

    def paths(self) -> Sequence[str]:
        """All regular files, sorted."""
        return tuple(self.entries())

    def size(self, path: str) -> int | None:
        """Size in bytes, or ``None`` when there is no such regular file."""
        entry = self.entries().get(path)
        return None if entry is None else entry.size

    def read(self, path: str) -> bytes | None:
        """Content, or ``None`` when there is no such regular file or its object is missing."""
        entry = self.entries().get(path)
        return None if entry is None else self._reader.read(entry.sha)

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The content of those of ``paths`` that exist, faster than one by one; about 8 MB are held at a time."""
        entries = self.entries()
        window: list[str] = []
        held = 0
        for path in paths:
            if path not in entries or (most is not None and entries[path].size > most):
                continue
            window.append(path)
            held += entries[path].size
            if held >= _WINDOW_BYTES:
                yield from self._read_window(window)
                window, held = [], 0
        yield from self._read_window(window)

    def _read_window(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        entries = self.entries()
        for path, data in zip(paths, self._reader.read_many([entries[path].sha for path in paths]), strict=True):
            if data is not None:
                yield path, data

    def _list(self) -> dict[str, TreeEntry]:
        output = self._git.check(["ls-tree", "-r", "-z", "-l", "--full-tree", self.sha])
        found: dict[str, TreeEntry] = {}
        for line in output.split(b"\0")[:-1]:
            about, _, name = line.partition(b"\t")
            mode, _, sha, size = about.decode().split()
            if mode in _REGULAR:
                # A partial clone may lack the object; git then writes BAD in place of its size.
                found[decode_name(name)] = TreeEntry(mode, sha, int(size) if size.isdigit() else 0)
        return dict(sorted(found.items()))
