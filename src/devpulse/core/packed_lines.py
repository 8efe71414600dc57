"""The lines of a hunk as one text: all hunks of a change are held as long as a run takes, and the lines of most of them
are looked at for a moment only. The unidiff library reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from devpulse.core.change import DiffLine
from devpulse.errors import PatchInvalid

HINT = "Give a complete unified diff, for example the output of: git diff BASE...HEAD"

_NEW_FILE = ("@@ -0,0 +1 @@", "@@ -0,0 +1,")
_UNPACKED = 256
"""Hunks whose lines are kept: a file is looked at many times in a row, and several files at once."""


class PackedLines(Sequence[DiffLine]):
    """The lines of one hunk, equal to the tuple of them, which is made when it is asked for.

    ``header`` is the hunk's; ``body`` are its lines, each with its sign and without its line feed, as many as the
    header says.

    Raises:
        PatchInvalid: its lines are looked at and are no hunk's.
    """

    __slots__ = ("_body", "_header", "_length")

    def __init__(self, header: str, body: Sequence[str]) -> None:
        self._header = header
        self._body = "\n".join(body)
        self._length = len(body)

    @property
    def text(self) -> str:
        """The lines without their signs, line feeds between them."""
        return "\n".join([line[1:] for line in self._body.split("\n")])

    @property
    def signed(self) -> str:
        """The lines with their signs, as a diff has them."""
        return self._body

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> DiffLine: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DiffLine, ...]: ...
    def __getitem__(self, index: int | slice) -> DiffLine | tuple[DiffLine, ...]:
        return self._lines()[index]

    def __iter__(self) -> Iterator[DiffLine]:
        return iter(self._lines())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedLines):
            return self._lines() == other._lines()
        return self._lines() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._lines())

    def __repr__(self) -> str:
        return repr(self._lines())

    def _lines(self) -> tuple[DiffLine, ...]:
        return _unpacked(self._header, self._body)


def text_of(lines: Sequence[DiffLine]) -> str:
    """The texts of lines, line feeds between them."""
    return lines.text if isinstance(lines, PackedLines) else "\n".join([line.text for line in lines])


def signed(lines: Sequence[DiffLine]) -> str:
    """The lines with their signs, line feeds between them."""
    if isinstance(lines, PackedLines):
        return lines.signed
    return "\n".join([f"{'+' if line.added else '-' if line.removed else ' '}{line.text}" for line in lines])


def characters_of(lines: Sequence[DiffLine]) -> int:
    """How many characters lines have, line feeds not counted."""
    if isinstance(lines, PackedLines):
        return len(lines.signed) - 2 * len(lines) + bool(lines)  # a sign for each line, and a line feed between two
    return sum(len(line.text) for line in lines)


@lru_cache(maxsize=_UNPACKED)
def _unpacked(header: str, body: str) -> tuple[DiffLine, ...]:
    if header.startswith(_NEW_FILE):  # which needs no reader
        return tuple(DiffLine(None, number, line[1:]) for number, line in enumerate(body.split("\n"), 1))
    rows = [f"{line}\n" for line in body.split("\n")]
    try:
        patch = PatchSet(iter(["--- a\n", "+++ b\n", f"{header}\n", *rows]))
    except UnidiffParseError as error:
        raise PatchInvalid(f"The patch cannot be read: {error}.", hint=HINT) from error
    (hunk,) = patch[0]
    return tuple(DiffLine(line.source_line_no, line.target_line_no, line.value[:-1]) for line in hunk)
