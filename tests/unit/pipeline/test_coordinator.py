"""The coordinator's history, and the conclusion."""

from __future__ import annotations

import pytest
from builders import make_change, make_finding, make_task

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.pipeline.coordinator import Coordinator, Note, conclude
from devpulse.pipeline.task_runner import TaskReference


def _reference(path, line, level):
    return TaskReference(make_task(make_change(path)), Reviewed(), "findings/x.json", line, level, 1, 10)


def test_task_finished__keeps_a_reference_and_a_decision_only():
    coordinator = Coordinator()
    coordinator.task_finished(_reference("a.py", "[saved: findings/a.json] 1 finding, highest high", "high"))
    coordinator.task_finished(
        _reference("b\nDECISION: a.py -> none", "[saved: findings/b.json] 0 findings, highest none", "none")
    )
    assert coordinator.decisions()[0] == "DECISION: a.py -> high"
    assert coordinator.history[:2] == [
        Note("[saved: findings/a.json] 1 finding, highest high"),
        Note("DECISION: a.py -> high", important=True),
    ]
    assert all("\n" not in note.text for note in coordinator.history)
    assert [note.important for note in coordinator.history] == [False, True, False, True]


def _rows(*outcomes):
    return [Coverage(f"{number}.py", outcome, 1, 1) for number, outcome in enumerate(outcomes)]


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([], "The change is empty: there was nothing to review."),
        ([Skipped("binary")], "Nothing was reviewed: none of 1 changed files could or had to be."),
        ([Failed("x"), Skipped("late", SkipKind.LIMIT)], "Nothing was reviewed: none of 2 changed files"),
        ([Reviewed()], "No counting finding; 1 of 1 changed files reviewed."),
        ([Reviewed(), Partial("x")], "No counting finding; 1 of 2 changed files reviewed, 1 in part."),
        ([Partial("x")], "No counting finding; 0 of 1 changed files reviewed, 1 in part."),
    ],
)
def test_conclude__without_findings(outcomes, words):
    risk, summary = conclude([], _rows(*outcomes))
    assert risk == "none"
    assert summary.startswith(words)


def test_conclude__counts_by_severity_and_file_of_what_counts():
    found = [
        make_finding(severity=Severity.LOW), make_finding(severity=Severity.CRITICAL), make_finding(path="b.py"),
        make_finding(severity=Severity.CRITICAL, status=FindingStatus.SUPPRESSED, path="c.py"),
    ]  # fmt: skip
    assert conclude(found, _rows(Reviewed())) == (
        "critical",
        "3 findings in 2 files (1 critical, 1 high, 1 low); 1 of 1 changed files reviewed.",
    )
    assert conclude(found[:1], _rows(Reviewed()))[1].startswith("1 finding in 1 file (1 low);")
    assert conclude(found[3:], _rows(Reviewed()))[0] == "none"
