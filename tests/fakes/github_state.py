"""What a fake GitHub remembers: people, comments, threads, reviews, check runs."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Person:
    """An account. GraphQL drops the suffix of a bot's login; REST keeps it."""

    login: str
    id: int

    @property
    def is_bot(self) -> bool:
        return self.login.endswith("[bot]")

    @property
    def graphql_login(self) -> str:
        return self.login.removesuffix("[bot]")


ACTIONS_BOT = Person("github-actions[bot]", 41898282)


@dataclass(slots=True)
class Comment:
    """A comment of the conversation."""

    id: int
    author: Person
    body: str
    created: str
    updated: str
    minimized: str | None = None
    reactions: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class ReviewComment(Comment):
    """A comment on the code; ``review`` is the id of the review it came with."""

    review: int = 0


@dataclass(slots=True)
class Thread:
    """The comments at one place. Lines are those of ``commit``; whether they still stand is worked out when asked."""

    id: int
    path: str
    commit: str
    side: str
    line: int | None
    start_side: str | None
    start_line: int | None
    hunk: str
    comments: list[ReviewComment]
    resolved_by: Person | None = None
    pending: bool = False

    @property
    def node_id(self) -> str:
        return node_id("PRRT", self.id)


@dataclass(slots=True)
class Review:
    id: int
    author: Person
    body: str
    state: str
    commit: str
    created: str


@dataclass(slots=True)
class CheckRun:
    id: int
    fields: dict[str, Any]
    annotations: list[Mapping[str, Any]]


@dataclass(slots=True)
class PullState:
    """All that was written to a pull request, by anybody."""

    comments: dict[int, Comment] = field(default_factory=dict)
    threads: dict[int, Thread] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    check_runs: dict[int, CheckRun] = field(default_factory=dict)
    _people: dict[str, Person] = field(default_factory=lambda: {ACTIONS_BOT.login: ACTIONS_BOT})
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1001))
    _seconds: itertools.count[int] = field(default_factory=itertools.count)

    def new_id(self) -> int:
        return next(self._ids)

    def now(self) -> str:
        """A time that moves on by a second whenever it is asked for."""
        start = datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)
        return (start + datetime.timedelta(seconds=next(self._seconds))).strftime("%Y-%m-%dT%H:%M:%SZ")

    def person(self, login: str) -> Person:
        """The account of that name, made when it is new."""
        return self._people.setdefault(login, Person(login, 2000 + len(self._people)))

    def review_comment(self, comment: int) -> tuple[Thread, ReviewComment] | None:
        """A review comment and the thread it is in."""
        for thread in self.threads.values():
            for each in thread.comments:
                if each.id == comment:
                    return thread, each
        return None

    def add_comment(self, author: Person, body: str) -> Comment:
        now = self.now()
        comment = Comment(self.new_id(), author, body, now, now)
        self.comments[comment.id] = comment
        return comment

    def new_review_comment(self, author: Person, body: str, review: int) -> ReviewComment:
        now = self.now()
        return ReviewComment(self.new_id(), author, body, now, now, review=review)

    def add_review(self, author: Person, body: str, state: str, commit: str) -> Review:
        review = Review(self.new_id(), author, body, state, commit, self.now())
        self.reviews[review.id] = review
        return review

    def reply(self, thread: Thread, author: Person, body: str, commit: str) -> ReviewComment:
        """A reply; GitHub wraps each reply in a review of its own."""
        review = self.add_review(author, "", "COMMENTED", commit)
        comment = self.new_review_comment(author, body, review.id)
        thread.comments.append(comment)
        return comment

    def delete_comment(self, comment: int) -> bool:
        """Remove a comment of either kind; a thread goes with its last comment."""
        if self.comments.pop(comment, None):
            return True
        found = self.review_comment(comment)
        if found is None:
            return False
        thread, each = found
        thread.comments.remove(each)
        if not thread.comments:
            del self.threads[thread.id]
        return True


def node_id(kind: str, number: int) -> str:
    """An id as GraphQL knows it."""
    return f"{kind}_kwDO{number:06d}"
