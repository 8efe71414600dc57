"""Thresholds, overrides, ignores, and the first status that applies."""

from __future__ import annotations

import pytest
from builders import make_change, make_finding, make_hunk

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus
from devpulse.core.policy import IgnoreRule, PathRule, ReportPolicy, apply_policy, instructions_at

CHANGE = make_change(drawing=" a\n b\n-c\n+d\n e\n")
IGNORE_ALL = ReportPolicy(ignores=(IgnoreRule("app/", None, None, "legacy"),))


def _judged(policy=ReportPolicy(), change=CHANGE, **overrides):  # noqa: B008  (frozen)
    return apply_policy(make_finding(**{"start_line": 3, "end_line": 3, **overrides}), change, policy)


def test_apply_policy__open_when_all_lines_are_in_one_hunk():
    finding = _judged(reason="left over", status=FindingStatus.OUTSIDE_DIFF)
    assert (finding.status, finding.reason) == (FindingStatus.OPEN, "")


@pytest.mark.parametrize(
    ("start", "end", "side", "status"),
    [
        (1, 4, Side.RIGHT, FindingStatus.OPEN),
        (4, 5, Side.RIGHT, FindingStatus.OUTSIDE_DIFF),
        (5, 5, Side.RIGHT, FindingStatus.OUTSIDE_DIFF),
        (3, 4, Side.LEFT, FindingStatus.OPEN),
        (5, 5, Side.LEFT, FindingStatus.OUTSIDE_DIFF),
    ],
)
def test_apply_policy__place_in_the_diff(start, end, side, status):
    assert _judged(start_line=start, end_line=end, side=side).status is status


def test_apply_policy__a_statement_that_the_diff_shows_in_part_is_open_when_a_changed_line_is_in_it():
    hunk = make_hunk(" a\n+b\n c\n", old_start=10, new_start=10)
    change = make_change(hunks=(hunk,))
    for start, end in ((5, 11), (11, 30), (1, 40)):
        assert _judged(change=change, start_line=start, end_line=end).status is FindingStatus.OPEN
    for start, end in ((5, 10), (12, 30), (20, 21)):
        found = _judged(change=change, start_line=start, end_line=end)
        assert found.status is FindingStatus.OUTSIDE_DIFF
        assert "not in the diff" in found.reason


@pytest.mark.parametrize("status", list(FindingStatus))
def test_apply_policy__ignored_comes_before_everything(status):
    finding = _judged(IGNORE_ALL, status=status, severity=Severity.LOW)
    assert (finding.status, finding.reason) == (FindingStatus.SUPPRESSED, "legacy")


@pytest.mark.parametrize("status", [FindingStatus.SUPPRESSED, FindingStatus.UNANCHORED])
def test_apply_policy__suppressed_and_unanchored_come_before_thresholds(status):
    finding = _judged(ReportPolicy(min_severity=Severity.CRITICAL), status=status, reason="why")
    assert (finding.status, finding.reason) == (status, "why")


@pytest.mark.parametrize("status", [FindingStatus.OPEN, FindingStatus.DISPUTED, FindingStatus.OUTSIDE_DIFF])
@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (ReportPolicy(min_severity=Severity.CRITICAL), "severity high is below critical"),
        (ReportPolicy(min_confidence=Confidence.HIGH), "confidence medium is below high"),
    ],
)
def test_apply_policy__thresholds_come_before_dispute_and_place(status, policy, why):
    finding = _judged(policy, status=status, confidence=Confidence.MEDIUM)
    assert (finding.status, finding.reason) == (FindingStatus.BELOW_THRESHOLD, why)


def test_apply_policy__at_the_threshold_stays():
    policy = ReportPolicy(min_severity=Severity.HIGH, min_confidence=Confidence.HIGH)
    assert _judged(policy).status is FindingStatus.OPEN


def test_apply_policy__disputed_comes_before_place():
    finding = _judged(status=FindingStatus.DISPUTED, reason="no", start_line=90, end_line=90)
    assert (finding.status, finding.reason) == (FindingStatus.DISPUTED, "no")


