"""Findings in groups."""

from __future__ import annotations

from builders import make_finding, make_report

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.output.report.entries import AT_ONCE, categories_in, groups_of, severities_in, statuses_in
from devpulse.output.snippets import Snippet


def test_groups_of__what_counts_by_severity_then_the_rest_by_status():
    found = [
        make_finding(fingerprint=f"{number:016x}", severity=severity, status=status, refuted_by_verifier=refuted)
        for number, (severity, status, refuted) in enumerate(
            [
                (Severity.LOW, FindingStatus.SUPPRESSED, False),
                (Severity.LOW, FindingStatus.OUTSIDE_DIFF, False),
                (Severity.HIGH, FindingStatus.DISPUTED, True),
                (Severity.MEDIUM, FindingStatus.DISPUTED, True),
            ]
        )
    ]
    groups = groups_of(make_report(*found), {})
    assert [(group.name, group.counting, [entry.anchor[-1] for entry in group.entries]) for group in groups] == [
        ("high", True, ["2"]), ("low", True, ["1"]), ("disputed", False, ["3"]), ("suppressed", False, ["0"]),
    ]  # fmt: skip


def test_choices__what_there_is_and_how_often():
    report = make_report(make_finding(), make_finding(category="csrf", severity=Severity.LOW))
    assert [(choice.value, choice.number) for choice in severities_in(report)] == [("high", 1), ("low", 1)]
    assert [(choice.value, choice.number) for choice in statuses_in(report)] == [("open", 2)]
    assert [choice.title for choice in categories_in(report)] == ["Cross-site request forgery", "SQL injection"]


def test_groups_of__what_comes_after_the_first_waits_and_is_plain():
    found = [make_finding(fingerprint=f"{number:016x}") for number in range(AT_ONCE + 1)]
    snippet = Snippet(4, ("return 1",))
    (group,) = groups_of(make_report(*found), {one.fingerprint: snippet for one in found})
    assert [entry.at_once for entry in group.entries] == [True] * AT_ONCE + [False]
    assert "<i" in group.entries[-2].code
    assert "<i" not in group.entries[-1].code
