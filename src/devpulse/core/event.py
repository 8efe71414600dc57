"""What started the run, and what is to be done about it.

Only what the event says is looked at, never who caused it: what a run may do is decided by the token it was given,
so a bot or a contributor is an ordinary author.

=============================================  ========================================================================
``pull_request``, ``pull_request_target``      review, whatever the action
the same, closed or merged                     nothing to do
the same, a draft and ``skip-drafts``          nothing to do
``merge_group``                                nothing to do: pull requests are reviewed one by one
``workflow_dispatch``, ``schedule``            review the pull request of ``pull-request-number``, an error without it
``issue_comment``                              a command of somebody who may write: review; else nothing
anything else                                  an error
=============================================  ========================================================================

Every action on an open pull request is a reason to review: a workflow gets the unusual ones only when it lists them
(``labeled`` is how a maintainer releases an outsider's change), and the newest run decides whether the check of a
commit is green. Were a changed title passed over, it would turn a red check green.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from devpulse.core.commands import CommentCommand
from devpulse.errors import ConfigurationError

PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target")
"""Events that are about one pull request and describe it."""

NUMBERED_EVENTS = ("workflow_dispatch", "schedule")
"""Events that review the pull request somebody names."""

MERGE_QUEUE_EVENT = "merge_group"
COMMENT_EVENT = "issue_comment"
COMMANDS = "/devpulse review, and /devpulse ignore <fingerprint> <reason>"
"""The commands of that event, in words."""

EVENTS = (*PULL_REQUEST_EVENTS, *NUMBERED_EVENTS, MERGE_QUEUE_EVENT, COMMENT_EVENT)
"""The events a workflow may start this program on."""


class PullRequestState(StrEnum):
    """Whether a pull request is still to be decided."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Trigger:
    """An event of GitHub Actions, reduced to what decides; the fields are those of its pull request, if it has one.

    ``command`` is what the comment asks for that caused the event, ``commenter`` the login of who wrote it.
    """

    event: str
    number: int | None = None
    head_sha: str | None = None
    state: PullRequestState | None = None
    command: CommentCommand | None = None
    commenter: str = ""


@dataclass(frozen=True, slots=True)
class ReviewPullRequest:
    """Review this pull request.

    ``expected_head`` is the head the event was about, ``None`` when it named none; the pull request may have moved on
    since.
    """

    number: int
    expected_head: str | None = None


@dataclass(frozen=True, slots=True)
class AskedForReview:
    """Somebody asks for a review in a comment, or for one without a finding: to be done if they may write to the
    repository.

    The event names no commit. What is reviewed is the head as it is when the run first looks, to the end of it.
    """

    number: int
    commenter: str


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """There is nothing to review, by policy; the run ends well. ``name`` is one word, ``reason`` a sentence."""

    name: str
    reason: str


Decision = ReviewPullRequest | AskedForReview | NothingToDo


def decide(trigger: Trigger, *, pull_request_number: int | None) -> Decision:
    """What an event asks for. ``pull_request_number`` counts only for events that have no number of their own.

    Raises:
        ConfigurationError: the event is none this program works on, or a number is missing.
    """
    if trigger.event in PULL_REQUEST_EVENTS:
        return _of_pull_request(trigger)
    if trigger.event in NUMBERED_EVENTS:
        if pull_request_number is None:
            raise ConfigurationError(
                f"the event {trigger.event} does not say which pull request to review",
                hint="Set the input pull-request-number, for example from an input of the workflow.",
            )
        return ReviewPullRequest(pull_request_number)
    if trigger.event == MERGE_QUEUE_EVENT:
        reason = "A merge group holds only pull requests that were reviewed one by one."
        return NothingToDo("merge-group", reason)
    if trigger.event == COMMENT_EVENT:
        return _of_comment(trigger)
    raise ConfigurationError(
        f"the event {trigger.event} cannot be reviewed", hint=f"Run it on one of these: {', '.join(EVENTS)}."
    )


def reason_to_skip(state: PullRequestState | None, *, draft: bool, skip_drafts: bool) -> NothingToDo | None:
    """Why a pull request is not reviewed, ``None`` when it is.

    To be asked of what the API says as well: in a job that runs again the event is an old one.
    """
    if state in (PullRequestState.CLOSED, PullRequestState.MERGED):
        return NothingToDo(state.value, f"The pull request is {state.value}.")
    if draft and skip_drafts:
        return NothingToDo("draft", "The pull request is a draft, and skip-drafts is set.")
    return None


def _of_pull_request(trigger: Trigger) -> Decision:
    if trigger.number is None:
        raise ConfigurationError(
            f"the event {trigger.event} names no pull request", hint="Check that GITHUB_EVENT_PATH is of this event."
        )
    return reason_to_skip(trigger.state, draft=False, skip_drafts=False) or ReviewPullRequest(
        trigger.number, trigger.head_sha
    )


def _of_comment(trigger: Trigger) -> Decision:
    if trigger.number is None or trigger.command is None:
        return NothingToDo("comment-commands", "The comment is not a command to DevPulse on a pull request.")
    if trigger.command is CommentCommand.UNKNOWN:
        return NothingToDo("comment-commands", f"The commands in the conversation are: {COMMANDS}")
    return AskedForReview(trigger.number, trigger.commenter)


def not_allowed(asked: AskedForReview) -> NothingToDo:
    """What becomes of a command of somebody who may not write to the repository."""
    return NothingToDo(
        "not-allowed", f"{asked.commenter} may not write to this repository, so the command has no effect."
    )
