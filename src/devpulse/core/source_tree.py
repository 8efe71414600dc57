"""What a tree of files is to everything that reads one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol


class SourceTree(Protocol):
    """The files of one side of a change (or of a folder), read as bytes. Safe to use from several threads.

    Paths are relative to the root with forward slashes, decoded with ``os.fsdecode``'s rule
    (surrogate escapes), so that any name git knows can be given back.
    """

    def paths(self) -> Sequence[str]:
        """All tracked (or reviewable) regular files, sorted. Symlinks and submodules are not listed."""
        ...

    def size(self, path: str) -> int | None:
        """The size in bytes without reading the file, or ``None`` when there is no such regular file."""
        ...

    def read(self, path: str) -> bytes | None:
        """The whole content, or ``None`` when there is no such regular file or it vanished meanwhile.

        A tree on disk gives ``None`` for files above ``core.text.DIFF_LIMIT_BYTES`` too: no review holds them.
        """
        ...

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The content of those of ``paths`` that ``read`` gives one for, in their order; faster than one by one.

        Files of more than ``most`` bytes are left out, where that can be known without reading them.
        """
        ...
