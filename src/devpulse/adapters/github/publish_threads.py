"""Answering in threads that stand, closing them and opening them again; and deleting what was said twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from devpulse.adapters.github.writes import PullRequestWrites
from devpulse.errors import GitHubForbidden, GitHubNotFound, GitHubRefused, GitHubUnavailable
from devpulse.output.comments.standing import StandingComment
from devpulse.output.comments.threads import ThreadAction


@dataclass(slots=True)
class ThreadPosting:
    """Does what is to be done in threads. ``done`` holds what was, ``deleted`` the comments that were said twice;
    ``problem`` says why threads stay as they are, and is empty when all could be settled."""

    writes: PullRequestWrites
    done: list[ThreadAction] = field(default_factory=list, init=False)
    deleted: list[StandingComment] = field(default_factory=list, init=False)
    problem: str = field(default="", init=False)

    def post(self, actions: Iterable[ThreadAction]) -> None:
        """Answer, then close or open: a thread that is closed by us always says why.

        Raises:
            GitHubError: it ended early.
        """
        for action in actions:
            try:
                self._answer(action)
                self._settle(action)
            except GitHubNotFound:
                continue  # somebody has deleted it since it was read
            except GitHubRefused as refusal:
                self.problem = str(refusal)
                continue
            self.done.append(action)

    def delete(self, comments: Iterable[StandingComment]) -> None:
        """Delete comments of ours. One that is gone already was deleted by the other run.

        Raises:
            GitHubError: it ended early.
        """
        for comment in comments:
            try:
                self.writes.delete_comment(comment.id)
            except GitHubNotFound:
                continue
            self.deleted.append(comment)

    def _answer(self, action: ThreadAction) -> None:
        try:
            self.writes.reply(action.comment.id, action.body)
        except GitHubUnavailable:
            self.writes.pauses.sleep(self.writes.pauses.read_back)
            if not self._stands(action):  # else the answer of GitHub got lost, but ours arrived
                self.writes.reply(action.comment.id, action.body)

    def _stands(self, action: ThreadAction) -> bool:
        standing = self.writes.standing()
        return any(each.id == action.comment.id and each.note is action.note for each in standing.comments)

    def _settle(self, action: ThreadAction) -> None:
        if action.resolve is None or self.problem:
            return
        try:
            self._settle_once(action.comment.thread_id, resolved=action.resolve)
        except GitHubForbidden as error:  # the answer in the thread has to do
            self.problem = f"{error} {error.hint}".strip()

    def _settle_once(self, thread: str, *, resolved: bool) -> None:
        try:
            self.writes.settle(thread, resolved=resolved)
        except GitHubUnavailable:
            self.writes.settle(thread, resolved=resolved)
