"""Risk, gate and exit status."""

from __future__ import annotations

import pytest
from builders import make_finding, make_report

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.verdict import counts, exit_status, is_incomplete, nothing_reviewed, overall_risk
from devpulse.errors import ExitStatus

LIMIT = Skipped("token budget", SkipKind.LIMIT)
POLICY = Skipped("binary")
DISPUTED = {"status": FindingStatus.DISPUTED}


def _rows(*outcomes):
    return tuple(Coverage(f"{number}.py", outcome, 1, 1) for number, outcome in enumerate(outcomes))


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"status": FindingStatus.OPEN}, True),
        ({"status": FindingStatus.OUTSIDE_DIFF}, True),
        ({"status": FindingStatus.SUPPRESSED}, False),
        ({"status": FindingStatus.UNANCHORED}, False),
        ({"status": FindingStatus.BELOW_THRESHOLD}, False),
        (DISPUTED, False),
        (DISPUTED | {"refuted_by_verifier": True}, True),
        (DISPUTED | {"refuted_by_verifier": True, "severity": Severity.CRITICAL}, True),
        (DISPUTED | {"refuted_by_verifier": True, "severity": Severity.MEDIUM}, False),
        (DISPUTED | {"category": "hardcoded-secret", "rule_id": "secret"}, True),
        (DISPUTED | {"category": "hidden-unicode", "rule_id": "r", "severity": Severity.LOW}, True),
        (DISPUTED | {"category": "prompt-injection", "rule_id": "r", "severity": Severity.LOW}, True),
        (DISPUTED | {"category": "hardcoded-secret"}, False),
        (DISPUTED | {"rule_id": "python-sql-injection"}, False),
    ],
)
def test_counts__by_status_and_who_disputed(overrides, expected):
    assert counts(make_finding(**overrides)) is expected


def test_overall_risk__highest_that_counts():
    low, aside = make_finding(severity=Severity.LOW), make_finding(status=FindingStatus.SUPPRESSED)
    assert overall_risk([aside, low]) == "low"
    assert overall_risk([low, make_finding(severity=Severity.CRITICAL), low]) == "critical"
    assert overall_risk([aside]) == overall_risk([]) == "none"


@pytest.mark.parametrize(
    ("outcomes", "incomplete", "nothing"),
    [
        ((), False, False),
        ((Reviewed(),), False, False),
        ((POLICY,), False, False),
        ((LIMIT,), True, True),
        ((Failed("x"),), True, True),
        ((Failed("x"), LIMIT, POLICY), True, True),
        ((Partial("x"),), True, False),
        ((Partial("x"), Failed("y")), True, False),
        ((Reviewed("reused"), POLICY), False, False),
        ((Reviewed(), Failed("x")), True, False),
    ],
)
def test_incomplete_and_nothing_reviewed(outcomes, incomplete, nothing):
    assert is_incomplete(outcomes) is incomplete
    assert nothing_reviewed(_rows(*outcomes)) is nothing


@pytest.mark.parametrize(
    ("outcomes", "severity", "fail_on", "strict", "status"),
    [
        ((Reviewed(),), None, Severity.LOW, True, ExitStatus.OK),
        ((), None, Severity.LOW, True, ExitStatus.OK),
        ((POLICY,), None, Severity.LOW, True, ExitStatus.OK),
        ((Reviewed(),), Severity.HIGH, None, True, ExitStatus.OK),
        ((Reviewed(),), Severity.HIGH, Severity.HIGH, False, ExitStatus.GATE),
        ((Reviewed(),), Severity.MEDIUM, Severity.HIGH, False, ExitStatus.OK),
        ((Partial("x"),), Severity.HIGH, Severity.HIGH, True, ExitStatus.GATE),
        ((Partial("x"),), None, None, True, ExitStatus.INCOMPLETE),
        ((Partial("x"), Partial("y")), None, None, True, ExitStatus.INCOMPLETE),
        ((Partial("x"),), None, None, False, ExitStatus.OK),
        ((Failed("x"), POLICY), None, None, False, ExitStatus.NOTHING_REVIEWED),
        ((Failed("x"),), Severity.CRITICAL, Severity.LOW, True, ExitStatus.NOTHING_REVIEWED),
    ],
)
def test_exit_status__strongest_reason_wins(outcomes, severity, fail_on, strict, status):
    found = [] if severity is None else [make_finding(severity=severity)]
    report = make_report(*found, coverage=_rows(*outcomes), incomplete=is_incomplete(outcomes))
    assert exit_status(report, fail_on=fail_on, fail_on_incomplete=strict) is status


def test_exit_status__only_counting_findings_gate():
    report = make_report(make_finding(status=FindingStatus.BELOW_THRESHOLD, severity=Severity.CRITICAL))
    assert exit_status(report, fail_on=Severity.LOW, fail_on_incomplete=True) is ExitStatus.OK


def test_exit_status__numbers_of_the_contract():
    assert {status.name: int(status) for status in ExitStatus} == {
        "OK": 0, "GATE": 1, "USAGE": 2, "INCOMPLETE": 3, "NOTHING_REVIEWED": 4, "INTERNAL": 70, "INTERRUPTED": 130,
        "BROKEN_PIPE": 141, "TERMINATED": 143,
    }  # fmt: skip
