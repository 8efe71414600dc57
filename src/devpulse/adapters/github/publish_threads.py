"""Answering in threads that stand, closing them and opening them again; and deleting what was said twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from devpulse.adapters.github.writes import PullRequestWrites
from devpulse.errors import GitHubForbidden, GitHubNotFound, GitHubRefused, GitHubUnavailable
from devpulse.output.comments.standing import StandingComment
from devpulse.output.comments.threads import ThreadAction


@dataclass(slots=True)
class ThreadPosting:
    """Does what is to be done in threads. ``done`` holds what was: of a thread that was answered, and could be neither
    closed nor opened again, the answer alone. ``deleted`` are the comments that were said twice; ``problem`` says why
    threads stay as they are, and is empty when all could be settled."""

    writes: PullRequestWrites
    done: list[ThreadAction] = field(default_factory=list, init=False)
    deleted: list[StandingComment] = field(default_factory=list, init=False)
    problem: str = field(default="", init=False)
    _forbidden: bool = field(default=False, init=False)

    def post(self, actions: Iterable[ThreadAction]) -> None:
        """Answer, then close or open: a thread that is closed by us always says why.

        Raises:
            GitHubError: it ended early.
        """
        for action in actions:
            try:
                self._answer(action)
            except GitHubNotFound:
                continue  # somebody has deleted it since it was read
            except GitHubRefused as refusal:
                self.problem = self.problem or str(refusal)
                continue
            self.done.append(replace(action, resolve=None))
            if self._is_settled(action):
                self.done[-1] = action

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

    def _is_settled(self, action: ThreadAction) -> bool:
        """Whether the thread could be closed or opened. Only a missing right holds for all threads: the answers have
        to do then."""
        if action.resolve is None or self._forbidden:
            return action.resolve is None
        try:
            self._settle_once(action.comment.thread_id, resolved=action.resolve)
        except GitHubForbidden as error:
            self._forbidden = True
            self.problem = f"{error} {error.hint}".strip()
        except GitHubNotFound:
            return False  # deleted after it was answered
        except GitHubRefused as refusal:
            self.problem = self.problem or str(refusal)
        else:
            return True
        return False

    def _settle_once(self, thread: str, *, resolved: bool) -> None:
        try:
            self.writes.settle(thread, resolved=resolved)
        except GitHubUnavailable:
            self.writes.settle(thread, resolved=resolved)
