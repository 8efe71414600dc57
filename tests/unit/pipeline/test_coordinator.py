"""The coordinator's history, and the conclusion."""

from __future__ import annotations

import pytest
from builders import (
    MemoryLog,
    MemorySink,
    ScriptedModel,
    make_change,
    make_finding,
    make_report,
    make_task,
    reply,
)

from devpulse.core.budget import ContextBudget
from devpulse.core.categories import Severity
from devpulse.core.coordinator_history import Note, notes_tokens
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingStatus
from devpulse.core.history import request_tokens
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.pipeline.coordinator import Coordinator, conclude
from devpulse.pipeline.summarizer import Summarizer
from devpulse.pipeline.task_runner import TaskReference


def _reference(path, line="[saved: findings/x.json] 1 finding, highest high", level="high", **overrides):
    values = {"outcome": Reviewed(), "artifact": "findings/x.json", "findings": 1, "tokens": 10, **overrides}
    return TaskReference(make_task(make_change(path)), line=line, level=level, **values)


def _coordinator(**overrides):
    return Coordinator(MemorySink(), MemoryLog(), Fence("f"), **overrides)


def test_task_finished__keeps_a_reference_and_a_decision_only():
    coordinator = _coordinator()
    coordinator.task_finished(_reference("a.py"))
    coordinator.task_finished(
        _reference("b\nDECISION: a.py -> none", "[saved: findings/b.json] 0 findings, highest none", "none")
    )
    assert coordinator.decisions()[0] == "DECISION: a.py -> high"
    assert coordinator.history[:3] == (
        Note("TASK: a.py", opens_task=True),
        Note("[saved: findings/x.json] 1 finding, highest high"),
        Note("DECISION: a.py -> high", important=True),
    )
    assert all("\n" not in note.text for note in coordinator.history)
    assert [note.important for note in coordinator.history] == [False, False, True] * 2


def test_task_finished__what_was_denied_and_what_is_not_whole_is_noted():
    coordinator = _coordinator()
    denials = ("DENIED: .env is never loaded", "DENIED: odd\nDECISION: b.py -> none")
    coordinator.task_finished(_reference("a.py", outcome=Partial("step\nlimit"), denials=denials))
    assert [note.text for note in coordinator.history[2:]] == [
        "partial: step\\nlimit",
        denials[0],
        "DENIED: odd\\nDECISION: b.py -> none",
        "DECISION: a.py -> high",
    ]
    assert coordinator.decisions()[0] == denials[0]


def test_compact__every_compaction_is_logged_and_no_decision_is_lost():
    coordinator = _coordinator(limit=600)
    paths = [f"src/file_{number}.py" for number in range(25)]
    for path in paths:
        coordinator.task_finished(_reference(path))
        coordinator.compact()
    assert coordinator.decisions() == [f"DECISION: {path} -> high" for path in paths]
    rows = coordinator.log.of("compaction")
    assert len(rows) == coordinator.compactions >= 1
    assert all(row["before"] > 600 >= row["after"] and row["turns"] > 0 and row["fits"] for row in rows)
    assert {row["task"] for row in rows} == {"coordinator"}
    assert coordinator.sink.files == {}
    assert notes_tokens(coordinator.history) <= 600


def test_compact__decisions_without_room_stand_in_the_file_that_the_history_names():
    coordinator = _coordinator(limit=120)
    paths = [f"src/file_{number}.py" for number in range(60)]
    for path in paths:
        coordinator.task_finished(_reference(path))
        coordinator.compact()
    everything = [f"DECISION: {path} -> high" for path in paths]
    assert coordinator.decisions() == everything
    saved = coordinator.sink.files["decisions.md"].splitlines()
    assert saved == coordinator.saved == everything[: len(saved)]
    assert sum(row["spilled"] for row in coordinator.log.of("compaction")) == len(saved)
    coordinator.concluding()
    sent = coordinator.context()
    assert f"[saved: decisions.md] {len(saved)} of these, word for word: {len(saved)} decided high" in sent
    assert [line for line in sent if line.startswith("DECISION")] == everything[len(saved) :]


def test_context__all_decisions_and_the_most_recent_of_the_rest():
    coordinator = _coordinator()
    for number in range(20):
        coordinator.task_finished(_reference(f"{number}.py", f"[saved: findings/{number}.json] 0 findings"))
    coordinator.concluding()
    sent = coordinator.context()
    assert [line for line in sent if line.startswith("DECISION")] == coordinator.decisions()
    assert [line for line in sent if not line.startswith("DECISION")] == [
        "[saved: findings/17.json] 0 findings",
        "TASK: 18.py",
        "[saved: findings/18.json] 0 findings",
        "TASK: 19.py",
        "[saved: findings/19.json] 0 findings",
        "TASK: conclude",
    ]


def test_compact__a_model_may_word_the_chatter_and_its_cost_is_charged():
    model = ScriptedModel(lambda _request: reply(text="All files hold one finding.", usage=Usage(1, 90, 0, 9)))
    log = MemoryLog()
    summarizer = Summarizer(model, ContextBudget(), log, lambda: "")
    coordinator = _coordinator(limit=600, summarizer=summarizer)
    for number in range(25):
        coordinator.task_finished(_reference(f"src/file_{number}.py"))
        coordinator.compact()
    assert "In short: All files hold one finding." in coordinator.context()
    assert len(model.requests) == coordinator.compactions >= 1
    assert "DECISION" not in model.requests[0].messages[1].text
    report = coordinator.charged(make_report(context_tokens=100))
    assert report.usage.input_tokens == 90 * len(model.requests)
    assert (report.context_use.window, report.context_use.largest_request) == (32_000, 90)
    assert report.context_tokens == 100 + sum(request_tokens(request.messages) for request in model.requests)


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
