"""Code around a finding, as renderers show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.text import split_lines
from devpulse.output.characters import visible


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A redacted line that only the other side has; it stands before line ``before`` of the snippet's side."""

    before: int
    text: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """Consecutive lines of one side of a file, redacted; ``first_line`` is the number of the first.

    ``changed`` are the numbers of those that only this side has, ``others`` what the other side had among them.
    ``steps`` are the lines of the steps of the finding's trace, ``None`` where the text of one is not at hand.
    """

    first_line: int
    lines: tuple[str, ...]
    changed: frozenset[int] = frozenset()
    others: tuple[OtherLine, ...] = ()
    steps: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line to show. ``marked`` when it belongs to the finding itself; no number where none is known."""

    number: int | None
    text: str
    marked: bool


def code_lines(finding: Finding, snippet: Snippet | None) -> tuple[CodeLine, ...]:
    """The lines to show for a finding: the snippet, or its evidence where there is none."""
    if finding.status is FindingStatus.UNANCHORED:
        return tuple(CodeLine(None, shown_line(line), marked=True) for line in split_lines(finding.evidence))
    if snippet is None:
        snippet = Snippet(finding.start_line, tuple(split_lines(finding.evidence)))
    return tuple(_lines(finding, snippet))


def gutter(number: int | None, digits: int) -> str:
    """The right-aligned number before a line of code, blank where there is none."""
    return f"{'' if number is None else number:>{digits}}"


def number_width(lines: Sequence[CodeLine]) -> int:
    """How many digits the widest line number has."""
    return max((len(str(line.number)) for line in lines if line.number is not None), default=0)


def _lines(finding: Finding, snippet: Snippet) -> Iterator[CodeLine]:
    for number, line in enumerate(snippet.lines, start=snippet.first_line):
        yield CodeLine(number, shown_line(line), marked=finding.start_line <= number <= finding.end_line)


def shown_line(line: str) -> str:
    """A line of code with hidden characters written out and tabs as blanks."""
    return visible(line).expandtabs(4)
