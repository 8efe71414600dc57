"""Where on a pull request a finding is told: GitHub takes comments only on lines of one hunk."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.change import FileChange
from devpulse.core.finding import Finding


@dataclass(frozen=True, slots=True)
class Place:
    """A range of lines of a file, both ends included. The path is the real one, which a masked finding may hide."""

    path: str
    start_line: int
    end_line: int


def place_of(finding: Finding, change: FileChange) -> Place:
    """The lines of a finding that one hunk shows: all of them, or those around its first changed line.

    Without any of them in the diff it is the finding's own range, which GitHub would refuse.
    """
    span = range(finding.start_line, finding.end_line + 1)
    hunks = [hunk.span(finding.side) for hunk in change.hunks]
    shown = [range(max(span.start, begin), min(span.stop, begin + length)) for begin, length in hunks]
    changed = change.changed(finding.side).intersection(span)
    best = max(
        shown, key=lambda lines: (len(lines) == len(span), not changed.isdisjoint(lines), len(lines)), default=range(0)
    )
    return Place(change.path, best.start, best.stop - 1) if best else Place(change.path, span.start, span.stop - 1)
