"""Hunks widened to the functions around their changes, as far as a share of the context allows.

What is added are unchanged lines only, which both sides have: a changed line of another part of the
same file belongs to that part alone and is never shown twice. Of a function that does not fit the
signature and the lines nearest to the change are added; ``annotate`` marks what is left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from devpulse.core.annotated import ShownChange, estimate_hunk, row
from devpulse.core.budget import CHARACTERS_PER_TOKEN
from devpulse.core.change import DiffLine, Hunk, Side
from devpulse.core.kinds import is_function, is_value
from devpulse.core.symbols import Symbol
from devpulse.core.unchanged import Gap, end_of, gaps, pieces, start_of

Outline = Callable[[Side], Sequence[Symbol]]
"""The definitions of one side's shown text, in source order; none for a side or language without any."""

NEAREST_LINES = 80
"""Lines shown around the changes of a function that does not fit, on top of the diff's own."""

SIGNATURE_LINES = 8
"""Lines from the first decorator to the name that are shown of a function that does not fit."""

OUTER_LINES = 80
"""A function inside another is shown with the outer one if that has no more lines: a callback alone says little."""

_BRIDGE_LINES = 2
_BRIDGE_CHARACTERS = 60
"""Lines between two shown ones that cost less than the heading they save."""

_MARKS_CHARACTERS = 300
"""Room for what parts the pieces of a cut function: a heading for its signature and the marks."""

_SHORTEST_ROW = 10
_BEFORE_A_SIGNATURE = ("@", "#", "[", "/", "*")
"""How decorators, attributes and comments begin."""


@dataclass(slots=True)
class _Page:
    """Which unchanged lines are shown so far, by head number, and the characters that are left."""

    gaps: tuple[Gap, ...]
    shown: ShownChange
    room: int
    kept: set[int] = field(default_factory=set)

    def lines(self, first: int, last: int, side: Side) -> tuple[int, ...]:
        """The unchanged lines in a range of a side, by head number."""
        return tuple(number for gap in self.gaps for number in gap.within(first, last, side))

    def line(self, number: int) -> DiffLine:
        """An unchanged line by its head number."""
        gap = self.gaps[bisect_right(self.gaps, number, key=lambda gap: gap.new) - 1]
        code = self.shown.head.line(number) if self.shown.head is not None else None
        return DiffLine(gap.old + number - gap.new, number, code or "")

    def cost(self, numbers: Sequence[int]) -> int:
        """Characters that showing these lines would add; at least that many for more lines than there is room."""
        if (len(numbers) - len(self.kept)) * _SHORTEST_ROW > self.room:
            return len(numbers) * _SHORTEST_ROW
        lines = (self.line(number) for number in numbers if number not in self.kept)
        return sum(len(row(line, line.text)) + 1 for line in lines)

    def take(self, numbers: Sequence[int]) -> bool:
        """Show these lines if there is room for all of them."""
        cost = self.cost(numbers)
        if cost > self.room:
            return False
        self.room -= cost
        self.kept.update(numbers)
        return True


def widen(
    hunks: Sequence[Hunk], whole: Sequence[Hunk], shown: ShownChange, outline: Outline, share: int
) -> tuple[Hunk, ...]:
    """The hunks of a part with the unchanged lines of the functions around their changes.

    Args:
        hunks: those of the part, in order.
        whole: all hunks of the file's change, of which the part's are some, or pieces.
        shown: both sides of the file, complete.
        outline: its definitions.
        share: tokens that the annotated result may take, what the hunks take themselves included.

    The shortest functions come first, so that as many as possible stand whole. Hunks whose lines then
    touch become one; lines of a cut function are hunks of their own.
    """
    if not hunks or shown.base is None or shown.head is None:
        return tuple(hunks)
    room = (share - sum(map(estimate_hunk, hunks))) * CHARACTERS_PER_TOKEN
    page = _Page(tuple(gaps(hunks, whole, (len(shown.base.lines), len(shown.head.lines)))), shown, room)
    if not page.gaps or room <= 0:
        return tuple(hunks)
    too_large = []
    for symbol, side, numbers in sorted(_wanted(hunks, page, outline), key=lambda want: (len(want[2]), want[2])):
        if not page.take(numbers):
            too_large.append((symbol, side, numbers))
    for place, (symbol, side, numbers) in enumerate(too_large):
        _take_part(hunks, page, _signature(symbol, side, page), numbers, len(too_large) - place)
    _bridge(hunks, page)
    return tuple(pieces(hunks, map(page.line, page.kept)))


_Want = tuple[Symbol, Side, tuple[int, ...]]
"""A function to be shown, the side it was found on, and its unchanged lines by head number."""


