"""What expressions give, and who wrote it."""

from __future__ import annotations

import pytest

from devpulse.core.rules.workflows.contexts import (
    environment_in,
    expressions,
    given_by_callers,
    plain,
    written_by_outsiders,
)


@pytest.mark.parametrize(
    "expression",
    [
        "github.event.issue.title",
        "GitHub.Event.Issue.Title",
        "github['event']['issue'].body",
        'github.event["pull_request"]["head"].ref',
        "github.event.commits[0].message",
        "github.event.commits.*.author.name",
        "join(github.event.pages.*.page_name, ' ')",
        "toJson( github.event.comment )",
        "github.event.issue.title || github.sha",
        "github.event.workflow_run.head_commit.author.email",
    ],
)
def test_written_by_outsiders(expression):
    assert written_by_outsiders(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "github.event.issue.number",
        "github.event.issue.title == 'x'",
        "startsWith(github.head_ref, 'release/')",
        "'github.head_ref'",
        "github.event.issue.title_length",
        "my_github.event.issue.title_",
        "github.event.release.name",
        "steps.x.outputs.title",
        "toJSON(steps)",
        "",
    ],
)
def test_written_by_outsiders__nothing(expression):
    assert written_by_outsiders(expression) == ""


@pytest.mark.parametrize(
    ("expression", "given"),
    [("inputs.name", "inputs.name"), ("github.event.inputs['q']", "github.event.inputs.q"), ("github.run_id", "")],
)
def test_given_by_callers(expression, given):
    assert given_by_callers(expression) == given


def test_environment_in__names_that_the_expression_may_give():
    assert environment_in("env.TITLE || env['Other-One'] && env.FLAG == 'x'") == ("title", "other-one")


def test_plain__texts_are_emptied_and_keys_kept():
    assert plain("A['b-c'] == 'it''s A' && x[12]") == "a.b-c == '' && x.*"


def test_expressions__each_in_order():
    assert list(expressions("a ${{ x }} b ${{y}}c ${{ open")) == [" x ", "y"]
