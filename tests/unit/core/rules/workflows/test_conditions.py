"""What conditions of jobs say of who can start them."""

from __future__ import annotations

import pytest

from devpulse.core.rules.workflows.conditions import asks_who, is_kept_inside, of_other_event

OWN = "github.event.pull_request.head.repo.full_name == github.repository"


@pytest.mark.parametrize(
    "condition",
    [
        OWN,
        f"${{{{ {OWN} }}}}",
        f"({OWN}) && github.actor != 'x'",
        f"a == 'b' && ({OWN} || github.event_name == 'push')",
        f"{OWN} || github.event.pull_request.merged == true",
        "github.repository == github.event.pull_request.head.repo.full_name",
        "!github.event.pull_request.head.repo.fork",
        "github.event.workflow_run.event == 'push' && github.event.workflow_run.conclusion == 'success'",
    ],
)
def test_is_kept_inside(condition):
    assert is_kept_inside(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "",
        "always()",
        f"{OWN} || always()",
        f"!({OWN})",
        "github.event.workflow_run.event == 'pull_request'",
        "github.event.pull_request.merged == false",
        "'github.event_name == push'",
        "github.event_name == 'issues'",
        " && ".join(["a"] * 500) + " && (b",
    ],
)
def test_is_kept_inside__open(condition):
    assert not is_kept_inside(condition)


@pytest.mark.parametrize(
    ("condition", "asked"),
    [
        ("contains(github.event.pull_request.labels.*.name, 'ok')", True),
        ("github.event.label.name == 'ok'", True),
        ("github.event.comment.author_association == 'OWNER'", True),
        ("contains(fromJSON('[\"a\"]'), github.actor) && github.event.issue.pull_request", True),
        ("github.actor == 'a' || github.actor == 'b'", True),
        ("!contains(github.event.pull_request.labels.*.name, 'no')", False),
        ("github.actor != 'bot'", False),
        ("github.actor == 'a' || success()", False),
    ],
)
def test_asks_who(condition, asked):
    assert asks_who(condition) is asked


@pytest.mark.parametrize(
    ("condition", "other"),
    [("github.event_name == 'push'", True), ("github.event_name != 'pull_request_target'", True), (OWN, False)],
)
def test_of_other_event(condition, other):
    assert of_other_event(condition) is other
