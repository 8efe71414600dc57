"""What a project wants reported: thresholds, overrides, ignores; and the status each finding gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import FileChange
from devpulse.core.finding import Finding, FindingStatus


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """An accepted finding, from the base side's configuration. Fields that are given must all match.

    ``path`` is a path or a folder ending in a slash; at least one field is given.
    """

    path: str | None
    category: str | None
    fingerprint: str | None
    reason: str

    def matches(self, finding: Finding) -> bool:
        """Whether the rule covers a finding."""
        path_fits = (
            self.path is None
            or finding.path == self.path
            or (self.path.endswith("/") and finding.path.startswith(self.path))
        )
        category_fits = self.category is None or finding.category == self.category
        return path_fits and category_fits and self.fingerprint in (None, finding.fingerprint)


@dataclass(frozen=True, slots=True)
class ReportPolicy:
    """Thresholds and exceptions of a run. ``allow_new_suppressions``: comments count that the base does not have."""

    min_severity: Severity = Severity.LOW
    min_confidence: Confidence = Confidence.MEDIUM
    severity_overrides: Mapping[str, Severity] = field(default_factory=dict)
    ignores: tuple[IgnoreRule, ...] = ()
    allow_new_suppressions: bool = False


def apply_policy(finding: Finding, change: FileChange, policy: ReportPolicy) -> Finding:
    """Remap the severity and give the first status that applies.

    A finding that arrives unanchored or disputed keeps that unless an earlier status applies.
    """
    severity = policy.severity_overrides.get(finding.category, finding.severity)
    finding = replace(finding, severity=severity)
    for rule in policy.ignores:
        if rule.matches(finding):
            return replace(finding, status=FindingStatus.SUPPRESSED, reason=rule.reason or "ignored by configuration")
    if finding.status in (FindingStatus.SUPPRESSED, FindingStatus.UNANCHORED):
        return finding
    if severity.rank < policy.min_severity.rank:
        return _below(finding, f"severity {severity} is below {policy.min_severity}")
    if finding.confidence.rank < policy.min_confidence.rank:
        return _below(finding, f"confidence {finding.confidence} is below {policy.min_confidence}")
    if finding.status is FindingStatus.DISPUTED:
        return finding
    return _place(finding, change)


def _below(finding: Finding, reason: str) -> Finding:
    return replace(finding, status=FindingStatus.BELOW_THRESHOLD, reason=reason)


def _place(finding: Finding, change: FileChange) -> Finding:
    wanted = frozenset(range(finding.start_line, finding.end_line + 1))
    whole = any(wanted <= hunk.numbers(finding.side) for hunk in change.hunks)
    # Of a long statement the diff shows the part around the change, and that is where it is told.
    if whole or not wanted.isdisjoint(change.changed(finding.side)):
        return replace(finding, status=FindingStatus.OPEN, reason="")
    return replace(finding, status=FindingStatus.OUTSIDE_DIFF, reason="its lines are not in the diff")
