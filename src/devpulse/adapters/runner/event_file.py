"""The event file: the payload of the webhook that started the run (GitHub's page "Webhook events and payloads")."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from devpulse.adapters.regular_files import read_regular
from devpulse.core.event import PULL_REQUEST_EVENTS, PullRequestState, Trigger
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


def read_trigger(event: str, path: Path) -> Trigger:
    """What the event file says, reduced to what decides.

    The file of an event that is not about a pull request is not read: nothing in it would decide.

    Args:
        event: the name of the event.
        path: the event file.

    Raises:
        ConfigurationError: the file is missing, unreadable, too large, not JSON, or not of this event.
    """
    if event not in PULL_REQUEST_EVENTS:
        return Trigger(event)
    try:
        pull = _Event.model_validate(_load(path)).pull_request
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise ConfigurationError(
            f"the event file {path} is not that of a {event} event: {where}: {first['msg']}", hint=_HINT
        ) from None
    return Trigger(event, pull.number, pull.head.sha, _state(pull))


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
