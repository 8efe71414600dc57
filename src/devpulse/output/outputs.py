"""The outputs of the action: one line of text each, and the same set whatever the run came to."""

from __future__ import annotations

from collections.abc import Mapping

from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report
from devpulse.core.verdict import counts, overall_risk
from devpulse.output.characters import visible

OUTPUTS = (
    "findings-count",
    "highest-severity",
    "risk",
    "incomplete",
    "engine",
    "findings-path",
    "sarif-path",
    "report-path",
    "artifacts-path",
    "tokens-total",
    "matrix",
    "jobs",
)
"""The names of all outputs."""

_PATHS = {"findings-path": "findings", "sarif-path": "sarif", "report-path": "report", "artifacts-path": "artifacts"}


def outputs_of(report: Report | None, paths: Mapping[str, str], plan: tuple[str, str] = ("", "")) -> dict[str, str]:
    """The value of each output.

    ``findings-count`` and ``highest-severity`` are those of the findings a comment is about: open ones, and disputed
    ones that count. ``risk`` also knows those outside the diff. Tokens are those the engine reports, none offline.

    Args:
        report: the report; ``None`` when there was nothing to review by policy. ``engine`` is then empty, which
            tells such a run from a clean one.
        paths: where ``findings``, ``sarif``, ``report`` and the folder ``artifacts`` are, as later steps can use
            it; what is not there was not written, and its output is empty.
        plan: the matrix of jobs that a plan came to, as JSON, and how many jobs it has.
    """
    counted = [finding for finding in report.findings if _is_counted(finding)] if report is not None else []
    usage = None if report is None else report.usage
    values = {
        "findings-count": str(len(counted)),
        "highest-severity": overall_risk(counted),
        "risk": "none" if report is None else report.risk,
        "incomplete": "true" if report is not None and report.incomplete else "false",
        "engine": "" if report is None else report.engine,
        "tokens-total": "0" if usage is None else str(usage.input_tokens + usage.output_tokens),
        "matrix": plan[0],
        "jobs": plan[1],
        **{output: paths.get(name, "") for output, name in _PATHS.items()},
    }
    return {name: visible(values[name]).replace("\n", "\\n") for name in OUTPUTS}


def _is_counted(finding: Finding) -> bool:
    # Those below min-severity have a status of their own by now.
    return finding.status is not FindingStatus.OUTSIDE_DIFF and counts(finding)
