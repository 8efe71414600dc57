"""Opening a pull request: the checkout where there is one, GitHub for what it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import github

from devpulse.adapters.git import Repository
from devpulse.adapters.github.client import Calls, Patience, connect
from devpulse.adapters.github.permissions import Permissions
from devpulse.adapters.github.pull import PullRequestFacts, PullRequestId
from devpulse.adapters.github.source import PullRequestSource
from devpulse.core.addresses import GITHUB_API
from devpulse.core.event import NothingToDo, reason_to_skip
from devpulse.errors import ConfigurationError, RepositoryNotFound
from devpulse.main.deadline import Deadline
from devpulse.main.opening import Opened, opened_at
from devpulse.settings import Settings

_HOST = "github.com"


@dataclass(frozen=True, slots=True)
class Connection:
    """A client of GitHub with what it counts and how long it may wait; ``pull`` is the pull request it is about,
    ``permissions`` are those of people that were asked for."""

    client: github.Github
    calls: Calls
    patience: Patience
    pull: PullRequestId
    permissions: Permissions = field(default_factory=Permissions)

    def end_by(self, deadline: Deadline) -> None:
        """Have no wait for GitHub go beyond the run's time."""
        left = deadline.left()
        if left is not None:
            self.patience.end_in(left)


@dataclass(frozen=True, slots=True)
class OpenedPull:
    """An opened pull request: as any change, and with what only GitHub knows of it."""

    opened: Opened
    source: PullRequestSource


def connection(pull: PullRequestId, api_url: str, token: str | None) -> Connection:
    """A connection that has sent nothing yet.

    Raises:
        ConfigurationError: the address or the token cannot be used.
    """
    calls, patience = Calls(), Patience()
    return Connection(connect(api_url, token, calls=calls, patience=patience), calls, patience, pull)


def open_pull_request(connected: Connection, workspace: Path, expected_head: str | None = None) -> OpenedPull:
    """Open the pull request; ``workspace`` may hold a checkout of it, of anything, or nothing.

    ``expected_head`` is the commit to review, by default the newest.

    Raises:
        SourceError: the checkout cannot be opened.
    """
    try:
        repository: Repository | None = Repository.open(workspace)
    except RepositoryNotFound:
        repository = None
    source = PullRequestSource(connected.pull, connected.client, repository, expected_head)

    def close() -> None:
        source.close()
        if repository is not None:
            repository.close()

    return OpenedPull(opened_at(source, repository, workspace, close), source)


def idle_reason(facts: PullRequestFacts, settings: Settings) -> NothingToDo | None:
    """Why nothing is done about a pull request as it is now, ``None`` when something is."""
    return reason_to_skip(facts.state, draft=facts.draft, skip_drafts=settings.skip_drafts)


def open_numbered(settings: Settings, number: int, path: Path, environ: Mapping[str, str]) -> OpenedPull:
    """The pull request of ``--pull-request-number``, of the repository that ``path`` is a clone of.

    Raises:
        ConfigurationError: it cannot be told which repository on GitHub is meant.
        SourceError: the checkout cannot be opened.
    """
    api_url = environ.get("GITHUB_API_URL") or GITHUB_API
    name = environ.get("GITHUB_REPOSITORY") or (_origin(path) if api_url == GITHUB_API else None)
    if not name:
        raise ConfigurationError(
            f"it is not known which repository pull request {number} belongs to",
            hint="Run it in a clone whose origin is on github.com, or set GITHUB_REPOSITORY to owner/name.",
        )
    connected = connection(PullRequestId(name, number), api_url, settings.github_token)
    pull = open_pull_request(connected, path)

    def close() -> None:
        pull.opened.close()
        connected.client.close()

    return replace(pull, opened=replace(pull.opened, close=close))


def _origin(path: Path) -> str | None:
    try:
        with Repository.open(path) as repository:
            return repository.origin_on(_HOST)
    except RepositoryNotFound:
        return None
