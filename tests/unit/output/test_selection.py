"""Which findings are shown, and in what order."""

from __future__ import annotations

import itertools

from builders import make_finding, make_report

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding, FindingStatus
from devpulse.output.selection import counted_by_severity, not_counted, shown_findings


def _one_of_each_status() -> list[Finding]:
    return [make_finding(status=status, fingerprint=status) for status in FindingStatus]


def test_shown_findings__suppressed_and_below_threshold_are_only_counted():
    shown = {finding.status for finding in shown_findings(make_report(*_one_of_each_status()))}
    assert shown == set(FindingStatus) - {FindingStatus.SUPPRESSED, FindingStatus.BELOW_THRESHOLD}


def test_shown_findings__those_that_count_come_first_whatever_their_severity():
    low = make_finding(severity=Severity.LOW)
    disputed = make_finding(severity=Severity.CRITICAL, status=FindingStatus.DISPUTED)
    assert shown_findings(make_report(disputed, low)) == (low, disputed)


def test_shown_findings__order_does_not_depend_on_input_order():
    found = [
        make_finding(severity=Severity.CRITICAL, path="b.py"),
        make_finding(severity=Severity.CRITICAL, path="a.py", start_line=9),
        make_finding(severity=Severity.CRITICAL, path="a.py", start_line=10),
        make_finding(severity=Severity.LOW),
    ]
    orders = {shown_findings(make_report(*order)) for order in itertools.permutations(found)}
    assert orders == {(found[1], found[2], found[0], found[3])}


def test_counted_by_severity__worst_first_and_only_what_counts():
    low, high = make_finding(severity=Severity.LOW), make_finding(severity=Severity.HIGH)
    suppressed = make_finding(severity=Severity.CRITICAL, status=FindingStatus.SUPPRESSED)
    assert list(counted_by_severity(make_report(low, suppressed, high, low)).items()) == [
        (Severity.HIGH, 1),
        (Severity.LOW, 2),
    ]


def test_not_counted__disputed_that_count_are_not_among_them():
    counting = make_finding(status=FindingStatus.DISPUTED, refuted_by_verifier=True)
    silenced = make_finding(status=FindingStatus.DISPUTED)
    assert not_counted(make_report(counting, silenced)) == {FindingStatus.DISPUTED: 1}
