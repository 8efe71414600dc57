"""The few requests that publishing is made of, each sent once and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import github
from github.GithubException import GithubException
from github.PullRequest import PullRequest

from devpulse.adapters.github.conversation import read_standing
from devpulse.adapters.github.failures import github_errors
from devpulse.adapters.github.retrying import rate_limit_wait
from devpulse.core.change import Hunk
from devpulse.core.diff import parse_hunks
from devpulse.errors import GitHubRateLimited, PatchInvalid
from devpulse.output.comments.plan import PlannedComment
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.standing import Standing

_PERMISSION = "pull-requests: write"

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long publishing waits, in seconds.

    ``read_back``: before it looks whether a write whose answer got lost arrived. ``first_retry``: before a query
    is sent again. ``rate_limits``: the most it waits for rate limits altogether.
    """

    read_back: float = 2.0
    first_retry: float = 0.5
    rate_limits: float = 90.0
    sleep: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class Requests:
    """One pull request over the wire. ``writes`` counts what was sent to change something."""

    client: github.Github
    repository: str
    number: int
    pauses: Pauses
    writes: int = field(default=0, init=False)
    _waited: float = field(default=0.0, init=False)

    def standing(self) -> Standing:
        """What stands of ours.

        Raises:
            GitHubError: it cannot be read.
        """
        pauses = self.pauses
        return self._patiently(
            lambda: read_standing(
                self.client, self.repository, self.number, sleep=pauses.sleep, first_pause=pauses.first_retry
            )
        )

    def head(self) -> str:
        """The commit the pull request's head is at now.

        Raises:
            GitHubError: it cannot be read.
        """
        with github_errors(f"reading {self._name}", permission="pull-requests: read"):
            return self._pull().head.sha

    def files(self, wanted: Iterable[str]) -> Mapping[str, FileAt]:
        """The files of GitHub's own diff, at least those ``wanted`` that it lists. Hunks are ``None`` where GitHub
        does not show them.

        Raises:
            GitHubError: they cannot be read.
        """
        missing = set(wanted)
        found: dict[str, FileAt] = {}
        with github_errors(f"reading the files of {self._name}", permission="pull-requests: read"):
            for each in self._pull().get_files():
                deleted = each.status == "removed"
                found[each.filename] = FileAt(None if deleted else each.sha, _hunks(each.patch), deleted)
                missing.discard(each.filename)
                if not missing:
                    break
        return found

    def post_review(self, commit: str, body: str, comments: Sequence[PlannedComment]) -> None:
        """Post one review that holds all comments: all of them arrive, or none.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        pull = self._pull()
        at = self.client.get_repo(self.repository).get_commit(commit)
        rows: list[Any] = [{"path": comment.path, "body": comment.body, **_lines(comment)} for comment in comments]
        self._write(
            f"posting a review on {self._name}",
            lambda: pull.create_review(commit=at, body=body, event="COMMENT", comments=rows),
        )

    def post_comment(self, commit: str, comment: PlannedComment) -> None:
        """Post one inline comment by itself.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        self._write(
            f"posting a comment on {self._name}",
            lambda: self._pull().create_review_comment(comment.body, commit, comment.path, **_lines(comment)),
        )

    def create_summary(self, body: str) -> str:
        """Post a comment in the conversation; gives its address.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        issue = self.client.get_repo(self.repository).get_issue(self.number)
        return self._write(f"posting the summary on {self._name}", lambda: issue.create_comment(body).html_url)

    def edit_summary(self, comment: int, body: str) -> None:
        """Replace the text of a comment in the conversation.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        standing = self._pull().get_issue_comment(comment)
        self._write(f"updating the summary on {self._name}", lambda: standing.edit(body))

    @property
    def _name(self) -> str:
        return f"{self.repository}#{self.number}"

    def _pull(self) -> PullRequest:
        # A new object each time: a kept one would go on saying what it once read.
        return self.client.get_repo(self.repository).get_pull(self.number)

    def _write(self, doing: str, send: Callable[[], _Result]) -> _Result:
        return self._patiently(lambda: self._send(doing, send))

    def _patiently(self, send: Callable[[], _Result]) -> _Result:
        """Send a POST or PATCH; once more when a rate limit refused it and is over soon: then nothing was applied."""
        try:
            return send()
        except GitHubRateLimited as error:
            wait = _wait_of(error)
            if self._waited + wait > self.pauses.rate_limits:
                raise
            self._waited += wait
            self.pauses.sleep(wait)
        return send()

    def _send(self, doing: str, send: Callable[[], _Result]) -> _Result:
        self.writes += 1
        with github_errors(doing, permission=_PERMISSION):
            return send()


def _lines(comment: PlannedComment) -> dict[str, Any]:
    """GitHub refuses a range whose ends are the same line."""
    last = {"line": comment.end_line, "side": comment.side.value}
    if comment.start_line == comment.end_line:
        return last
    return {"start_line": comment.start_line, "start_side": comment.side.value, **last}


def _hunks(patch: str | None) -> tuple[Hunk, ...] | None:
    try:
        return None if patch is None else parse_hunks(patch)
    except PatchInvalid:
        return None


def _wait_of(error: GitHubRateLimited) -> float:
    """The seconds GitHub asks for; infinite when it does not say."""
    cause = error.__cause__
    if not isinstance(cause, GithubException):
        return float("inf")
    headers = {str(name).lower(): str(value) for name, value in (cause.headers or {}).items()}
    return rate_limit_wait(cause.status, headers, str(cause.message or ""), time.time())
