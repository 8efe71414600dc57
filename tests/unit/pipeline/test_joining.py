"""From saved results to one report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import MemorySink, ScriptedModel, make_change, make_finding, make_hunk, trees_of

from devpulse.core.categories import Severity
from devpulse.core.change import ChangeSet, FileKind, Side
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.policy import ReportPolicy
from devpulse.core.redaction import Redactor
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.pipeline.joining import Joiner, joined_outcome, nearest_head_line
from devpulse.pipeline.plan import PathFilter, make_plan
from devpulse.pipeline.task_result import TaskResult, artifact_name, dump
from devpulse.pipeline.task_runner import TaskReference
from devpulse.pipeline.texts import ChangeTexts, SideTexts

DB, LOGO = make_change(), make_change("logo.png", kind=FileKind.BINARY)
LATE = Skipped("cancelled", SkipKind.LIMIT)
GONE = Skipped("deleted")


@pytest.mark.parametrize(
    ("outcomes", "joined"),
    [
        ([Partial("x")], Partial("x")),
        ([GONE], GONE),
        ([Reviewed(), Reviewed("reused")], Reviewed()),
        ([Reviewed("reused"), Reviewed("reused")], Reviewed("reused")),
        ([Reviewed("reused"), GONE], Reviewed("reused")),
        ([GONE, Reviewed()], Reviewed()),
        ([GONE, GONE], GONE),
        ([GONE, LATE], LATE),
        ([LATE, LATE], LATE),
        ([Failed("x"), Failed("y")], Failed("x")),
        (
            [*[Partial("1 overlong line was cut")] * 5, Partial("step limit")],
            Partial(
                "part 6: step limit; part 1: 1 overlong line was cut; part 2: 1 overlong line was cut; "
                "part 3: 1 overlong line was cut; part 4: 1 overlong line was cut and 1 more parts (of 6)"
            ),
        ),
        ([Reviewed(), LATE], Partial("part 2: cancelled (of 2)")),
        ([Failed("x"), LATE, Reviewed()], Partial("part 1: x; part 2: cancelled (of 3)")),
        ([Partial("x"), Partial("y")], Partial("part 1: x; part 2: y (of 2)")),
        (
            [Reviewed(), *[Failed("x")] * 7],
            Partial("part 2: x; part 3: x; part 4: x; part 5: x; part 6: x and 2 more parts (of 8)"),
        ),
    ],
)
def test_joined_outcome__whole_only_if_every_part_is(outcomes, joined):
    assert joined_outcome(outcomes) == joined


@pytest.mark.parametrize(
    ("drawing", "old_line", "line"),
    [
        (" a\n-b\n+c\n", 2, 1),
        (" a\n-b\n-c\n d\n", 2, 1),
        (" a\n-b\n-c\n d\n", 3, 2),
        ("-a\n-b\n c\n", 1, 1),
        ("-a\n-b\n", 2, 1),
        (" a\n", 9, 1),
    ],
)
def test_nearest_head_line__within_its_hunk(drawing, old_line, line):
    assert nearest_head_line(make_change(drawing=drawing), old_line) == line


def test_nearest_head_line__of_the_right_hunk():
    hunks = [make_hunk("-a\n b\n"), make_hunk(" x\n-y\n", old_start=50, new_start=40), make_hunk("-z\n", old_start=90)]
    change = make_change(hunks=hunks)
    assert nearest_head_line(change, 51) == 40
    assert nearest_head_line(change, 90) == 1


def _join(results, changes=(DB, LOGO), *, cancelled=False, policy=None, altered=None):
    plan = make_plan(changes, 14_400, PathFilter())
    base, head = trees_of(*(change for change in changes if change.hunks))
    redactor = Redactor()
    texts = ChangeTexts(SideTexts(base, Side.LEFT, changes, redactor), SideTexts(head, Side.RIGHT, changes, redactor))
    sink = MemorySink()
    references = []
    for task, result in zip(plan.tasks, results, strict=False):
        name = artifact_name(task.id)
        if result is not None:
            sink.write(name, dump(replace(result, task=task.id).to_json()) if altered is None else altered)
        references.append(TaskReference(task, Reviewed(), name, "", "none", 0, 0))
    change_set = ChangeSet(None, tuple(changes), "folder", "because")
    joiner = Joiner(plan, change_set, policy or ReportPolicy(), ScriptedModel.of(), sink, texts)
    return joiner.join(references, cancelled=cancelled)


def _result(*findings, path="app/db.py", **overrides):
    values = {"outcome": Reviewed(), "summary": "", "usage": Usage(), "context_tokens": 50, "steps": 1}
    return TaskResult("", path, findings=findings, **{**values, **overrides})


FOUND = make_finding(start_line=3, end_line=3)


def test_join__report_of_what_was_saved():
    result = _join([_result(FOUND)])
    report = result.report
    assert report.coverage == (
        Coverage("app/db.py", Reviewed(), 1, 50), Coverage("logo.png", Skipped("binary"), 0, 0),
    )  # fmt: skip
    assert (report.findings, report.risk, report.incomplete) == ((FOUND,), "high", False)
    assert (report.engine, report.rung, report.context_tokens) == ("scripted", "folder", 50)
    snippet = result.snippets[FOUND.fingerprint]
    assert (snippet.first_line, len(snippet.lines)) == (1, 3)
    assert result.head_lines == {}


def test_join__tokens_as_reported_else_estimated():
    reported = _join([_result(usage=Usage(2, 1_000, 100, 30, 5))]).report
    assert reported.coverage[0].tokens == 1_030
    assert reported.usage == Usage(2, 1_000, 100, 30, 5)
    assert _join([_result()]).report.coverage[0].tokens == 50


def test_join__policy_decides_status_and_order():
    low = make_finding(category="other", severity=Severity.LOW, start_line=3, end_line=3, fingerprint="1" * 32)
    outside = make_finding(start_line=90, end_line=90, fingerprint="2" * 32)
    report = _join([_result(low, outside, FOUND)], policy=ReportPolicy(min_severity=Severity.MEDIUM)).report
    assert [(f.fingerprint[0], f.status) for f in report.findings] == [
        ("0", FindingStatus.OPEN), ("2", FindingStatus.OUTSIDE_DIFF), ("1", FindingStatus.BELOW_THRESHOLD),
    ]  # fmt: skip


def test_join__left_findings_know_their_nearest_head_line():
    left = make_finding(side=Side.LEFT, start_line=3, end_line=3)
    result = _join([_result(left)])
    assert result.head_lines == {left.fingerprint: 2}
    assert result.snippets[left.fingerprint].lines[-1] == "    return db.get(name)"


def test_join__a_lost_result_is_failed_never_clean():
    lost = _join([None]).report
    assert isinstance(lost.coverage[0].outcome, Failed)
    assert "is gone" in lost.coverage[0].outcome.reason


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"schema": "devpulse.task/1"}'])
def test_join__an_altered_result_is_failed_never_clean(text):
    report = _join([_result(FOUND)], altered=text).report
    assert isinstance(report.coverage[0].outcome, Failed)
    assert report.incomplete


@pytest.mark.parametrize(("cancelled", "outcome"), [(True, LATE), (False, Failed("it was never started"))])
def test_join__a_task_without_a_reference(cancelled, outcome):
    report = _join([], cancelled=cancelled).report
    assert report.coverage[0] == Coverage("app/db.py", outcome, 1, 0)
    assert report.incomplete


def test_join__findings_of_parts_are_one_when_they_are_the_same():
    drawing = "".join(f"+{'x' * 100}{n}\n" for n in range(600))
    change = make_change(hunks=[make_hunk(drawing)])
    same, far = FOUND, make_finding(start_line=500, end_line=500, fingerprint="5" * 32)
    report = _join([_result(same), _result(same, far)], [change]).report
    assert report.coverage[0].parts == 2
    assert [f.start_line for f in report.findings] == [3, 500]


@pytest.mark.parametrize("path", ["caf\udce9.py", "new\nline.py", 'quo"te.py', "back\\slash.py"])
def test_join__odd_names_come_back_through_the_file(path):
    finding = make_finding(path=path, start_line=3, end_line=3)
    report = _join([_result(finding, path=path)], [make_change(path)]).report
    assert report.findings == (finding,)
    assert report.coverage[0].path == path
