"""What a summary comment remembers for the next run, and what that tells about the pushes in between.

A finding is remembered by the last twelve digits of its fingerprint. Where it matters whether it was looked for again,
six digits of a digest of its file's name follow, and one for who found it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from devpulse.core.finding import Finding, FindingSource
from devpulse.core.review import Report, Reviewed
from devpulse.core.verdict import counts
from devpulse.output.comments.judging import OFFLINE, rules_were_whole
from devpulse.output.comments.marker import Memory, SummaryMark, is_markable
from devpulse.output.coverage import plural

MOST_REMEMBERED = 300
"""More findings would take the room of the summary."""
_KEY = 12
_PATH = 6
_BY_MODEL, _BY_RULE = "1", "0"


@dataclass(frozen=True, slots=True)
class Changes:
    """How the findings that count differ from those at ``since``. ``unseen`` were not looked for
    again, ``aside`` are there and do not count any more."""

    since: str
    new: int
    fixed: int
    kept: int
    unseen: int
    aside: int

    @property
    def line(self) -> str:
        """For example ``Since 0123456789ab: 1 new, 2 fixed, 3 still there.``."""
        parts = [f"{self.new:,} new", f"{self.fixed:,} fixed", f"{self.kept:,} still there"]
        parts += [f"{self.aside:,} set aside"] if self.aside else []
        parts += [f"{plural(self.unseen, 'other')} not looked at again"] if self.unseen else []
        return f"Since {self.since[:12]}: {', '.join(parts)}."


def key_of(fingerprint: str) -> str:
    """By what a finding is remembered."""
    return f"{fingerprint:0>{_KEY}}"[-_KEY:]


def remembered(
    report: Report, head_sha: str, known: SummaryMark | None, commented: Iterable[str], gone: frozenset[str]
) -> Memory:
    """What to remember after this review.

    ``known`` is the mark that stood before. ``commented`` are the fingerprints that have, or ever had, a comment;
    ``gone`` are the paths of which it is known that nothing can be there any more.
    """
    memory = known.memory if known is not None else Memory()
    same = known is not None and known.head_sha == head_sha
    was, since = (memory.was, memory.since) if same or known is None else (memory.now, known.head_sha)
    now: frozenset[str] | None = frozenset(
        _entry(f) for f in report.findings if counts(f) and is_markable(f.fingerprint)
    )
    if was is not None and now is not None:
        now |= _unseen(report, was, gone)
    if now is not None and len(now) > MOST_REMEMBERED:
        now = None
    return Memory(_said(report, memory.said, commented), now, was, since if was is not None else "")


def changes_of(report: Report, memory: Memory, gone: frozenset[str]) -> Changes | None:
    """What changed since the commit that was reviewed before, ``None`` where that is not known."""
    if memory.was is None or memory.now is None or not memory.since:
        return None
    was = {entry[:_KEY] for entry in memory.was}
    found = {key_of(finding.fingerprint) for finding in report.findings}
    counting = {key_of(finding.fingerprint) for finding in report.findings if counts(finding)}
    unseen = {entry[:_KEY] for entry in _unseen(report, memory.was, gone)}
    return Changes(
        since=memory.since,
        new=len(counting - was),
        fixed=len(was - found - unseen),
        kept=len(was & counting),
        unseen=len(unseen),
        aside=len((was & found) - counting),
    )


def _unseen(report: Report, was: frozenset[str], gone: frozenset[str]) -> frozenset[str]:
    """What was there before and was not looked for this time."""
    found = {key_of(finding.fingerprint) for finding in report.findings}
    unread = {row.path for row in report.coverage if not isinstance(row.outcome, Reviewed)} - gone
    places = {_digest(path) for path in unread}
    # Where the rules reviewed the whole file, what they do not find again is not there.
    ruled = {f"{_digest(row.path)}{_BY_RULE}" for row in report.coverage if rules_were_whole(row)}
    no_model = report.engine == OFFLINE
    return frozenset(
        entry
        for entry in was
        if entry[:_KEY] not in found
        and entry[_KEY:] not in ruled
        and (entry[_KEY : _KEY + _PATH] in places or (no_model and entry[_KEY + _PATH :] == _BY_MODEL))
    )


def _said(report: Report, before: frozenset[str], commented: Iterable[str]) -> frozenset[str]:
    every = before | {key_of(name) for name in commented if is_markable(name)}
    current = {key_of(finding.fingerprint) for finding in report.findings}
    return frozenset(sorted(every, key=lambda key: (key not in current, key))[:MOST_REMEMBERED])


def _entry(finding: Finding) -> str:
    source = _BY_MODEL if finding.source is FindingSource.MODEL else _BY_RULE
    return f"{key_of(finding.fingerprint)}{_digest(finding.path)}{source}"


def _digest(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:_PATH]
