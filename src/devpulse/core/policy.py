"""What a project wants reported: thresholds, overrides, ignores; and the status each finding gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import FileChange
from devpulse.core.finding import Finding, FindingStatus

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


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


IN_BASELINE = "in the baseline"
"""Why a finding is suppressed that a baseline lists."""


@dataclass(frozen=True, slots=True)
class PathRule:
    """What is different for the files that match ``path``, a pattern as in .gitignore. ``None``: nothing is said.

    ``ignores`` take the place of those of earlier rules, and are in addition to the ignores of the whole project.
    ``instructions`` take the place of the project's.
    """

    path: str
    min_severity: Severity | None = None
    min_confidence: Confidence | None = None
    severity_overrides: Mapping[str, Severity] = field(default_factory=dict)
    ignores: tuple[IgnoreRule, ...] | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class ReportPolicy:
    """Thresholds and exceptions of a run. ``allow_new_suppressions``: comments count that the base does not have.

    Of ``path_rules`` the last that matches and says anything about a setting decides it; for severities each category
    is a setting of its own. ``baseline`` holds the fingerprints of findings that were known before.
    """

    min_severity: Severity = Severity.LOW
    min_confidence: Confidence = Confidence.MEDIUM
    severity_overrides: Mapping[str, Severity] = field(default_factory=dict)
    ignores: tuple[IgnoreRule, ...] = ()
    allow_new_suppressions: bool = False
    path_rules: tuple[PathRule, ...] = ()
    baseline: frozenset[str] = frozenset()

    def at(self, path: str) -> ReportPolicy:
        """The policy for one file, its path rules resolved."""
        rules = rules_at(self.path_rules, path)
        if not rules:
            return self
        last_first = rules[::-1]
        severities = dict(self.severity_overrides)
        for rule in rules:
            severities.update(rule.severity_overrides)
        ignores = next((rule.ignores for rule in last_first if rule.ignores is not None), ())
        return replace(
            self,
            min_severity=next((r.min_severity for r in last_first if r.min_severity is not None), self.min_severity),
            min_confidence=next(
                (r.min_confidence for r in last_first if r.min_confidence is not None), self.min_confidence
            ),
            severity_overrides=severities,
            ignores=(*self.ignores, *ignores),
            path_rules=(),
        )


def rules_at(rules: tuple[PathRule, ...], path: str) -> tuple[PathRule, ...]:
    """The rules that match a path, in their order."""
    return tuple(rule for rule in rules if _compiled(rule.path).match_file(path))


def instructions_at(instructions: str, rules: tuple[PathRule, ...], path: str) -> str:
    """The project's own text for the review of one file."""
    said = [rule.instructions for rule in rules_at(rules, path) if rule.instructions is not None]
    return said[-1] if said else instructions


@lru_cache(maxsize=1_024)
def _compiled(pattern: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  (most runs have no pattern)

    return GitIgnoreSpec.from_lines([pattern])


def apply_policy(finding: Finding, change: FileChange, policy: ReportPolicy) -> Finding:
    """Remap the severity and give the first status that applies.

    A finding that arrives unanchored or disputed keeps that unless an earlier status applies.
    """
    policy = policy.at(finding.path)
    severity = policy.severity_overrides.get(finding.category, finding.severity)
    finding = replace(finding, severity=severity)
    if accepted := _accepted(finding, policy):
        return replace(finding, status=FindingStatus.SUPPRESSED, reason=accepted)
    if finding.status in (FindingStatus.SUPPRESSED, FindingStatus.UNANCHORED):
        return finding
    if severity.rank < policy.min_severity.rank:
        return _below(finding, f"severity {severity} is below {policy.min_severity}")
    if finding.confidence.rank < policy.min_confidence.rank:
        return _below(finding, f"confidence {finding.confidence} is below {policy.min_confidence}")
    if finding.status is FindingStatus.DISPUTED:
        return finding
    return _place(finding, change)


def _accepted(finding: Finding, policy: ReportPolicy) -> str:
    """Why the project accepts a finding; empty when it does not."""
    rule = next((rule for rule in policy.ignores if rule.matches(finding)), None)
    if rule is not None:
        return rule.reason or "ignored by configuration"
    return IN_BASELINE if finding.fingerprint in policy.baseline else ""


def _below(finding: Finding, reason: str) -> Finding:
    return replace(finding, status=FindingStatus.BELOW_THRESHOLD, reason=reason)


def _place(finding: Finding, change: FileChange) -> Finding:
    wanted = range(finding.start_line, finding.end_line + 1)
    whole = any(
        begin <= wanted.start and wanted.stop <= begin + length
        for begin, length in (hunk.span(finding.side) for hunk in change.hunks)
    )
    # Of a long statement the diff shows the part around the change, and that is where it is told.
    if whole or not change.changed(finding.side).isdisjoint(wanted):
        return replace(finding, status=FindingStatus.OPEN, reason="")
    return replace(finding, status=FindingStatus.OUTSIDE_DIFF, reason="its lines are not in the diff")
