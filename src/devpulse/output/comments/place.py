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
    shown = [hunk.numbers(finding.side).intersection(span) for hunk in change.hunks]
    changed = change.changed(finding.side).intersection(span)
    best = max(
        shown, key=lambda lines: (len(lines) == len(span), bool(lines & changed), len(lines)), default=frozenset()
    )
    if not best:
        return Place(change.path, finding.start_line, finding.end_line)
    return Place(change.path, min(best), max(best))
