"""The event file: the payload of the webhook that started the run (GitHub's page "Webhook events and payloads")."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, ValidationError

from devpulse.core.event import (
    COMMENT_EVENT,
    EVENTS,
    MERGE_QUEUE_EVENT,
    PULL_REQUEST_EVENTS,
    Comment,
    PullRequestState,
    Trigger,
)
from devpulse.errors import ConfigurationError
from devpulse.output.characters import well_formed

MAX_BYTES = 32 * 1024 * 1024
"""GitHub sends no payload above 25 MB."""

_HINT = "The runner writes this file for each job; check that GITHUB_EVENT_PATH is its own and was not overwritten."


def _text(value: object) -> object:
    if value is None:
        return ""
    return well_formed(value) if isinstance(value, str) else value


_Text = Annotated[str, BeforeValidator(_text)]
_Sha = Annotated[str, Field(pattern="^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)  # other fields are ignored


class _Repository(_Model):
    full_name: str


class _Branch(_Model):
    sha: _Sha
    repo: _Repository | None = None  # null when a fork was deleted


class _PullRequest(_Model):
    number: PositiveInt
    state: str
    merged: bool | None = None
    merged_at: str | None = None
    draft: bool | None = None
    head: _Branch
    base: _Branch


class _User(_Model):
    login: str


class _Comment(_Model):
    body: _Text = ""
    user: _User | None = None  # null when the account was deleted


class _Issue(_Model):
    number: PositiveInt
    state: str = ""
    draft: bool | None = None
    pull_request: dict[str, Any] | None = None


class _MergeGroup(_Model):
    head_sha: _Sha
    base_sha: _Sha


class _Event(_Model):
    action: _Text = ""
    repository: _Repository | None = None


class _PullRequestEvent(_Event):
    pull_request: _PullRequest


class _CommentEvent(_Event):
    issue: _Issue
    comment: _Comment


class _MergeQueueEvent(_Event):
    merge_group: _MergeGroup


def read_trigger(event: str, path: Path, repository: str) -> Trigger:
    """What the event file says, reduced to what decides.

    The file of an event that is not reviewed is not read: no shape is known for it.

    Args:
        event: the name of the event.
        path: the event file.
        repository: ``owner/name`` of where the workflow runs; it stands where the event names none.

    Raises:
        ConfigurationError: the file is missing, unreadable, too large, not JSON, or not of this event.
    """
    if event not in EVENTS:
        return Trigger(event, repository)
    document = _load(path)
    try:
        if event in PULL_REQUEST_EVENTS:
            return _of_pull_request(event, repository, _PullRequestEvent.model_validate(document))
        if event == COMMENT_EVENT:
            return _of_comment(event, repository, _CommentEvent.model_validate(document))
        if event == MERGE_QUEUE_EVENT:
            return _of_merge_group(event, repository, _MergeQueueEvent.model_validate(document))
        said = _Event.model_validate(document)
        return Trigger(event, _full_name(said, repository), said.action)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise ConfigurationError(
            f"the event file {path} is not that of a {event} event: {where}: {first['msg']}", hint=_HINT
        ) from None


def _load(path: Path) -> object:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"the event file {path} cannot be read: {error.strerror}", hint=_HINT) from error
    if len(data) > MAX_BYTES:
        raise ConfigurationError(f"the event file {path} has more than {MAX_BYTES} bytes", hint=_HINT)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):  # its text may quote the file
        raise ConfigurationError(f"the event file {path} is not JSON", hint=_HINT) from None


def _of_pull_request(event: str, repository: str, said: _PullRequestEvent) -> Trigger:
    pull = said.pull_request
    here = _full_name(said, repository)
    there = pull.head.repo.full_name if pull.head.repo is not None else None
    return Trigger(
        event,
        here,
        said.action,
        number=pull.number,
        base_sha=pull.base.sha,
        head_sha=pull.head.sha,
        draft=bool(pull.draft),
        state=_state(pull.state, merged=bool(pull.merged or pull.merged_at)),
        head_repository=there,
        from_fork=there is None or there.lower() != here.lower(),  # names of repositories ignore case
    )


def _of_comment(event: str, repository: str, said: _CommentEvent) -> Trigger:
    issue, author = said.issue, said.comment.user
    on_pull_request = issue.pull_request is not None
    return Trigger(
        event,
        _full_name(said, repository),
        said.action,
        number=issue.number,
        draft=bool(issue.draft),
        state=_state(issue.state, merged=bool((issue.pull_request or {}).get("merged_at"))),
        from_fork=on_pull_request,  # the event does not say where its head lives
        comment=Comment(said.comment.body, author.login if author is not None else "", on_pull_request),
    )


def _of_merge_group(event: str, repository: str, said: _MergeQueueEvent) -> Trigger:
    group = said.merge_group
    here = _full_name(said, repository)
    return Trigger(event, here, said.action, base_sha=group.base_sha, head_sha=group.head_sha)


def _full_name(said: _Event, repository: str) -> str:
    return said.repository.full_name if said.repository is not None else repository


def _state(word: str, *, merged: bool) -> PullRequestState:
    if word != "closed":
        return PullRequestState.OPEN
    return PullRequestState.MERGED if merged else PullRequestState.CLOSED
