"""What a change put in the place of what: its removed lines and the added ones that stand there now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.source import Source
from devpulse.core.text import split_lines


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of a change without an unchanged one between them, by their numbers."""

    removed: tuple[tuple[int, str], ...]
    added: tuple[tuple[int, str], ...]


def runs_of(source: Source, before: Source) -> Iterator[Run]:
    """Every place of the change where lines were removed and others added."""
    return (run for run, _ in removals_of(source, before) if run.added)


def removals_of(source: Source, before: Source) -> Iterator[tuple[Run, int]]:
    """Every place of the change where lines were removed, with how many lines of the head stand before it."""
    old, new = split_lines(before.text), split_lines(source.text)
    left = right = 0  # lines passed; unchanged ones are the same on both sides
    while left < len(old) or right < len(new):
        first, second = left, right
        while left < len(old) and left + 1 in before.changed:
            left += 1
        while right < len(new) and right + 1 in source.changed:
            right += 1
        if left > first:
            yield Run(_numbered(old, first, left), _numbered(new, second, right)), second
        left, right = left + 1, right + 1


def without_told(hits: Iterable[Hit], others: Iterable[Hit], source: Source) -> list[Hit]:
    """The hits on removed escapes that no other hit tells as surely: one of the category whose way leads through the
    lines that stand in the place of the removed ones, or that is reported on those.
    """
    left = list(hits)
    if not left or source.before is None:
        return left
    told = [(hit, _ways(hit, source.path)) for hit in others]
    for run in runs_of(source, source.before):
        places = {Side.LEFT: {number for number, _ in run.removed}, Side.RIGHT: {number for number, _ in run.added}}
        here = [hit for hit, ways in told if not places[hit.side].isdisjoint(ways)]
        if here:
            left = [hit for hit in left if hit.start_line not in places[hit.side] or not _is_told(hit, here)]
    return left


def _ways(hit: Hit, path: str) -> frozenset[int]:
    steps = hit.trace.all_steps() if hit.trace is not None and hit.side is Side.RIGHT else ()
    own = (step.line for step in steps if step.path == path)
    return frozenset((*range(hit.start_line, hit.end_line + 1), *own))


def _is_told(hit: Hit, others: list[Hit]) -> bool:
    return any(other.category == hit.category and other.confidence.rank >= hit.confidence.rank for other in others)


def _numbered(lines: list[str], first: int, last: int) -> tuple[tuple[int, str], ...]:
    return tuple((number + 1, lines[number]) for number in range(first, last))
