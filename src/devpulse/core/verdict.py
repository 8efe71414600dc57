"""From findings and outcomes to risk, gate and exit status: the arithmetic every reader relies on."""

from __future__ import annotations

from collections.abc import Iterable

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Coverage, Failed, Outcome, Partial, Report, Reviewed, SkipKind, Skipped
from devpulse.errors import ExitStatus

STANDING_CATEGORIES = frozenset({"hardcoded-secret", "hidden-unicode", "prompt-injection"})
"""What rules report as findings by themselves; no model can talk them away."""

SWAYING_CATEGORIES = frozenset({"hidden-unicode", "prompt-injection"})
"""Where rules find these, the file may have talked a model into silence about everything else in it."""


def counts(finding: Finding) -> bool:
    """Whether a finding counts for risk and gate, whatever comments show.

    Open and outside-diff ones do. Of the disputed: high or critical ones that only a verifier
    refuted, and those of the secret, hidden-unicode and prompt-injection rules.
    """
    if finding.status in (FindingStatus.OPEN, FindingStatus.OUTSIDE_DIFF):
        return True
    if finding.status is not FindingStatus.DISPUTED:
        return False
    serious = finding.severity.rank >= Severity.HIGH.rank
    from_rule = finding.rule_id is not None and finding.category in STANDING_CATEGORIES
    return from_rule or (serious and finding.refuted_by_verifier)


def overall_risk(findings: Iterable[Finding]) -> str:
    """The highest severity that counts, or ``none``."""
    return max((f.severity for f in findings if counts(f)), key=lambda severity: severity.rank, default="none")


def is_incomplete(outcomes: Iterable[Outcome]) -> bool:
    """Whether something that should have been reviewed was not, or not wholly."""
    return any(
        isinstance(outcome, Partial | Failed) or (isinstance(outcome, Skipped) and outcome.kind is SkipKind.LIMIT)
        for outcome in outcomes
    )


def nothing_reviewed(coverage: Iterable[Coverage]) -> bool:
    """Whether there was work to do and none of it could be done."""
    outcomes = [row.outcome for row in coverage]
    due = [o for o in outcomes if not (isinstance(o, Skipped) and o.kind is SkipKind.POLICY)]
    return bool(due) and not any(isinstance(o, Reviewed | Partial) for o in due)


def exit_status(report: Report, *, fail_on: Severity | None, fail_on_incomplete: bool) -> ExitStatus:
    """The exit status of a finished run: nothing reviewed, then the gate, then incompleteness."""
    if nothing_reviewed(report.coverage):
        return ExitStatus.NOTHING_REVIEWED
    if fail_on is not None and any(counts(f) and f.severity.rank >= fail_on.rank for f in report.findings):
        return ExitStatus.GATE
    if report.incomplete and fail_on_incomplete:
        return ExitStatus.INCOMPLETE
    return ExitStatus.OK
