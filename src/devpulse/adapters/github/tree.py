"""One side of a pull request as files, of which some are here and others at GitHub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.github.blobs import Blobs

_REGULAR = frozenset({"100644", "100755", "100664"})
"""100664 stands in trees written by very old versions of git."""
_WINDOW = 256


class RemoteTree:
    """A ``SourceTree`` over a listing. ``read`` may cost a request, ``read_many`` never does: it gives what is here.

    ``size_of`` gives the size of an object that the listing has none for; it may cost a request, once.
    """

    def __init__(self, files: Mapping[str, Listed], blobs: Blobs, size_of: Callable[[str], int | None]) -> None:
        self._files = {path: entry for path, entry in sorted(files.items()) if entry.mode in _REGULAR}
        self._blobs = blobs
        self._size_of = size_of

    def paths(self) -> Sequence[str]:
        """All regular files, sorted."""
        return tuple(self._files)

    def size(self, path: str) -> int | None:
        """Size in bytes, or ``None`` when there is no such regular file; 0 where it is not known."""
        entry = self._files.get(path)
        return None if entry is None else entry.size or 0

    def read(self, path: str) -> bytes | None:
        """Content, or ``None`` when there is no such regular file or it cannot be had."""
        entry = self._files.get(path)
        if entry is None:
            return None
        return self._blobs.read(entry.sha, lambda: self._size_of(entry.sha) if entry.size is None else entry.size)

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """The content of those of ``paths`` that are here, a window of them at a time."""
        window: list[str] = []
        for path in paths:
            if path in self._files and (most is None or (self._files[path].size or 0) <= most):
                window.append(path)
            if len(window) == _WINDOW:
                yield from self._here(window)
                window = []
        yield from self._here(window)

    def _here(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        contents = self._blobs.local([self._files[path].sha for path in paths])
        for path, data in zip(paths, contents, strict=True):
            if data is not None:
                yield path, data
