"""What people decided about findings on the pull request, applied before the artifacts are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from devpulse.adapters.github.publisher import changed_paths
from devpulse.adapters.github.standing import read_standing
from devpulse.adapters.github.writes import permission_of
from devpulse.core.review import Report
from devpulse.core.verdict import overall_risk
from devpulse.errors import GitHubError
from devpulse.main.pull_request import Connection
from devpulse.output.comments.carried import carried_over
from devpulse.output.comments.decisions import NOT_KNOWN, Decision, decide, deciders, set_aside
from devpulse.output.comments.reanchor import FileAt
from devpulse.pipeline.coordinator import conclude
from devpulse.pipeline.joining import RunResult


def with_decisions(result: RunResult, connected: Connection, reviewed: Mapping[str, FileAt]) -> RunResult:
    """The result with the findings suppressed that people with write permission closed or asked to ignore.

    When GitHub does not say what they decided, all findings count, and the report says so. Nothing is asked when
    nothing was found.
    """
    if result.cancelled is not None:
        return result
    return replace(result, report=decided_report(result.report, connected, reviewed))


def decided_report(report: Report, connected: Connection, reviewed: Mapping[str, FileAt]) -> Report:
    """As ``with_decisions``, for a report alone."""
    if not report.findings:
        return report
    try:
        decided, problem = _decided(report, connected, reviewed)
    except GitHubError as error:
        decided, problem = {}, f"{error} {error.hint}".strip()
    report = _without(report, decided)
    return replace(report, notices=(*report.notices, f"{NOT_KNOWN}: {problem}")) if problem else report


def _decided(
    report: Report, connected: Connection, reviewed: Mapping[str, FileAt]
) -> tuple[Mapping[str, Decision], str]:
    paths = changed_paths(reviewed)
    standing = read_standing(connected.client, connected.pull, patience=connected.patience)
    standing = carried_over(report, standing, paths.present)
    found = frozenset(finding.fingerprint for finding in report.findings)
    ask: Callable[[str], bool] = permission_of(connected.client, connected.pull)
    may_write = connected.permissions.of(deciders(standing, found), ask)
    return decide(standing, may_write, found), connected.permissions.problem


def _without(report: Report, decided: Mapping[str, Decision]) -> Report:
    findings = set_aside(report.findings, decided)
    if findings == report.findings:
        return report
    before, _ = conclude(report.findings, report.coverage)
    risk, summary = conclude(findings, report.coverage)
    # A model may have raised the risk for what it saw in all files together; that stays.
    _, _, said_by_model = report.summary.partition("\n\n")
    raised = report.risk != before and overall_risk(findings) != "none"
    return replace(
        report,
        findings=findings,
        risk=report.risk if raised else risk,
        summary=f"{summary}\n\n{said_by_model}" if said_by_model else summary,
    )
