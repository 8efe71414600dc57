"""The unchanged lines around the hunks of a change, which both sides have under numbers of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.change import DiffLine, Hunk, Side

Point = tuple[int, int]
"""A place between lines: the numbers of the lines that follow it at base and at head."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A run of unchanged lines: its first line on either side, and how many there are."""

    old: int
    new: int
    length: int

    def within(self, first: int, last: int, side: Side) -> range:
        """Which of its lines, by head number, lie in a range of a side's lines."""
        start = self.new if side is Side.RIGHT else self.old
        low, high = max(first, start), min(last, start + self.length - 1)
        return range(low + self.new - start, high + self.new - start + 1)


def start_of(hunk: Hunk) -> Point:
    """Where a hunk begins."""
    # A side without lines starts, as in git, at the line before.
    return hunk.old_start + (not hunk.old_length), hunk.new_start + (not hunk.new_length)


def end_of(hunk: Hunk) -> Point:
    """Where a hunk ends: the lines after it."""
    old, new = start_of(hunk)
    return old + hunk.old_length, new + hunk.new_length


def gaps(hunks: Sequence[Hunk], whole: Sequence[Hunk], lengths: Point) -> Iterator[Gap]:
    """The unchanged lines before, between and after the hunks, up to those of other parts."""
    first, last = start_of(hunks[0]), end_of(hunks[-1])
    before = max((end_of(hunk) for hunk in whole if end_of(hunk) <= first), default=(1, 1))
    after = min((start_of(hunk) for hunk in whole if start_of(hunk) >= last), default=(lengths[0] + 1, lengths[1] + 1))
    # A piece of a hunk goes on in another part.
    before = first if any(start_of(hunk) < first < end_of(hunk) for hunk in whole) else before
    after = last if any(start_of(hunk) < last < end_of(hunk) for hunk in whole) else after
    for start, end in zip([before, *map(end_of, hunks)], [*map(start_of, hunks), after], strict=True):
        old, new = end[0] - start[0], end[1] - start[1]
        # Unchanged lines are as many on both sides; where a patch says otherwise nothing can be added.
        if old == new > 0:
            yield Gap(*start, new)


def pieces(hunks: Iterable[Hunk], unchanged: Iterable[DiffLine]) -> Iterator[Hunk]:
    """Hunks and unchanged lines put together: runs without a break, from top to bottom, as hunks."""
    blocks = [(start_of(hunk), end_of(hunk), hunk.lines) for hunk in hunks]
    for line in unchanged:
        start = (line.old or 0, line.new or 0)
        blocks.append((start, (start[0] + 1, start[1] + 1), (line,)))
    blocks.sort(key=lambda block: block[:2])
    start = end = blocks[0][0]
    rows: list[DiffLine] = []
    for begin, stop, lines in blocks:
        if begin != end:
            yield _hunk(start, end, rows)
            start, rows = begin, []
        rows += lines
        end = stop
    yield _hunk(start, end, rows)


def _hunk(start: Point, end: Point, rows: Iterable[DiffLine]) -> Hunk:
    old, new = end[0] - start[0], end[1] - start[1]
    return Hunk(start[0] - (not old), old, start[1] - (not new), new, tuple(rows))
