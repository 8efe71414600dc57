"""A baseline: findings of an earlier scan that are known, so that the next one tells only what is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.policy import IN_BASELINE
from devpulse.core.review import Report, Reviewed


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding as a baseline lists it; only ``fingerprint`` decides, the rest is for people. ``path`` is that of
    the finding, as the program has it."""

    fingerprint: str
    category: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings that are known."""

    entries: tuple[KnownFinding, ...]

    @property
    def fingerprints(self) -> frozenset[str]:
        """What suppresses a finding."""
        return frozenset(entry.fingerprint for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Absent:
    """Entries that a scan did not find: ``stale`` ones are gone from files that were reviewed, or their files are gone;
    of ``unknown`` ones the files were not wholly reviewed this time."""

    stale: tuple[KnownFinding, ...]
    unknown: tuple[KnownFinding, ...]


def absent_from(baseline: Baseline, report: Report, in_scope: Callable[[str], bool]) -> Absent:
    """The entries without a finding. ``in_scope`` says of a path whether the scan was about it."""
    found = {finding.fingerprint for finding in report.findings}
    outcomes = {row.path: row.outcome for row in report.coverage}
    stale: list[KnownFinding] = []
    unknown: list[KnownFinding] = []
    for entry in baseline.entries:
        if entry.fingerprint in found:
            continue
        gone = in_scope(entry.path) and isinstance(outcomes.get(entry.path, Reviewed()), Reviewed)
        (stale if gone else unknown).append(entry)
    return Absent(tuple(stale), tuple(unknown))


def known_by(report: Report, absent: Absent) -> Baseline:
    """What a scan makes known: all that it tells of, what an earlier baseline listed and is still there, and what
    that one listed in files that were not reviewed this time."""
    told = (
        KnownFinding(finding.fingerprint, finding.category, finding.path, finding.title)
        for finding in report.findings
        if _is_told(finding)
    )
    by_name = {entry.fingerprint: entry for entry in (*absent.unknown, *told)}
    return Baseline(tuple(sorted(by_name.values(), key=lambda entry: (entry.path, entry.category, entry.fingerprint))))


def _is_told(finding: Finding) -> bool:
    if finding.status is FindingStatus.SUPPRESSED:
        return finding.reason == IN_BASELINE
    return finding.status in (FindingStatus.OPEN, FindingStatus.OUTSIDE_DIFF, FindingStatus.DISPUTED)
