"""Workflow commands: what the runner makes of them, whatever stands in the findings."""

from __future__ import annotations

from typing import Any

import pytest
from builders import make_finding, make_report
from hypothesis import example, given, settings
from hypothesis import strategies as st
from report_strategies import HOSTILE, reports
from runner_contract import Command, parse_command

from devpulse.core.categories import Severity
from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.verdict import counts
from devpulse.output.annotations import MESSAGE_LIMIT, AnnotationLevel, render_annotations, render_command

hostile = st.text() | st.lists(st.sampled_from(HOSTILE) | st.text(max_size=5), max_size=5).map("".join)


def commands_of(*findings: Finding, nearest: int | None = 7, **options: Any) -> list[Command]:
    lines = render_annotations(make_report(*findings), nearest_head_line=lambda _: nearest, **options)
    return [command for line in lines if (command := parse_command(line)) is not None]


def annotation(finding: Finding, nearest: int | None = 7) -> Command:
    (command,) = commands_of(finding, nearest=nearest)
    return command


@pytest.mark.parametrize(
    ("severity", "level"),
    [
        (Severity.CRITICAL, "error"),
        (Severity.HIGH, "error"),
        (Severity.MEDIUM, "warning"),
        (Severity.LOW, "notice"),
    ],
)
def test_render_annotations__severity_to_level(severity, level):
    assert annotation(make_finding(severity=severity)).name == level


def test_render_annotations__the_whole_line():
    report = make_report(make_finding(path="app/a,b:c%.py", start_line=4, end_line=6))
    (line,) = render_annotations(report, nearest_head_line=lambda _: 1)
    assert line == (
        "::error file=app/a%2Cb%3Ac%25.py,line=4,endLine=6,title=high sql-injection (CWE-89)::"
        "SQL built from a request parameter.%0A%0AThe name of the caller is joined into the statement."
        "%0A%0AHow to fix: Pass the name as a bound parameter."
    )


def test_render_annotations__without_findings_there_is_nothing():
    assert render_annotations(make_report(), nearest_head_line=lambda _: 1) == ()


@pytest.mark.parametrize(
    ("overrides", "shown"),
    [
        ({"status": FindingStatus.OPEN}, True),
        ({"status": FindingStatus.OUTSIDE_DIFF}, True),
        ({"status": FindingStatus.DISPUTED, "refuted_by_verifier": True}, True),
        ({"status": FindingStatus.DISPUTED, "rule_id": "hardcoded-secret", "category": "hardcoded-secret"}, True),
        ({"status": FindingStatus.DISPUTED}, False),
        ({"status": FindingStatus.UNANCHORED}, False),
        ({"status": FindingStatus.SUPPRESSED}, False),
        ({"status": FindingStatus.BELOW_THRESHOLD}, False),
    ],
)
def test_render_annotations__what_counts_is_shown(overrides, shown):
    assert bool(commands_of(make_finding(**overrides))) is shown


def test_render_annotations__a_dispute_is_said():
    disputed = make_finding(status=FindingStatus.DISPUTED, refuted_by_verifier=True, reason="the value is bound")
    assert "Disputed: the value is bound" in annotation(disputed).message


def test_render_annotations__removed_code_stands_at_the_nearest_head_line_and_says_so():
    command = annotation(make_finding(side=Side.LEFT, start_line=90, end_line=92), nearest=7)
    assert (command.properties["line"], command.properties["endLine"]) == ("7", "7")
    assert "removed code, lines 90 to 92 of the old file" in command.message


def test_render_annotations__a_deleted_file_has_no_line():
    command = annotation(make_finding(side=Side.LEFT, start_line=90, end_line=92), nearest=None)
    assert command.properties["file"] == "app/db.py"
    assert not {"line", "endLine"} & set(command.properties)


def test_render_annotations__at_the_limit_all_above_it_the_worst_and_how_many_more():
    found = [make_finding(path=f"a{number:02}.py", severity=Severity.HIGH) for number in range(10)]
    assert len(commands_of(*found)) == 10
    critical = make_finding(path="z.py", severity=Severity.CRITICAL)
    low = make_finding(path="low.py", severity=Severity.LOW)
    commands = commands_of(low, *found, critical)
    assert [command.properties.get("file") for command in commands] == [
        "z.py", *(f"a{number:02}.py" for number in range(8)), None, "low.py"
    ]  # fmt: skip
    assert commands[9] == Command("error", {"title": "DevPulse"}, "2 more findings of this level in the job summary.")


def test_render_annotations__each_level_has_its_own_limit():
    found = [make_finding(path=f"{s}{n}.py", severity=s) for s in Severity for n in range(5)]
    commands = commands_of(*found, limit=3)
    assert [command.name for command in commands] == ["error"] * 3 + ["warning"] * 3 + ["notice"] * 3
    messages = [command.message for command in commands if "more" in command.message]
    assert [message.split()[0] for message in messages] == ["8", "3", "3"]


def test_render_annotations__a_long_description_does_not_cost_the_fix():
    command = annotation(make_finding(description="x" * 10_000, fix="Bind it. " + "y" * 5_000))
    assert len(command.message) <= MESSAGE_LIMIT
    assert "How to fix: Bind it." in command.message


@pytest.mark.parametrize("text", ["a\u202eb", "a\x1b[31mb", "a\rb", "a\u2028b", "a\udce9b", "a\x85b"])
def test_render_annotations__hidden_characters_show(text):
    finding = make_finding(title=text, description=text, fix=text, path=text, category=text)
    command = annotation(finding)
    assert text not in (command.message + str(command.properties)).replace("\n", "")
    assert command.message.encode()


def test_render_annotations__a_path_of_any_kind_stays_the_path():
    for path in ("naïve 🔒/a b.py", "a,line=1.py", "a%0Ab.py", "x::error::y", "@octocat/#1.py", "a\nb.py"):
        assert annotation(make_finding(path=path)).properties["file"] == path


def test_render_annotations__no_second_command_of_the_old_kind():
    (line,) = render_annotations(
        make_report(make_finding(description="x ##[error]y", path="##[a].py")), nearest_head_line=lambda _: 1
    )
    assert "##[" not in line


@settings(max_examples=40, deadline=None)
@given(reports())
def test_render_annotations__any_report_gives_one_command_a_line(report):
    lines = render_annotations(report, nearest_head_line=lambda _: 3, limit=100)
    assert len(lines) == sum(counts(finding) for finding in report.findings)
    for line in lines:
        assert len(line.splitlines()) == 1
        command = parse_command(line)
        assert command is not None
        place = {"file", "line", "endLine"} & set(command.properties)
        assert len(place) in (0, 3)  # the strategy makes empty paths too
        assert set(command.properties) == {"title", *place}


@given(hostile, hostile, hostile)
@example("a::b", "::error::x", "x,file=other.py")
def test_render_command__texts_end_neither_line_property_nor_command(path, message, title):
    line = render_command(AnnotationLevel.NOTICE, message, path=path, first_line=3, title=title)
    assert len(line.splitlines()) == 1
    command = parse_command(line)
    assert command is not None
    assert command.name == "notice"
    assert command.properties.get("line") == ("3" if path else None)
    assert set(command.properties) <= {"file", "line", "title"}
    assert "##[" not in line


def test_render_command__without_properties():
    assert render_command(AnnotationLevel.WARNING, "50% done\nnext") == "::warning::50%25 done%0Anext"
