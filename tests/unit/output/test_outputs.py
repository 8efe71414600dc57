"""The outputs of the action."""

from __future__ import annotations

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from report_strategies import reports

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import Usage
from devpulse.output.outputs import OUTPUTS, outputs_of

PATHS = {
    "report": "out/report.html",
    "findings": "out/findings.json",
    "sarif": "out/results.sarif",
    "summary": "out/summary.md",
    "artifacts": "out",
}


def test_outputs_of__a_report():
    found = [make_finding(severity=Severity.MEDIUM), make_finding(severity=Severity.HIGH)]
    usage = Usage(requests=3, input_tokens=1_000, cached_tokens=500, output_tokens=234, thinking_tokens=100)
    assert outputs_of(make_report(*found, engine="gemini", usage=usage, incomplete=True), PATHS) == {
        "findings-count": "2",
        "highest-severity": "high",
        "risk": "high",
        "incomplete": "true",
        "engine": "gemini",
        "findings-path": "out/findings.json",
        "sarif-path": "out/results.sarif",
        "report-path": "out/report.html",
        "artifacts-path": "out",
        "tokens-total": "1234",
        "matrix": "",
        "jobs": "",
    }


def test_outputs_of__a_plan():
    values = outputs_of(None, {}, ('{"include":[]}', "0"))
    assert (values["matrix"], values["jobs"], values["engine"]) == ('{"include":[]}', "0", "")


@pytest.mark.parametrize(
    ("overrides", "count"),
    [
        ({"status": FindingStatus.OPEN}, "1"),
        ({"status": FindingStatus.DISPUTED, "refuted_by_verifier": True}, "1"),
        ({"status": FindingStatus.DISPUTED}, "0"),
        ({"status": FindingStatus.OUTSIDE_DIFF}, "0"),
        ({"status": FindingStatus.UNANCHORED}, "0"),
        ({"status": FindingStatus.SUPPRESSED}, "0"),
        ({"status": FindingStatus.BELOW_THRESHOLD}, "0"),
    ],
)
def test_outputs_of__which_findings_are_counted(overrides, count):
    values = outputs_of(make_report(make_finding(**overrides)), PATHS)
    assert values["findings-count"] == count
    assert values["highest-severity"] == ("high" if count == "1" else "none")


def test_outputs_of__risk_knows_what_is_outside_the_diff():
    outside = make_finding(status=FindingStatus.OUTSIDE_DIFF, severity=Severity.CRITICAL)
    values = outputs_of(make_report(outside, make_finding(severity=Severity.LOW)), PATHS)
    assert (values["risk"], values["highest-severity"], values["findings-count"]) == ("critical", "low", "1")


def test_outputs_of__a_clean_report():
    values = outputs_of(make_report(), {"findings": "out/findings.json"})
    assert (values["findings-count"], values["highest-severity"], values["risk"]) == ("0", "none", "none")
    assert (values["incomplete"], values["engine"], values["tokens-total"]) == ("false", "offline", "0")
    assert (values["findings-path"], values["sarif-path"]) == ("out/findings.json", "")


def test_outputs_of__nothing_to_review_has_the_same_names_and_no_engine():
    values = outputs_of(None, {})
    assert tuple(values) == OUTPUTS
    assert values == {
        **dict.fromkeys(OUTPUTS, ""),
        "findings-count": "0",
        "highest-severity": "none",
        "risk": "none",
        "incomplete": "false",
        "tokens-total": "0",
    }


def test_outputs_of__a_path_is_one_visible_line():
    values = outputs_of(make_report(), {"artifacts": "naïve out\nrisk=none\u202e"})
    assert values["artifacts-path"] == "naïve out\\nrisk=none\\u{202E}"


@settings(max_examples=25, deadline=None)
@given(reports())
def test_outputs_of__any_report_gives_one_line_each(report):
    values = outputs_of(report, PATHS)
    assert tuple(values) == OUTPUTS
    assert all(len(value.splitlines()) <= 1 for value in values.values())
