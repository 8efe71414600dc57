"""What started the run, and what is to be done about it.

Only what the event says is looked at, never who caused it: what a run may do is decided by the token it was given,
so a bot or a contributor is an ordinary author.

=============================================  =====================================================================
``pull_request``, ``pull_request_target``      review, whatever the action
the same, closed or merged                     nothing to do
the same, a draft and ``skip-drafts``          nothing to do
``merge_group``                                nothing to do: pull requests are reviewed one by one
``workflow_dispatch``, ``schedule``            review the pull request of ``pull-request-number``, an error without it
``issue_comment``                              nothing to do: comments are not read
anything else                                  an error
=============================================  =====================================================================

Every action on an open pull request is a reason to review: a workflow gets the unusual ones only when it lists them
(``labeled`` is how a maintainer releases an outsider's change), and the newest run decides whether the check of a
commit is green. Were a changed title passed over, it would turn a red check green.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from devpulse.errors import ConfigurationError

PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target")
"""Events that are about one pull request and describe it."""

NUMBERED_EVENTS = ("workflow_dispatch", "schedule")
"""Events that review the pull request somebody names."""

COMMENT_EVENT = "issue_comment"
MERGE_QUEUE_EVENT = "merge_group"

EVENTS = (*PULL_REQUEST_EVENTS, *NUMBERED_EVENTS, MERGE_QUEUE_EVENT, COMMENT_EVENT)
"""The events a workflow may start this program on."""


class PullRequestState(StrEnum):
    """Whether a pull request is still to be decided."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Comment:
    """What an ``issue_comment`` event says. ``author`` is a login, empty for a deleted account.

    ``body`` was written by anybody who may comment.
    """

    body: str
    author: str
    on_pull_request: bool


@dataclass(frozen=True, slots=True)
class Trigger:
    """An event of GitHub Actions, reduced to what decides.

    ``repository`` is where the workflow runs, ``head_repository`` where the head of the pull request lives; it is
    ``None`` when the event does not say or the fork was deleted. ``from_fork`` is true unless the event shows that
    head and base are in one repository; for events without a pull request it is false. The shas are those of the
    pull request or of the merge group.
    """

    event: str
    repository: str
    action: str = ""
    number: int | None = None
    base_sha: str | None = None
    head_sha: str | None = None
    draft: bool = False
    state: PullRequestState | None = None
    head_repository: str | None = None
    from_fork: bool = False
    comment: Comment | None = None


@dataclass(frozen=True, slots=True)
class ReviewPullRequest:
    """Review this pull request.

    ``expected_head`` is the head the event was about, ``None`` when it named none; the pull request may have moved on
    since. ``from_fork`` is ``None`` when only the API can say.
    """

    number: int
    expected_head: str | None = None
    from_fork: bool | None = None


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """There is nothing to review, by policy; the run ends well. ``name`` is one word, ``reason`` a sentence."""

    name: str
    reason: str


Decision = ReviewPullRequest | NothingToDo


def decide(trigger: Trigger, *, pull_request_number: int | None, skip_drafts: bool) -> Decision:
    """What an event asks for. ``pull_request_number`` counts only for events that have no number of their own.

    Raises:
        ConfigurationError: the event is none this program works on, or a number is missing.
    """
    if trigger.event in PULL_REQUEST_EVENTS:
        return _of_pull_request(trigger, skip_drafts=skip_drafts)
    if trigger.event in NUMBERED_EVENTS:
        if pull_request_number is None:
            raise ConfigurationError(
                f"the event {trigger.event} does not say which pull request to review",
                hint="Set the input pull-request-number, for example from an input of the workflow.",
            )
        return ReviewPullRequest(pull_request_number)
    if trigger.event == MERGE_QUEUE_EVENT:
        return NothingToDo("merge-group", "A merge group is not reviewed: its pull requests are, one by one.")
    if trigger.event == COMMENT_EVENT:
        return _of_comment(trigger)
    raise ConfigurationError(
        f"the event {trigger.event} cannot be reviewed", hint=f"Run it on one of these: {', '.join(EVENTS)}."
    )


def standing_outcome(state: PullRequestState | None, *, draft: bool, skip_drafts: bool) -> NothingToDo | None:
    """Why a pull request as it stands is not reviewed, ``None`` when it is.

    To be asked again of what the API says: an event may be older, or say nothing of it.
    """
    if state in (PullRequestState.CLOSED, PullRequestState.MERGED):
        return NothingToDo(state.value, f"The pull request is {state.value}.")
    if draft and skip_drafts:
        return NothingToDo("draft", "The pull request is a draft, and skip-drafts is set.")
    return None


def _of_pull_request(trigger: Trigger, *, skip_drafts: bool) -> Decision:
    if trigger.number is None:
        raise ConfigurationError(
            f"the event {trigger.event} names no pull request", hint="Check that GITHUB_EVENT_PATH is of this event."
        )
    idle = standing_outcome(trigger.state, draft=trigger.draft, skip_drafts=skip_drafts)
    return idle or ReviewPullRequest(trigger.number, trigger.head_sha, trigger.from_fork)


def _of_comment(trigger: Trigger) -> NothingToDo:
    if trigger.comment is None or not trigger.comment.on_pull_request:
        return NothingToDo("issue-comment", "The comment is not on a pull request.")
    return NothingToDo("comment-commands", "Comment commands are not handled.")
