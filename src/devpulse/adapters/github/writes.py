"""The few requests that publishing is made of, each write sent once and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import github
from pydantic import ValidationError

from devpulse.adapters.github.exchange import exchange
from devpulse.adapters.github.failures import graphql_error, unreadable
from devpulse.adapters.github.patches import hunks_of
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.github.replies import WrittenReply
from devpulse.adapters.github.retrying import Patience
from devpulse.adapters.github.standing import read_standing
from devpulse.errors import GitHubNotFound, GitHubRateLimited, NoCommonAncestor
from devpulse.output.comments.marker import SUMMARY_HEADING
from devpulse.output.comments.plan import PlannedComment
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.standing import Standing

RESOLVE = """\
mutation Resolve($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } } }
"""
UNRESOLVE = """\
mutation Unresolve($thread: ID!) { unresolveReviewThread(input: {threadId: $thread}) { thread { isResolved } } }
"""

_PERMISSION = "pull-requests: write"
_RESOLVING = "contents: write and pull-requests: write"
"""Seen to be asked of a workflow's token; GitHub documents only the second."""

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long publishing waits, in seconds.

    ``between_writes``: GitHub asks for a second. ``read_back``: before it looks whether a write whose answer got lost
    arrived. ``first_retry``: before a query is sent again. ``sleep`` does the waiting.
    """

    between_writes: float = 1.0
    read_back: float = 2.0
    first_retry: float = 0.5
    sleep: Callable[[float], None] = time.sleep


class PullRequestWrites:
    """What is written to one pull request, and what has to be known for it.

    ``sent`` counts what was sent to change something. ``patience`` bounds the waits for rate limits. ``heading`` is
    the first line of the summary; those with another one are left alone.
    """

    def __init__(
        self,
        client: github.Github,
        pull: PullRequestId,
        pauses: Pauses,
        patience: Patience,
        heading: str = SUMMARY_HEADING,
    ) -> None:
        self.pauses = pauses
        self.heading = heading
        self.sent = 0
        self._client = client
        self._id = pull
        self._reads = Reads(client, pull.repository)
        self._patience = patience
        self._next_write = 0.0

    def standing(self) -> Standing:
        """What stands of ours.

        Raises:
            GitHubError: it cannot be read.
        """
        pauses, patience = self.pauses, self._patience
        return self._patiently(
            lambda: read_standing(
                self._client,
                self._id,
                patience=patience,
                sleep=pauses.sleep,
                first_pause=pauses.first_retry,
                heading=self.heading,
            )
        )

    def head(self) -> str:
        """The commit the pull request's head is at now.

        Raises:
            GitHubError: it cannot be read.
        """
        return self._reads.pull(self._id.number).head_sha

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether a commit is among those that another is built on.

        Raises:
            GitHubError: it cannot be read.
        """
        try:
            return self._reads.merge_base(older, newer) == older
        except (GitHubNotFound, NoCommonAncestor):  # a force push took it away
            return False

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
        rows = [{"path": comment.path, "body": comment.body, **_lines(comment)} for comment in comments]
        review = {"commit_id": commit, "body": body, "event": "COMMENT", "comments": rows}
        self._write("POST", f"pulls/{self._id.number}/reviews", review, f"posting a review on {self._id}")

    def post_comment(self, commit: str, comment: PlannedComment) -> None:
        """Post one inline comment by itself.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        single = {"commit_id": commit, "path": comment.path, "body": comment.body, **_lines(comment)}
        self._write("POST", f"pulls/{self._id.number}/comments", single, f"posting a comment on {self._id}")

    def create_summary(self, body: str) -> str:
        """Post a comment in the conversation; gives its address.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        doing = f"posting the summary on {self._id}"
        return self._write("POST", f"issues/{self._id.number}/comments", {"body": body}, doing).html_url

    def edit_summary(self, comment: int, body: str) -> None:
        """Replace the text of a comment in the conversation.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        self._write("PATCH", f"issues/comments/{comment}", {"body": body}, f"updating the summary on {self._id}")

    def reply(self, comment: int, body: str) -> None:
        """Answer in the thread that a comment of ours opened.

        Raises:
            GitHubError: GitHub did not take it; after GitHubUnavailable it may have.
        """
        path = f"pulls/{self._id.number}/comments/{comment}/replies"
        self._write("POST", path, {"body": body}, f"answering in a thread on {self._id}")

    def settle(self, thread: str, *, resolved: bool) -> None:
        """Close a thread or open it again; twice is as good as once.

        Raises:
            GitHubError: GitHub did not do it; after GitHubUnavailable it may have.
        """
        doing = f"{'closing' if resolved else 'opening again'} a thread on {self._id}"
        query = RESOLVE if resolved else UNRESOLVE
        self._patiently(lambda: self._paced(lambda: self._mutate(query, thread, doing)))

    def delete_comment(self, comment: int) -> None:
        """Delete an inline comment of ours.

        Raises:
            GitHubError: GitHub did not do it; after GitHubUnavailable it may have.
        """
        url = f"/repos/{quote(self._id.repository)}/pulls/comments/{comment}"
        doing = f"deleting a comment on {self._id}"
        self._patiently(
            lambda: self._paced(lambda: exchange(self._client.requester, "DELETE", url, {}, doing, _PERMISSION))
        )

    def may_write(self, login: str) -> bool:
        """Whether somebody has write permission.

        Raises:
            GitHubError: it cannot be told.
        """
        return self._reads.may_write(login)

    def _mutate(self, query: str, thread: str, doing: str) -> None:
        requester = self._client.requester
        content = {"query": query, "variables": {"thread": thread}}
        headers, answer = exchange(requester, "POST", requester.graphql_url, content, doing, _RESOLVING)
        faults = answer.get("errors") if isinstance(answer, dict) else ["no answer"]
        if faults:
            raise graphql_error(faults if isinstance(faults, list) else [faults], headers, doing, permission=_RESOLVING)

    def _write(self, verb: str, path: str, body: Mapping[str, Any], doing: str) -> WrittenReply:
        return self._patiently(lambda: self._send(verb, path, body, doing))

    def _patiently(self, send: Callable[[], _Result]) -> _Result:
        """Send a write or a query; once more when a rate limit, soon over, refused it: then nothing was applied."""
        try:
            return send()
        except GitHubRateLimited as error:
            if not self._patience.take(error.wait):
                raise
            self.pauses.sleep(error.wait)
        return send()

    def _send(self, verb: str, path: str, body: Mapping[str, Any], doing: str) -> WrittenReply:
        """Send a write. An answer that is not that of a write counts as one that got lost."""
        url = f"/repos/{quote(self._id.repository)}/{path}"
        _, reply = self._paced(lambda: exchange(self._client.requester, verb, url, body, doing, _PERMISSION))
        try:
            return WrittenReply.model_validate(reply)
        except ValidationError as error:
            raise unreadable(doing) from error

    def _paced(self, send: Callable[[], _Result]) -> _Result:
        """Send what changes something, counted, and not too soon after the one before."""
        early = self._next_write - time.monotonic()
        if early > 0:
            self.pauses.sleep(early)
        self.sent += 1
        try:
            return send()
        finally:
            self._next_write = time.monotonic() + self.pauses.between_writes


def permission_of(client: github.Github, pull: PullRequestId) -> Callable[[str], bool]:
    """What says of a login whether it has write permission; raises a GitHubError when it cannot be told."""
    return Reads(client, pull.repository).may_write


def _lines(comment: PlannedComment) -> dict[str, Any]:
    """GitHub refuses a range whose ends are the same line."""
    last = {"line": comment.end_line, "side": comment.side.value}
    if comment.start_line == comment.end_line:
        return last
    return {"start_line": comment.start_line, "start_side": comment.side.value, **last}
