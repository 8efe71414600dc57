"""A sink that nobody touched and that became dangerous: reported where the check was that the change took away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import innermost, symbols_of
from devpulse.core.text import split_lines

MAX_LINES = 10
_NAME = lazy(r"[A-Za-z_]\w+")
_TOO_COMMON = frozenset(
    {"return", "if", "not", "in", "and", "or", "for", "def", "function", "const", "let", "var", "the"}
)


def at_removed_check(hit: Hit, source: Source) -> Hit:
    """The hit on the removed lines of its function that deal with its value; the hit itself when there are none."""
    before = source.before
    if before is None or hit.side is Side.LEFT:
        return hit
    names = _names_of(hit, split_lines(source.text))
    lines = split_lines(before.text)
    for start, end in _runs(sorted(_removed_around(hit, source, before))):
        if names.intersection(name for line in lines[start - 1 : end] for name in _NAME.findall(line)):
            last = min(end, start + MAX_LINES - 1)
            return replace(
                hit,
                side=Side.LEFT,
                start_line=start,
                end_line=last,
                title=f"{hit.title} once its check is gone",
                description=f"The lines removed here made the value safe. {hit.description}",
                fix="Keep the check, or make the value safe in another way before it is used.",
                suggestion=None,
                guards=tuple(range(start, last + 1)),
            )
    return hit


def _names_of(hit: Hit, lines: list[str]) -> frozenset[str]:
    """The names on the hit's way through its own file."""
    own = hit.trace.all_steps() if hit.trace is not None else ()
    numbers = {*range(hit.start_line, hit.end_line + 1), *(step.line for step in own)}
    texts = [lines[number - 1] for number in numbers if 0 < number <= len(lines)]
    return frozenset(name for text in texts for name in _NAME.findall(text)) - _TOO_COMMON


def _removed_around(hit: Hit, source: Source, before: Source) -> Iterator[int]:
    """The removed lines of the function the hit stands in, as that stood in the base."""
    around = _function(source, hit.start_line)
    old = _named(before, around.qualified_name) if around is not None else None
    for number in before.changed:
        if around is None or (old is not None and old.start_line <= number <= old.end_line):
            yield number


def _function(source: Source, line: int) -> Symbol | None:
    return None if source.language is None else innermost(symbols_of("", source.language, source.text), line)


def _named(source: Source, qualified_name: str) -> Symbol | None:
    symbols = () if source.language is None else symbols_of("", source.language, source.text)
    return next((symbol for symbol in symbols if symbol.qualified_name == qualified_name), None)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Consecutive numbers as first and last of each run."""
    start = previous = 0
    for number in numbers:
        if number != previous + 1:
            if start:
                yield start, previous
            start = number
        previous = number
    if start:
        yield start, previous
