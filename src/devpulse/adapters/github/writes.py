"""The few requests that publishing is made of, each write sent once and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import github
from github.PullRequest import PullRequest

from devpulse.adapters.github.failures import github_errors
from devpulse.adapters.github.patches import hunks_of
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.github.retrying import Patience
from devpulse.adapters.github.standing import read_standing
from devpulse.errors import GitHubRateLimited
from devpulse.output.comments.plan import PlannedComment
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.standing import Standing

_PERMISSION = "pull-requests: write"

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long publishing waits, in seconds.

    ``read_back``: before it looks whether a write whose answer got lost arrived. ``first_retry``: before a query
    is sent again. ``sleep`` does the waiting.
    """

    read_back: float = 2.0
    first_retry: float = 0.5
    sleep: Callable[[float], None] = time.sleep


class PullRequestWrites:
    """What is written to one pull request, and what has to be known for it.

    ``sent`` counts what was sent to change something. ``patience`` bounds the waits for rate limits.
    """

    def __init__(self, client: github.Github, pull: PullRequestId, pauses: Pauses, patience: Patience) -> None:
        self.pauses = pauses
        self.sent = 0
        self._client = client
        self._id = pull
        self._reads = Reads(client, pull.repository)
        self._patience = patience

    def standing(self) -> Standing:
        """What stands of ours.

        Raises:
            GitHubError: it cannot be read.
        """
        pauses = self.pauses
        return self._patiently(
            lambda: read_standing(self._client, self._id, sleep=pauses.sleep, first_pause=pauses.first_retry)
        )

    def head(self) -> str:
        """The commit the pull request's head is at now.

        Raises:
            GitHubError: it cannot be read.
        """
        return self._reads.pull(self._id.number).head_sha

    def files(self, wanted: Iterable[str]) -> Mapping[str, FileAt]:
        """The files of GitHub's own diff, at least those ``wanted`` that it lists. Hunks are ``None`` where GitHub
        does not show them.

        Raises:
            GitHubError: they cannot be read.
        """
        missing = set(wanted)
        found: dict[str, FileAt] = {}
        for each in self._reads.rows(self._id.number):
            deleted = each.status == "removed"
            found[each.filename] = FileAt(None if deleted else each.sha, hunks_of(each.patch), deleted)
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
        at = self._client.get_repo(self._id.repository).get_commit(commit)
        rows: list[Any] = [{"path": comment.path, "body": comment.body, **_lines(comment)} for comment in comments]
        self._write(
            f"posting a review on {self._id}",
            lambda: pull.create_review(commit=at, body=body, event="COMMENT", comments=rows),
        )

    def post_comment(self, commit: str, comment: PlannedComment) -> None:
        """Post one inline comment by itself.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        self._write(
            f"posting a comment on {self._id}",
            lambda: self._pull().create_review_comment(comment.body, commit, comment.path, **_lines(comment)),
        )

    def create_summary(self, body: str) -> str:
        """Post a comment in the conversation; gives its address.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        issue = self._client.get_repo(self._id.repository).get_issue(self._id.number)
        return self._write(f"posting the summary on {self._id}", lambda: issue.create_comment(body).html_url)

    def edit_summary(self, comment: int, body: str) -> None:
        """Replace the text of a comment in the conversation.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        standing = self._pull().get_issue_comment(comment)
        self._write(f"updating the summary on {self._id}", lambda: standing.edit(body))

    def _pull(self) -> PullRequest:
        # A new object each time: a kept one would go on saying what it once read.
        return self._client.get_repo(self._id.repository).get_pull(self._id.number)

    def _write(self, doing: str, send: Callable[[], _Result]) -> _Result:
        return self._patiently(lambda: self._send(doing, send))

    def _patiently(self, send: Callable[[], _Result]) -> _Result:
        """Send a write or a query; once more when a rate limit, soon over, refused it: then nothing was applied."""
        try:
            return send()
        except GitHubRateLimited as error:
            if not self._patience.take(error.wait):
                raise
            self.pauses.sleep(error.wait)
        return send()

    def _send(self, doing: str, send: Callable[[], _Result]) -> _Result:
        self.sent += 1
        with github_errors(doing, permission=_PERMISSION):
            return send()


def _lines(comment: PlannedComment) -> dict[str, Any]:
    """GitHub refuses a range whose ends are the same line."""
    last = {"line": comment.end_line, "side": comment.side.value}
    if comment.start_line == comment.end_line:
        return last
    return {"start_line": comment.start_line, "start_side": comment.side.value, **last}
