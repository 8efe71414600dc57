"""What each event leads to: the policy table, a case a row."""

from __future__ import annotations

from typing import Any

import pytest

from devpulse.core.event import (
    EVENTS,
    Comment,
    NothingToDo,
    PullRequestState,
    ReviewPullRequest,
    Trigger,
    decide,
    standing_outcome,
)
from devpulse.errors import ConfigurationError

HEAD = "b" * 40
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target")


def trigger(event: str = "pull_request", **overrides: Any) -> Trigger:
    values: dict[str, Any] = {
        "event": event,
        "repository": "octo/shop",
        "action": "opened",
        "number": 17,
        "base_sha": "a" * 40,
        "head_sha": HEAD,
        "state": PullRequestState.OPEN,
        "head_repository": "octo/shop",
    }
    return Trigger(**values | overrides)


def decision(of: Trigger, *, number: int | None = None, skip_drafts: bool = False):
    return decide(of, pull_request_number=number, skip_drafts=skip_drafts)


@pytest.mark.parametrize("event", PULL_REQUEST_EVENTS)
@pytest.mark.parametrize(
    "action",
    ["opened", "synchronize", "reopened", "ready_for_review", "edited", "labeled", "unlabeled", "review_requested", ""],
)
def test_decide__any_action_on_an_open_pull_request_is_reviewed(event, action):
    assert decision(trigger(event, action=action)) == ReviewPullRequest(17, HEAD, from_fork=False)


@pytest.mark.parametrize("event", PULL_REQUEST_EVENTS)
@pytest.mark.parametrize(("state", "name"), [(PullRequestState.CLOSED, "closed"), (PullRequestState.MERGED, "merged")])
@pytest.mark.parametrize("action", ["closed", "labeled"])
def test_decide__a_closed_pull_request_is_not_reviewed(event, state, name, action):
    result = decision(trigger(event, action=action, state=state))
    assert result == NothingToDo(name, f"The pull request is {name}.")


@pytest.mark.parametrize("event", PULL_REQUEST_EVENTS)
def test_decide__a_draft_is_reviewed_unless_drafts_are_skipped(event):
    draft = trigger(event, draft=True)
    assert decision(draft) == ReviewPullRequest(17, HEAD, from_fork=False)
    result = decision(draft, skip_drafts=True)
    assert isinstance(result, NothingToDo)
    assert result.name == "draft"
    assert "skip-drafts" in result.reason


def test_decide__skip_drafts_leaves_others_alone():
    assert isinstance(decision(trigger(), skip_drafts=True), ReviewPullRequest)


def test_decide__a_fork_is_reviewed_like_any_other_and_said_to_be_one():
    fork = trigger(head_repository="stranger/shop", from_fork=True)
    assert decision(fork) == ReviewPullRequest(17, HEAD, from_fork=True)


def test_decide__the_number_of_the_event_wins():
    assert decision(trigger(), number=3) == ReviewPullRequest(17, HEAD, from_fork=False)


def test_decide__a_pull_request_event_without_a_number_is_refused():
    with pytest.raises(ConfigurationError, match="names no pull request"):
        decision(trigger(number=None))


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_decide__a_named_pull_request_is_reviewed(event):
    assert decision(Trigger(event, "octo/shop"), number=9) == ReviewPullRequest(9)


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_decide__without_a_name_the_remedy_is_said(event):
    with pytest.raises(ConfigurationError, match=f"{event} does not say which") as caught:
        decision(Trigger(event, "octo/shop"))
    assert "pull-request-number" in caught.value.hint


@pytest.mark.parametrize("number", [None, 9])
def test_decide__a_merge_group_is_done_at_once(number):
    result = decision(Trigger("merge_group", "octo/shop", "checks_requested"), number=number)
    assert isinstance(result, NothingToDo)
    assert result.name == "merge-group"


@pytest.mark.parametrize(
    ("comment", "name"),
    [
        (Comment("/devpulse review", "octocat", on_pull_request=True), "comment-commands"),
        (Comment("/devpulse review", "octocat", on_pull_request=False), "issue-comment"),
        (None, "issue-comment"),
    ],
)
def test_decide__comments_are_not_read(comment, name):
    result = decision(Trigger("issue_comment", "octo/shop", "created", number=17, comment=comment), number=17)
    assert isinstance(result, NothingToDo)
    assert result.name == name


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
def test_standing_outcome__closed_before_draft(state, draft, skip_drafts, name):
    outcome = standing_outcome(state, draft=draft, skip_drafts=skip_drafts)
    assert (outcome.name if outcome is not None else None) == name