def test_apply_policy__severity_is_remapped_before_the_threshold():
    policy = ReportPolicy(min_severity=Severity.MEDIUM, severity_overrides={"sql-injection": Severity.LOW})
    finding = _judged(policy)
    assert (finding.severity, finding.status) == (Severity.LOW, FindingStatus.BELOW_THRESHOLD)
    assert _judged(policy, category="other").severity is Severity.HIGH


def test_apply_policy__again_gives_the_same():
    policy = ReportPolicy(min_confidence=Confidence.HIGH)
    once = _judged(policy, confidence=Confidence.LOW)
    assert apply_policy(once, CHANGE, policy) == once


@pytest.mark.parametrize(
    ("path", "category", "fingerprint", "matches"),
    [
        ("app/db.py", None, None, True),
        ("app/", None, None, True),
        ("app", None, None, False),
        ("ap/", None, None, False),
        ("app/db.py", "other", None, False),
        ("app/db.py", "sql-injection", "0123456789abcdef", True),
        (None, "sql-injection", None, True),
        (None, None, "0123456789abcdef", True),
        (None, None, "0123456789abcdee", False),
    ],
)
def test_ignore_rule__all_given_fields_must_match(path, category, fingerprint, matches):
    assert IgnoreRule(path, category, fingerprint, "").matches(make_finding()) is matches


def test_ignore_rule__without_a_reason_says_what_it_was():
    policy = ReportPolicy(ignores=(IgnoreRule("app/", None, None, ""),))
    assert _judged(policy).reason == "ignored by configuration"


RULES = (
    PathRule("services/", min_severity=Severity.HIGH, min_confidence=Confidence.LOW, instructions="all services"),
    PathRule("*.sql.py", severity_overrides={"csrf": Severity.HIGH}),
    PathRule("services/pay/", min_severity=Severity.LOW, severity_overrides={"csrf": Severity.CRITICAL}),
)


def test_at__the_last_rule_that_says_anything_about_a_setting_decides_it():
    whole = {"csrf": Severity.LOW, "ssrf": Severity.LOW}
    policy = ReportPolicy(Severity.MEDIUM, severity_overrides=whole, path_rules=RULES)
    here = policy.at("services/pay/q.sql.py")
    assert (here.min_severity, here.min_confidence) == (Severity.LOW, Confidence.LOW)
    assert here.severity_overrides == {"csrf": Severity.CRITICAL, "ssrf": Severity.LOW}
    assert policy.at("services/web/q.py").min_severity is Severity.HIGH
    assert policy.at("web/q.py") is policy


def test_at__ignores_are_added_to_those_of_the_project_and_replace_those_of_earlier_rules():
    whole, first = IgnoreRule("old/", None, None, "old"), IgnoreRule(None, "csrf", None, "first")
    rules = (PathRule("app/", ignores=(first,)), PathRule("app/live/", ignores=()))
    policy = ReportPolicy(ignores=(whole,), path_rules=rules)
    assert policy.at("app/a.py").ignores == (whole, first)
    assert policy.at("app/live/a.py").ignores == (whole,)


def test_instructions_at__those_of_the_last_rule_take_the_place_of_the_projects():
    assert instructions_at("project", RULES, "services/pay/a.py") == "all services"
    assert instructions_at("project", RULES, "web/a.py") == "project"
    assert instructions_at("project", (PathRule("web/", instructions=""),), "web/a.py") == ""


def test_apply_policy__a_path_rule_decides_for_its_files():
    finding = _judged(ReportPolicy(path_rules=(PathRule("app/", min_severity=Severity.CRITICAL),)))
    assert (finding.status, finding.reason) == (FindingStatus.BELOW_THRESHOLD, "severity high is below critical")


def test_apply_policy__a_finding_of_the_baseline_is_suppressed_unless_a_rule_says_why():
    name = make_finding().fingerprint
    finding = _judged(ReportPolicy(baseline=frozenset({name})))
    assert (finding.status, finding.reason) == (FindingStatus.SUPPRESSED, "in the baseline")
    assert _judged(ReportPolicy(baseline=frozenset({"0" * 32}))).status is FindingStatus.OPEN
    both = ReportPolicy(ignores=IGNORE_ALL.ignores, baseline=frozenset({name}))
    assert _judged(both).reason == "legacy"
