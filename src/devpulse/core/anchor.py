"""Evidence decides where a finding stands: quoted code is looked for in the file, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.change import Hunk, Side
from devpulse.core.text import normalise_space

MAX_EVIDENCE_LINES = 10


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where evidence really stands. ``occurrences`` are the first lines of all places it stands at."""

    start_line: int
    end_line: int
    occurrences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unanchored:
    """The evidence could not be tied to one place; ``reason`` says why."""

    reason: str


def evidence_lines(evidence: str) -> list[str]:
    """The lines of a quotation, normalised, without blank lines at its ends."""
    lines = [normalise_space(line) for line in evidence.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


class LineIndex:
    """The lines of a text, normalised, and where each stands: many quotations are looked up in one file."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [normalise_space(line) for line in lines]
        self._numbers: dict[str, list[int]] = {}
        self._known: dict[tuple[str, ...], tuple[int, ...]] = {}
        for number, line in enumerate(self._lines, 1):
            self._numbers.setdefault(line, []).append(number)

    def places(self, wanted: Sequence[str]) -> tuple[int, ...]:
        """The first lines of all places where the wanted lines, already normalised, stand in a row."""
        key = tuple(wanted)
        if key not in self._known:
            size, rows = len(key), list(key)
            starts = self._numbers.get(key[0], ())
            self._known[key] = tuple(start for start in starts if self._lines[start - 1 : start - 1 + size] == rows)
        return self._known[key]


def anchor(
    evidence: str, claimed: int, lines: LineIndex | Sequence[str], hunks: Sequence[Hunk], side: Side
) -> Anchor | Unanchored:
    """Find the place a quotation stands for.

    At the claimed line it stands; once elsewhere it moves there; several times, the nearest to the
    claimed line within the claimed line's hunk wins. Nothing is ever placed on a guess.
    """
    wanted = evidence_lines(evidence)
    if not wanted:
        return Unanchored("no evidence was quoted")
    if len(wanted) > MAX_EVIDENCE_LINES:
        return Unanchored(f"the evidence has {len(wanted)} lines, at most {MAX_EVIDENCE_LINES} are allowed")
    places = (lines if isinstance(lines, LineIndex) else LineIndex(lines)).places(wanted)
    if not places:
        return Unanchored("the quoted code is not in the file")
    start = _choose(places, claimed, hunks, side)
    if start is None:
        return Unanchored(f"the quoted code stands at {len(places)} places, none in the hunk of line {claimed}")
    return Anchor(start, start + len(wanted) - 1, places)


def _choose(places: tuple[int, ...], claimed: int, hunks: Sequence[Hunk], side: Side) -> int | None:
    if claimed in places or len(places) == 1:
        return claimed if claimed in places else places[0]
    home = next((numbers for hunk in hunks if claimed in (numbers := hunk.numbers(side))), frozenset[int]())
    within = [place for place in places if place in home]
    # Equally near places above and below: the upper one, so that the answer never varies.
    return min(within, key=lambda place: (abs(place - claimed), place), default=None)
