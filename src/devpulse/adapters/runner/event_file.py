"""The event file: the payload of the webhook that started the run (GitHub's page "Webhook events and payloads")."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from devpulse.adapters.regular_files import read_regular
from devpulse.core.commands import read_command
from devpulse.core.event import COMMENT_EVENT, PULL_REQUEST_EVENTS, PullRequestState, Trigger
from devpulse.core.other_run import OTHER_RUN_EVENT, OtherRun
from devpulse.errors import ConfigurationError

MAX_BYTES = 32 * 1024 * 1024
"""GitHub sends no payload above 25 MB."""

_HINT = "The runner writes this file for each job; check that GITHUB_EVENT_PATH is its own and was not overwritten."

_Sha = Annotated[str, Field(pattern="^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)  # other fields are ignored


class _Branch(_Model):
    sha: _Sha


class _PullRequest(_Model):
    number: PositiveInt
    state: str
    merged: bool | None = None
    merged_at: str | None = None
    head: _Branch


class _Event(_Model):
    pull_request: _PullRequest


class _Repository(_Model):
    full_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")]


class _WorkflowRun(_Model):
    event: str
    head_sha: _Sha
    head_branch: str | None
    head_repository: _Repository | None
    html_url: str = ""


class _WorkflowRunEvent(_Model):
    workflow_run: _WorkflowRun


class _Issue(_Model):
    number: PositiveInt
    pull_request: dict[str, object] | None = None


class _Account(_Model):
    login: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}(?:\[bot\])?$")]


class _Comment(_Model):
    body: str
    user: _Account | None


class _CommentEvent(_Model):
    action: str
    issue: _Issue
    comment: _Comment


_Payload = TypeVar("_Payload", bound=_Model)


def read_trigger(event: str, path: Path) -> Trigger:
    """What the event file says, reduced to what decides.

    The file of an event that is not about a pull request is not read: nothing in it would decide.

    Args:
        event: the name of the event.
        path: the event file.

    Raises:
        ConfigurationError: the file is missing, unreadable, too large, not JSON, or not of this event.
    """
    if event == COMMENT_EVENT:
        return _comment_trigger(_read(event, path, _CommentEvent))
    if event not in PULL_REQUEST_EVENTS:
        return Trigger(event)
    pull = _read(event, path, _Event).pull_request
    return Trigger(event, pull.number, pull.head.sha, _state(pull))


def _comment_trigger(payload: _CommentEvent) -> Trigger:
    # What is edited later need not be in the words of its author.
    heeded = payload.action == "created" and payload.issue.pull_request is not None and payload.comment.user is not None
    if not heeded or payload.comment.user is None:
        return Trigger(COMMENT_EVENT)
    command = read_command(payload.comment.body)
    return Trigger(COMMENT_EVENT, payload.issue.number, command=command, commenter=payload.comment.user.login)


def read_other_run(path: Path) -> OtherRun:
    """The run that a ``workflow_run`` event is about.

    Raises:
        ConfigurationError: as for ``read_trigger``.
    """
    run = _read(OTHER_RUN_EVENT, path, _WorkflowRunEvent).workflow_run
    head = run.head_repository.full_name if run.head_repository is not None else None
    return OtherRun(run.event, head, run.head_branch, run.head_sha, run.html_url)


def _read(event: str, path: Path, payload: type[_Payload]) -> _Payload:
    try:
        return payload.model_validate(_load(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise ConfigurationError(
            f"the event file {path} is not that of a {event} event: {where}: {first['msg']}", hint=_HINT
        ) from None


def _load(path: Path) -> object:
    try:
        data = read_regular(path, MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"the event file {path} cannot be read: {error.strerror}", hint=_HINT) from error
    if len(data) > MAX_BYTES:
        raise ConfigurationError(f"the event file {path} has more than {MAX_BYTES} bytes", hint=_HINT)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):  # its text may quote the file
        raise ConfigurationError(f"the event file {path} is not JSON", hint=_HINT) from None


def _state(pull: _PullRequest) -> PullRequestState:
    if pull.state != "closed":
        return PullRequestState.OPEN
    return PullRequestState.MERGED if pull.merged or pull.merged_at else PullRequestState.CLOSED
