from __future__ import annotations

from dataclasses import replace

import pytest
from builders import make_finding, make_report

from devpulse.core.baseline import Absent, Baseline, KnownFinding, absent_from, known_by
from devpulse.core.finding import FindingStatus
from devpulse.core.policy import IN_BASELINE
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, Skipped

NOTHING = Absent((), ())


def known(path="app/users.py", digit="0"):
    return KnownFinding(digit * 32, "csrf", path, "A title")


@pytest.mark.parametrize(
    ("outcome", "stale"),
    [
        (Reviewed(), True),
        (Reviewed("reused"), True),
        (Partial("why"), False),
        (Skipped("excluded"), False),
        (Failed("why"), False),
        (None, True),
    ],
)
def test_absent_from__only_what_was_wholly_reviewed_or_is_no_longer_there_is_stale(outcome, stale):
    coverage = () if outcome is None else (Coverage("app/users.py", outcome, 1, 0),)
    report = replace(make_report(), findings=(), coverage=coverage)
    absent = absent_from(Baseline((known(),)), report, lambda _: True)
    assert absent == (Absent((known(),), ()) if stale else Absent((), (known(),)))


def test_absent_from__what_is_out_of_scope_is_unknown_and_what_is_found_is_not_absent():
    finding = make_finding()
    report = replace(make_report(), findings=(finding,), coverage=())
    here = replace(known(), fingerprint=finding.fingerprint)
    absent = absent_from(Baseline((here, known("lib/a.py"))), report, lambda path: path.startswith("app/"))
    assert absent == Absent((), (known("lib/a.py"),))


@pytest.mark.parametrize("status", list(FindingStatus))
def test_known_by__what_is_told_of(status):
    report = replace(make_report(), findings=(make_finding(status=status),))
    told = status in (FindingStatus.OPEN, FindingStatus.OUTSIDE_DIFF, FindingStatus.DISPUTED)
    assert bool(known_by(report, NOTHING).entries) is told


def test_known_by__keeps_what_a_baseline_suppressed_and_what_is_unknown_each_once_and_in_order():
    kept = make_finding(status=FindingStatus.SUPPRESSED, reason=IN_BASELINE)
    report = replace(make_report(), findings=(kept, kept))
    entries = known_by(report, Absent((known("z.py", "1"),), (known("z.py", "2"), known("a.py", "3")))).entries
    assert [entry.path for entry in entries] == ["a.py", kept.path, "z.py"]
    assert entries[1].fingerprint == kept.fingerprint
