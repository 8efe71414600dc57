"""Answers in threads, closing them, and deleting what was said twice, when GitHub does not do as asked."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

import pytest

from devpulse.adapters.github.publish_threads import ThreadPosting
from devpulse.adapters.github.writes import Pauses, PullRequestWrites
from devpulse.errors import GitHubError, GitHubForbidden, GitHubNotFound, GitHubRateLimited, GitHubRefused
from devpulse.errors import GitHubUnavailable as Lost
from devpulse.output.comments.marker import ThreadNote
from devpulse.output.comments.standing import Standing, StandingComment
from devpulse.output.comments.threads import ThreadAction

GONE = ThreadNote.GONE


def comment(number: int, note: ThreadNote | None = None) -> StandingComment:
    return StandingComment(number, f"T{number}", "aaaa", "a.py", 1, False, "", (), "https://x.example", note=note)


def actions(*numbers: int) -> list[ThreadAction]:
    return [ThreadAction(comment(number), GONE, "body", resolve=True) for number in numbers]


class Writes:
    """Notes what is asked; ``errors`` are raised in turn, by what is asked (``None`` lets it be)."""

    def __init__(self, *standing: StandingComment, **errors: list[GitHubError | None]) -> None:
        self.done: list[tuple[str, Any]] = []
        self.pauses = Pauses(sleep=lambda _: None)
        self._standing = Standing(standing)
        self._errors: dict[str, list[GitHubError | None]] = defaultdict(list, errors)

    def standing(self) -> Standing:
        return self._standing

    def reply(self, number: int, _body: str) -> None:
        self._do("reply", number)

    def settle(self, thread: str, *, resolved: bool) -> None:
        self._do("settle", (thread, resolved))

    def delete_comment(self, number: int) -> None:
        self._do("delete", number)

    def _do(self, what: str, about: Any) -> None:
        self.done.append((what, about))
        error = self._errors[what].pop(0) if self._errors[what] else None
        if error is not None:
            raise error


def posting(writes: Writes) -> ThreadPosting:
    return ThreadPosting(cast("PullRequestWrites", writes))


def test_post__answers_before_it_closes():
    writes = Writes()
    threads = posting(writes)
    threads.post(actions(1))
    assert writes.done == [("reply", 1), ("settle", ("T1", True))]
    assert ([each.comment.id for each in threads.done], threads.problem) == ([1], "")


def test_post__without_the_right_only_the_answers_remain():
    writes = Writes(settle=[GitHubForbidden("Not allowed.", hint="Give it.")])
    threads = posting(writes)
    threads.post(actions(1, 2))
    assert writes.done == [("reply", 1), ("settle", ("T1", True)), ("reply", 2)]
    assert [each.resolve for each in threads.done] == [None, None]
    assert threads.problem == "Not allowed. Give it."


@pytest.mark.parametrize(("stands", "replies"), [(True, 1), (False, 2)])
def test_post__a_lost_answer_is_looked_for_before_it_is_sent_again(stands, replies):
    writes = Writes(comment(1, GONE if stands else None), reply=[Lost("x", hint="")])
    posting(writes).post(actions(1))
    assert [what for what, _ in writes.done] == [*["reply"] * replies, "settle"]


def test_post__closing_twice_is_as_good_as_once():
    writes = Writes(settle=[Lost("x", hint="")])
    threads = posting(writes)
    threads.post(actions(1))
    assert [what for what, _ in writes.done] == ["reply", "settle", "settle"]
    assert len(threads.done) == 1


def test_post__one_that_is_deleted_or_refused_keeps_no_other_from_its_answer():
    refused = GitHubRefused("Locked.", hint="", messages=(), status=422)
    writes = Writes(reply=[GitHubNotFound("x", hint=""), refused, None])
    threads = posting(writes)
    threads.post(actions(1, 2, 3))
    assert threads.done == actions(3)
    assert threads.problem == "Locked."


def test_post__a_thread_that_may_not_be_closed_keeps_no_other_open():
    refused = GitHubRefused("Locked.", hint="", messages=(), status=200)
    writes = Writes(settle=[refused, GitHubNotFound("x", hint=""), None])
    threads = posting(writes)
    threads.post(actions(1, 2, 3))
    assert [each.resolve for each in threads.done] == [None, None, True]
    assert threads.problem == "Locked."


def test_post__a_limit_ends_it():
    with pytest.raises(GitHubRateLimited):
        posting(Writes(reply=[GitHubRateLimited("x", hint="", wait=1.0)])).post(actions(1, 2))


def test_delete__one_that_is_gone_was_deleted_by_the_other_run():
    writes = Writes(delete=[GitHubNotFound("x", hint=""), None])
    threads = posting(writes)
    threads.delete([comment(1), comment(2)])
    assert writes.done == [("delete", 1), ("delete", 2)]
    assert [each.id for each in threads.deleted] == [2]
