"""A file's change as a child first sees it: hunks with the line numbers of both sides, and parts that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from devpulse.core.budget import CHARACTERS_PER_TOKEN
from devpulse.core.change import DiffLine, Hunk, Side
from devpulse.core.fence import neutralise
from devpulse.core.hidden import make_visible
from devpulse.core.kinds import is_container
from devpulse.core.packed_lines import text_of
from devpulse.core.shown import MAX_LINE_CHARACTERS, ShownText, show_line
from devpulse.core.symbols import Symbol

_ROW_OVERHEAD = 15
"""Characters of a row beside its code: two numbers of five digits, the sign, three blanks and the line feed."""

_HEADING_TOKENS = 75
"""Room for a heading: a signature is at most 200 characters, names and numbers take the rest."""

Enclosing = Callable[[int], Symbol | None]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """Both sides of a file as they may be shown; a side that does not exist is ``None``."""

    base: ShownText | None
    head: ShownText | None

    def line(self, line: DiffLine) -> str:
        """The code of a diff line, taken from the shown text of its side."""
        if line.new is not None and self.head is not None:
            return self.head.line(line.new) or ""
        if line.old is not None and self.base is not None:
            return self.base.line(line.old) or ""
        return ""

    def side(self, side: Side) -> ShownText | None:
        """The shown text of a side."""
        return self.head if side is Side.RIGHT else self.base


def annotate(hunks: Iterable[Hunk], shown: ShownChange, enclosing: Enclosing) -> str:
    """The hunks as text: a heading with the enclosing symbol, then rows of old line, new line, sign, code.

    Where a function goes on in the next hunk, or beyond the last, a mark tells which head lines are left out.
    """
    rows: list[str] = []
    around: Symbol | None = None
    end = 0
    for hunk in hunks:
        symbol = _symbol(hunk, enclosing, deleted=shown.head is None)
        if symbol is None or symbol != around:
            rows += _rest(around, end)
            rows.append(_heading(symbol, hunk))
        elif hunk.new_start > end + 1:
            rows.append(_mark(end + 1, hunk.new_start - 1))
        rows += _rows(hunk, shown)
        around = symbol if shown.head is not None else None
        end = max(hunk.new_start + hunk.new_length - 1, hunk.new_start - (not hunk.new_length))
    return "\n".join([*rows, *_rest(around, end)])


def _rest(symbol: Symbol | None, end: int) -> list[str]:
    """The mark for the lines of a function after ``end``; a class goes on for too long to be worth one."""
    if symbol is None or is_container(symbol.kind) or symbol.end_line <= end:
        return []
    return [_mark(end + 1, symbol.end_line)]


def _mark(first: int, last: int) -> str:
    return f"@@ lines {first}-{last} left out, read_lines shows them @@"


def _rows(hunk: Hunk, shown: ShownChange) -> list[str]:
    if not hunk.adds_all or shown.head is None:
        return [row(line, shown.line(line)) for line in hunk.lines]
    # The same rows, without an object for each line: most files of a scan, and all new ones, are added whole.
    first = hunk.new_start - 1
    code = shown.head.lines[first : first + hunk.new_length]
    code = (*code, *[""] * (hunk.new_length - len(code)))
    return [f"{'':>5} {number:>5} + {line}".rstrip() for number, line in enumerate(code, hunk.new_start)]


def row(line: DiffLine, code: str) -> str:
    """A line as shown: old number, new number, sign, code."""
    sign = "+" if line.added else "-" if line.removed else " "
    return _row("" if line.old is None else line.old, "" if line.new is None else line.new, sign, code)


def _row(old: int | str, new: int | str, sign: str, code: str) -> str:
    return f"{old:>5} {new:>5} {sign} {code}".rstrip()


def _symbol(hunk: Hunk, enclosing: Enclosing, *, deleted: bool) -> Symbol | None:
    """The symbol around the first change, by head lines; a deleted file has base lines only."""
    if deleted:
        return enclosing(min(hunk.changed(Side.LEFT), default=max(1, hunk.old_start)))
    if hunk.adds_all:
        return enclosing(hunk.new_start)
    before = hunk.new_start - (hunk.new_length > 0)
    for line in hunk.lines:
        if line.added and line.new is not None:
            return enclosing(line.new)
        if line.removed:
            # Removed lines have no place at head: the line before them tells where they stood, else the one after.
            return enclosing(max(1, before)) or enclosing(before + 1)
        before += 1
    return enclosing(hunk.new_start)


def _heading(symbol: Symbol | None, hunk: Hunk) -> str:
    if symbol is None:
        return "@@ module level @@"
    place = f"@@ in {symbol.kind} {symbol.qualified_name}, lines {symbol.start_line}-{symbol.end_line}"
    # A hunk that begins with or before the symbol shows its signature.
    return f"{place} @@" if hunk.new_start <= symbol.start_line else f"{place}: {symbol.signature} @@"


def estimate_hunk(hunk: Hunk) -> int:
    """Tokens a hunk takes when annotated, from the diff alone, so that a plan needs no file content."""
    characters = _plain_size(hunk)
    if characters is None:
        characters = sum(map(_row_size, hunk.lines))
    return -(-characters // CHARACTERS_PER_TOKEN) + _HEADING_TOKENS


def _plain_size(hunk: Hunk) -> int | None:
    """The characters of a hunk that is shown as it is, ``None`` when that cannot be told at one glance."""
    whole = text_of(hunk.lines)
    if "\r" in whole or neutralise(make_visible(whole)) != whole:
        return None
    if len(whole) > MAX_LINE_CHARACTERS and max(map(len, whole.split("\n"))) > MAX_LINE_CHARACTERS:
        return None
    return len(whole) - max(0, len(hunk.lines) - 1) + len(hunk.lines) * _ROW_OVERHEAD


def _row_size(line: DiffLine) -> int:
    return len(show_line(line.text)) + _ROW_OVERHEAD


def split_hunks(hunks: tuple[Hunk, ...], share: int) -> list[tuple[tuple[Hunk, ...], int]]:
    """Pack hunks, in order, into as few parts as fit the share (tokens) each; gives each part with its own tokens.

    A hunk larger than the share is cut between lines; a single line always fits, since shown lines
    have a bounded length. No line is lost and none stands in two parts.
    """
    parts: list[list[Hunk]] = [[]]
    used = [0]
    for hunk in hunks:
        for piece, size in _cut(hunk, share):
            if parts[-1] and used[-1] + size > share:
                parts.append([])
                used.append(0)
            parts[-1].append(piece)
            used[-1] += size
    return [(tuple(part), tokens) for part, tokens in zip(parts, used, strict=True)]


def halve_hunks(hunks: tuple[Hunk, ...]) -> tuple[tuple[Hunk, ...], tuple[Hunk, ...]] | None:
    """The same lines in two halves of about the same size, or ``None`` when a single line is left."""
    if sum(len(hunk.lines) for hunk in hunks) < 2:
        return None
    if len(hunks) == 1:
        lines = list(hunks[0].lines)
        sizes = [_row_size(line) for line in lines]
        middle = _middle(sizes)
        first, second = _renumber(hunks[0], [lines[:middle], lines[middle:]])
        return (first,), (second,)
    middle = _middle([estimate_hunk(hunk) for hunk in hunks])
    return hunks[:middle], hunks[middle:]


def _middle(sizes: list[int]) -> int:
    """Where to cut a list of at least two so that both sides weigh about the same and neither is empty."""
    half, used = sum(sizes) / 2, 0
    for index, size in enumerate(sizes):
        used += size
        if used >= half:
            return min(index + 1, len(sizes) - 1)
    return len(sizes) - 1


def _cut(hunk: Hunk, share: int) -> list[tuple[Hunk, int]]:
    """The pieces of a hunk that fit the share, each with its size."""
    size = estimate_hunk(hunk)
    if size <= share:
        return [(hunk, size)]
    room = (share - _HEADING_TOKENS - 1) * CHARACTERS_PER_TOKEN
    pieces: list[list[DiffLine]] = [[]]
    used = 0
    for line in hunk.lines:
        size = _row_size(line)
        if pieces[-1] and used + size > room:
            pieces.append([])
            used = 0
        pieces[-1].append(line)
        used += size
    return [(piece, estimate_hunk(piece)) for piece in _renumber(hunk, pieces)]


def _renumber(hunk: Hunk, pieces: list[list[DiffLine]]) -> list[Hunk]:
    # A side without lines starts, as in git, at the line before.
    cut, old, new = [], hunk.old_start + (not hunk.old_length), hunk.new_start + (not hunk.new_length)
    for lines in pieces:
        old_length = sum(line.old is not None for line in lines)
        new_length = sum(line.new is not None for line in lines)
        cut.append(Hunk(old - (not old_length), old_length, new - (not new_length), new_length, tuple(lines)))
        old += old_length
        new += new_length
    return cut
