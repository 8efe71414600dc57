"""What each event leads to: the policy table, a case a row."""

from __future__ import annotations

from typing import Any

import pytest

from devpulse.core.commands import CommentCommand
from devpulse.core.event import (
    EVENTS,
    AskedForReview,
    NothingToDo,
    PullRequestState,
    ReviewPullRequest,
    Trigger,
    decide,
    not_allowed,
    reason_to_skip,
)
from devpulse.errors import ConfigurationError

HEAD = "b" * 40
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target")


def trigger(event: str = "pull_request", **overrides: Any) -> Trigger:
    values: dict[str, Any] = {"event": event, "number": 17, "head_sha": HEAD, "state": PullRequestState.OPEN}
    return Trigger(**values | overrides)


def decision(of: Trigger, *, number: int | None = None):
    return decide(of, pull_request_number=number)


@pytest.mark.parametrize("event", PULL_REQUEST_EVENTS)
def test_decide__an_open_pull_request_is_reviewed_at_the_head_of_the_event(event):
    assert decision(trigger(event)) == ReviewPullRequest(17, HEAD)


@pytest.mark.parametrize("event", PULL_REQUEST_EVENTS)
@pytest.mark.parametrize(("state", "name"), [(PullRequestState.CLOSED, "closed"), (PullRequestState.MERGED, "merged")])
def test_decide__a_closed_pull_request_is_not_reviewed(event, state, name):
    result = decision(trigger(event, state=state))
    assert result == NothingToDo(name, f"The pull request is {name}.")


def test_decide__the_number_of_the_event_wins():
    assert decision(trigger(), number=3) == ReviewPullRequest(17, HEAD)


def test_decide__a_pull_request_event_without_a_number_is_refused():
    with pytest.raises(ConfigurationError, match="names no pull request"):
        decision(trigger(number=None))


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_decide__a_named_pull_request_is_reviewed(event):
    assert decision(Trigger(event), number=9) == ReviewPullRequest(9)


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_decide__without_a_name_the_remedy_is_said(event):
    with pytest.raises(ConfigurationError, match=f"{event} does not say which") as caught:
        decision(Trigger(event))
    assert "pull-request-number" in caught.value.hint


@pytest.mark.parametrize("number", [None, 9])
def test_decide__a_merge_group_is_done_at_once(number):
    result = decision(Trigger("merge_group"), number=number)
    assert isinstance(result, NothingToDo)
    assert result.name == "merge-group"


@pytest.mark.parametrize(
    "asked",
    [
        Trigger("issue_comment"),
        Trigger("issue_comment", 17, commenter="ada"),
        Trigger("issue_comment", command=CommentCommand.REVIEW, commenter="ada"),
        Trigger("issue_comment", 17, command=CommentCommand.UNKNOWN, commenter="ada"),
    ],
)
def test_decide__other_comments_are_not_heeded(asked):
    result = decision(asked, number=17)
    assert isinstance(result, NothingToDo)
    assert result.name == "comment-commands"


@pytest.mark.parametrize("command", [CommentCommand.REVIEW, CommentCommand.IGNORE])
def test_decide__a_command_is_for_its_own_pull_request_and_names_who_asks(command):
    asked = Trigger("issue_comment", 17, command=command, commenter="ada")
    assert decision(asked, number=9) == AskedForReview(17, "ada")


def test_not_allowed__names_who_asked():
    assert "bob may not write" in not_allowed(AskedForReview(17, "bob")).reason


@pytest.mark.parametrize("event", ["push", "pull_request_review", "workflow_run", "release", "PULL_REQUEST", ""])
@pytest.mark.parametrize("number", [None, 9])
def test_decide__other_events_are_refused_and_those_that_work_named(event, number):
    with pytest.raises(ConfigurationError) as caught:
        decision(trigger(event), number=number)
    assert all(name in caught.value.hint for name in EVENTS)


@pytest.mark.parametrize(
    ("state", "draft", "skip_drafts", "name"),
    [
        (PullRequestState.OPEN, False, True, None),
        (PullRequestState.OPEN, True, False, None),
        (PullRequestState.OPEN, True, True, "draft"),
        (PullRequestState.CLOSED, False, False, "closed"),
        (PullRequestState.MERGED, True, True, "merged"),
        (None, False, False, None),
    ],
)
def test_reason_to_skip__closed_before_draft(state, draft, skip_drafts, name):
    outcome = reason_to_skip(state, draft=draft, skip_drafts=skip_drafts)
    assert (outcome.name if outcome is not None else None) == name
