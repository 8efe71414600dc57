"""Drawings inside the page: only shapes; every word and figure beside them is text of the page.

A drawing is stretched to the width there is, so that it can be read on a telephone: words in it would be too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.review import Coverage
from devpulse.output.coverage import plural
from devpulse.output.report.turns import Turn

HEIGHT = 100
MAX_COLUMNS = 300
"""Of a longer run each column stands for the largest of several requests."""
MAX_BARS = 15


@dataclass(frozen=True, slots=True)
class Column:
    """A request: where it stands, its top and height in a drawing of ``HEIGHT``, and whether it begins a context."""

    x: int
    y: float
    height: float
    first: bool


@dataclass(frozen=True, slots=True)
class TurnChart:
    """The size of every request. ``limit_y`` is the height of ``limit``, ``most`` the top of the drawing in tokens."""

    columns: tuple[Column, ...]
    limit: int
    limit_y: float
    most: int
    requests: int
    told: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A file and its share of the largest in percent."""

    path: str
    tokens: int
    percent: float


@dataclass(frozen=True, slots=True)
class FileBars:
    """The files that took most tokens; ``rest`` says what is not among them, empty when all are."""

    bars: tuple[Bar, ...]
    rest: str


def turn_chart(turns: Sequence[Turn]) -> TurnChart | None:
    """The drawing of a run's requests; ``None`` when there were none."""
    if not turns:
        return None
    limit, largest = max(turn.limit for turn in turns), max(turn.tokens for turn in turns)
    most = max(limit, largest, 1)
    columns = tuple(
        Column(x, _y(turn.tokens, most), round(HEIGHT * turn.tokens / most, 2), turn.step == 1)
        for x, turn in enumerate(_thinned(turns))
    )
    told = (
        f"{plural(len(turns), 'request')}, the largest of {largest:,} tokens: "
        f"{-(-largest * 100 // limit) if limit else 0} % of the {limit:,} that one may have."
    )
    return TurnChart(columns, limit, _y(limit, most), most, len(turns), told)


def file_bars(coverage: Sequence[Coverage]) -> FileBars:
    """The files by their tokens, most first."""
    used = sorted((row for row in coverage if row.tokens > 0), key=lambda row: (-row.tokens, row.path))
    most = used[0].tokens if used else 1
    bars = tuple(Bar(row.path, row.tokens, round(100 * row.tokens / most, 2)) for row in used[:MAX_BARS])
    others = used[MAX_BARS:]
    rest = f"{plural(len(others), 'other file')}: {sum(row.tokens for row in others):,} tokens" if others else ""
    return FileBars(bars, rest)


def _y(tokens: int, most: int) -> float:
    return round(HEIGHT - HEIGHT * tokens / most, 2)


def _thinned(turns: Sequence[Turn]) -> list[Turn]:
    step = -(-len(turns) // MAX_COLUMNS)
    return [max(turns[at : at + step], key=lambda turn: turn.tokens) for at in range(0, len(turns), step)]
