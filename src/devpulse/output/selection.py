"""Which findings a report shows in full, and in what order."""

from __future__ import annotations

from collections import Counter

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report
from devpulse.core.verdict import counts

SHOWN = (FindingStatus.OPEN, FindingStatus.OUTSIDE_DIFF, FindingStatus.DISPUTED, FindingStatus.UNANCHORED)
"""Statuses shown in full. Suppressed findings and those below a threshold are only counted."""

SEVERITIES = tuple(sorted(Severity, key=lambda severity: -severity.rank))
"""Worst first."""


def most_severe_first(finding: Finding) -> tuple[object, ...]:
    """A sort key: worst first, then surest, then by place; total, so that output never depends on input order."""
    place = (finding.path, finding.start_line, finding.end_line, finding.fingerprint)
    return (-finding.severity.rank, -finding.confidence.rank, *place)


def shown_findings(report: Report) -> tuple[Finding, ...]:
    """Findings to show in full: those that count first, then the others, each worst first."""
    shown = [finding for finding in report.findings if finding.status in SHOWN]
    return tuple(sorted(shown, key=lambda finding: (not counts(finding), *most_severe_first(finding))))


def counted_by_severity(report: Report) -> dict[Severity, int]:
    """How many findings count for the risk, worst severity first; severities without any are left out."""
    found = Counter(finding.severity for finding in report.findings if counts(finding))
    return {severity: found[severity] for severity in SEVERITIES if found[severity]}


def not_counted(report: Report) -> dict[FindingStatus, int]:
    """How many findings do not count for the risk, by status in the order statuses are declared."""
    found = Counter(finding.status for finding in report.findings if not counts(finding))
    return {status: found[status] for status in FindingStatus if found[status]}