def _wanted(hunks: Sequence[Hunk], page: _Page, outline: Outline) -> list[_Want]:
    found: dict[tuple[Side, Symbol], None] = {}
    outlines = {side: outline(side) for side in Side}
    for hunk in hunks:
        (old, new), (old_end, new_end) = start_of(hunk), end_of(hunk)
        near = {
            Side.LEFT: [s for s in outlines[Side.LEFT] if s.start_line < old_end and s.end_line >= old],
            Side.RIGHT: [s for s in outlines[Side.RIGHT] if s.start_line <= new_end and s.end_line >= new - 1],
        }
        for side, first, last in _places(hunk):
            symbol = function_around(near[side], first, last)
            if symbol is not None:
                found[side, symbol] = None
    wants = {page.lines(s.start_line, s.end_line, side): (s, side) for side, s in found}
    return [(symbol, side, numbers) for numbers, (symbol, side) in wants.items() if numbers]


def _places(hunk: Hunk) -> Iterator[tuple[Side, int, int]]:
    """Where the hunk changes something: lines of either side; of removed lines also the head lines around."""
    new = start_of(hunk)[1]
    for line in hunk.lines:
        if line.new is not None:
            new = line.new + 1
            if line.added:
                yield Side.RIGHT, line.new, line.new
        elif line.old is not None:
            yield Side.LEFT, line.old, line.old
            yield Side.RIGHT, new - 1, new


def function_around(symbols: Iterable[Symbol], first: int, last: int) -> Symbol | None:
    """The function around lines, else the value they belong to; ``None`` directly in a class or module.

    It is the innermost one, or the outermost around that with at most ``OUTER_LINES`` lines.
    """
    around = [symbol for symbol in symbols if symbol.start_line <= first and last <= symbol.end_line]
    around.sort(key=lambda symbol: (symbol.start_line, -symbol.end_line))
    functions = [symbol for symbol in around if is_function(symbol.kind)]
    if functions:
        return next((s for s in functions if s.end_line - s.start_line < OUTER_LINES), functions[-1])
    return around[-1] if around and is_value(around[-1].kind) else None


def _take_part(hunks: Sequence[Hunk], page: _Page, signature: Sequence[int], numbers: Sequence[int], of: int) -> None:
    """Show the signature and the nearest lines of a function, with one of ``of`` equal shares of the room."""
    rest = page.room - page.room // of
    page.room -= rest + _MARKS_CHARACTERS
    if page.take(signature):
        for number in _nearest(hunks, frozenset(numbers)):
            if not page.take((number,)):
                break
        page.room = max(page.room, 0) + rest
    else:
        page.room += rest + _MARKS_CHARACTERS


def _nearest(hunks: Sequence[Hunk], numbers: frozenset[int]) -> list[int]:
    """Lines by their distance from a hunk, the nearest first."""
    edges = [(start_of(hunk)[1], end_of(hunk)[1] - 1) for hunk in hunks]
    near = (n for step in range(1, NEAREST_LINES) for low, high in edges for n in (low - step, high + step))
    return [number for number in dict.fromkeys(near) if number in numbers][:NEAREST_LINES]


def _signature(symbol: Symbol, side: Side, page: _Page) -> tuple[int, ...]:
    """The unchanged lines from the first decorator to the one with the function's name."""
    last = min(symbol.end_line, symbol.start_line + SIGNATURE_LINES - 1)
    for number in range(symbol.start_line, last + 1):
        text = page.shown.side(side)
        code = ((text.line(number) if text is not None else None) or "").lstrip()
        if symbol.name in code and not code.startswith(_BEFORE_A_SIGNATURE):
            return page.lines(symbol.start_line, number, side)
    return page.lines(symbol.start_line, symbol.start_line, side)


def _bridge(hunks: Sequence[Hunk], page: _Page) -> None:
    """Show one or two short lines between lines that are shown; a heading would cost more."""
    begins, ends = {start_of(hunk) for hunk in hunks}, {end_of(hunk) for hunk in hunks}
    for gap in page.gaps:
        stops = [number for number in range(gap.new, gap.new + gap.length) if number in page.kept]
        if (gap.old, gap.new) in ends:
            stops.insert(0, gap.new - 1)
        if (gap.old + gap.length, gap.new + gap.length) in begins:
            stops.append(gap.new + gap.length)
        for above, below in pairwise(stops):
            hidden = range(above + 1, below)
            if 0 < len(hidden) <= _BRIDGE_LINES and page.cost(hidden) <= _BRIDGE_CHARACTERS:
                page.kept.update(hidden)
