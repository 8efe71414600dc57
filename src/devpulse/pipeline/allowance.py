"""The tokens a whole run may use: counted at the engine, so that whatever asks is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

from devpulse.core.finding import FindingSource
from devpulse.core.history import request_tokens
from devpulse.core.messages import ModelReply, ModelRequest, Usage
from devpulse.pipeline.metering import whole_request_tokens
from devpulse.ports import ReviewModel

SPENT = "token budget used up"


class Allowance:
    """How many tokens a run has used of those it may use; ``limit`` is ``None`` for any number.

    Input and output as reported. What is not reported is estimated: the engine of rules, a request that failed, and
    requests under way. ``reported`` is all that the engines reported, whatever became of the task that asked.

    A task is let in once, at its beginning, and then asks as often as it must: half a review is paid for and worth
    nothing. So that many cannot begin on the room of one, each holds what a task takes: the mean of those that
    ended, ``guess`` tokens while there is none. Safe to use from several threads; a task keeps to one.
    """

    def __init__(self, limit: int | None, guess: int = 0) -> None:
        self.used = 0
        self.reported = Usage()
        self._limit = limit
        self._guess = guess
        self._under_way: dict[int, int] = {}  # what each task has used so far, by its thread
        self._ended: list[int] = []
        self._changed = Condition()

    def stopped(self) -> str:
        """Why nothing new may be begun, or an empty text while tokens are left."""
        return SPENT if self._limit is not None and self.used >= self._limit else ""

    @contextmanager
    def task(self, stopped: Callable[[], str]) -> Iterator[str]:
        """The time a task takes; gives the reason why it may not begin, or an empty text.

        Waits while those under way may need all that is left; ``stopped`` is asked whenever one of them ends.
        """
        refused = self._let_in(stopped)
        try:
            yield refused
        finally:
            self._let_out()

    def take(self, tokens: int, usage: Usage | None = None) -> None:
        """Use tokens; a negative number gives back what was taken too much. ``usage`` is what was reported."""
        with self._changed:
            self.used += tokens
            self.reported += usage or Usage()
            if (task := get_ident()) in self._under_way:
                self._under_way[task] += tokens

    def _let_in(self, stopped: Callable[[], str]) -> str:
        with self._changed:
            while not (refused := stopped() or self.stopped()):
                if self._has_room():
                    self._under_way[get_ident()] = 0
                    break
                self._changed.wait()
            return refused

    def _has_room(self) -> bool:
        """Whether anything is left beside what the tasks under way will still take; always, when there are none."""
        if self._limit is None:
            return True
        expected = sum(self._ended) // len(self._ended) if self._ended else self._guess
        held = sum(max(0, expected - used) for used in self._under_way.values())
        return self.used + held < self._limit

    def _let_out(self) -> None:
        with self._changed:
            used = self._under_way.pop(get_ident(), 0)
            if used:
                self._ended.append(used)
            self._changed.notify_all()


class CountedModel:
    """An engine whose requests are taken out of an allowance."""

    def __init__(self, model: ReviewModel, allowance: Allowance) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._allowance = allowance

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        estimated = self._estimate(request)
        self._allowance.take(estimated)
        reply = self._model.complete(request)
        reported = reply.usage.input_tokens + reply.usage.output_tokens
        self._allowance.take(reported - estimated if reported else 0, reply.usage)
        return reply

    def _estimate(self, request: ModelRequest) -> int:
        # Declarations of tools go to a service; the engine of rules knows its tools.
        counted = whole_request_tokens if self.source is FindingSource.MODEL else _messages
        return counted(request)


def _messages(request: ModelRequest) -> int:
    return request_tokens(request.messages)
