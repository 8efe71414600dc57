"""A tree with some files replaced in memory; over nothing, a tree in memory or the empty tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from devpulse.core.source_tree import SourceTree


class OverlayTree:
    """``files`` over the tree ``below``; a file that is ``None`` is absent. A ``SourceTree``."""

    def __init__(self, files: Mapping[str, bytes | None], below: SourceTree | None = None) -> None:
        self._files = dict(files)
        self._below = below

    @cached_property
    def _listing(self) -> tuple[str, ...]:
        under = () if self._below is None else self._below.paths()
        kept = {path for path in under if path not in self._files}
        return tuple(sorted(kept | {path for path, data in self._files.items() if data is not None}))

    def paths(self) -> Sequence[str]:
        """The listed paths, sorted."""
        return self._listing

    def size(self, path: str) -> int | None:
        """Size in bytes, or ``None`` when there is no such file."""
        if path in self._files:
            data = self._files[path]
            return None if data is None else len(data)
        return None if self._below is None else self._below.size(path)

    def read(self, path: str) -> bytes | None:
        """Content, or ``None`` when there is no such file."""
        if path in self._files:
            return self._files[path]
        return None if self._below is None else self._below.read(path)

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The content of those of ``paths`` that exist; those in memory whatever their size."""
        for replaced, run in groupby(paths, self._files.__contains__):
            if not replaced:
                yield from () if self._below is None else self._below.read_many(run, most)
            else:
                yield from ((path, data) for path in run if (data := self._files[path]) is not None)
