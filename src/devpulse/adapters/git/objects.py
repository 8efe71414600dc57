"""Objects by id: one long-lived ``git cat-file``, and a writer of loose objects for our own store."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from devpulse.adapters.git.process import Child, Git, failed
from devpulse.core.content import blob_id

_WINDOW = 256
"""Requests sent before answers are read: 256 x 65 bytes fit into a pipe (64 KiB), so neither side can block."""


class ObjectReader:
    """Reads objects. Safe to use from several threads; a child that died is started again."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = threading.Lock()
        self._child: Child | None = None

    def read(self, sha: str) -> bytes | None:
        """The content of an object, or ``None`` when the repository lacks it.

        Raises:
            SourceError: git failed twice in a row.
        """
        return next(iter(self._window([sha])))

    def read_many(self, shas: Sequence[str]) -> Iterator[bytes | None]:
        """The contents of ``shas`` in their order; at most ``_WINDOW`` are held in memory.

        Raises:
            SourceError: git failed twice in a row.
        """
        for start in range(0, len(shas), _WINDOW):
            yield from self._window(shas[start : start + _WINDOW])

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._stop()

    def _window(self, shas: Sequence[str]) -> list[bytes | None]:
        with self._lock:
            try:
                return self._ask(shas)
            except (OSError, EOFError):
                self._stop()
            try:
                return self._ask(shas)
            except (OSError, EOFError) as error:
                complaint = self._child.complaint() if self._child else ""
                self._stop()
                raise failed("cat-file", complaint) from error

    def _ask(self, shas: Sequence[str]) -> list[bytes | None]:
        if self._child is None:
            self._child = self._git.spawn(["cat-file", "--batch"])
        requests, answers = self._child.requests, self._child.answers
        requests.write("".join(f"{sha}\n" for sha in shas).encode())
        requests.flush()
        found: list[bytes | None] = []
        for _ in shas:
            header = answers.readline().split()
            if not header:
                raise EOFError
            if header[-1] == b"missing":
                found.append(None)
                continue
            size = int(header[-1])
            data = answers.read(size + 1)
            if len(data) != size + 1:
                raise EOFError
            found.append(data[:-1])
        return found

    def _stop(self) -> None:
        if self._child is not None:
            self._git.end(self._child)
            self._child = None


def write_blob(objects: Path, data: bytes, algorithm: str) -> str:
    """Store a file as a loose object in our own object folder; gives its id."""
    sha = blob_id(data, algorithm)
    target = objects / sha[:2] / sha[2:]
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(zlib.compress(b"blob %d\0" % len(data) + data, level=1))
    return sha
