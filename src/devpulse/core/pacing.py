"""How many requests a service is asked at once and a minute: fewer when it refuses, more again when it answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

PERIOD_SECONDS = 60.0
"""The time that limits a minute are about: any 60 seconds, not those of a clock on the wall."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a service may be asked: requests under way at once, requests and tokens in any minute; None for no limit."""

    parallel: int = 8
    requests: int | None = None
    tokens: int | None = None


@dataclass(slots=True)
class Turn:
    """A request that was let go: its place in the order, when it began in seconds, and the tokens it takes."""

    number: int
    began: float
    tokens: int


class Pace:
    """The requests under way and of the last minute, and by them whether the next may go.

    Begins with all that is allowed. A refusal for being too much halves what is under way, once for all requests that
    were under way together; as many answers in a row as may be under way let one more go. Time is what the caller
    says, in seconds, and never goes back. Not safe to use from several threads.

    ``parallel`` may be under way now, ``least`` is the lowest that it was, ``refused`` counts the refusals.
    """

    def __init__(self, limits: Limits) -> None:
        self.parallel = limits.parallel
        self.least = limits.parallel
        self.refused = 0
        self._limits = limits
        self._under_way = 0
        self._answers = 0
        self._begun = 0
        self._shrunk_at = 0  # requests up to this number were under way when it was last too much
        self._minute: deque[Turn] = deque()

    @property
    def is_full(self) -> bool:
        """Whether as many are under way as may be."""
        return self._under_way >= self.parallel

    def wait(self, now: float, tokens: int) -> float:
        """Seconds until a request of so many tokens is within the limits of a minute; zero when it is.

        One that is above the limit by itself goes when nothing else was sent for a minute.
        """
        while self._minute and _end(self._minute[0]) <= now:
            self._minute.popleft()
        due = max(self._end_of_many(), self._end_of_tokens(tokens))
        return max(0.0, due - now)

    def begin(self, now: float, tokens: int) -> Turn:
        """Let a request go."""
        self._begun += 1
        self._under_way += 1
        turn = Turn(self._begun, now, tokens)
        self._minute.append(turn)
        return turn

    def answered(self, turn: Turn, tokens: int) -> None:
        """It was answered; ``tokens`` is what it really took, zero when that is not known."""
        self._under_way -= 1
        turn.tokens = tokens or turn.tokens
        self._answers += 1
        if self._answers >= self.parallel and self.parallel < self._limits.parallel:
            self.parallel += 1
            self._answers = 0

    def refused_as_too_much(self, turn: Turn) -> None:
        """The service said that it is asked too much."""
        self.refused += 1
        self._answers = 0
        if turn.number > self._shrunk_at:
            self._shrunk_at = self._begun
            self.parallel = max(1, min(self.parallel, self._under_way) // 2)
            self.least = min(self.least, self.parallel)
        self._under_way -= 1

    def failed(self) -> None:
        """A request ended for another reason, which says nothing about how much may be asked."""
        self._under_way -= 1

    def _end_of_many(self) -> float:
        most = self._limits.requests
        return 0.0 if most is None or len(self._minute) < most else _end(self._minute[len(self._minute) - most])

    def _end_of_tokens(self, tokens: int) -> float:
        if self._limits.tokens is None:
            return 0.0
        excess = _total(self._minute) + tokens - self._limits.tokens
        due = 0.0
        for turn in self._minute:
            if excess <= 0:
                break
            excess -= turn.tokens
            due = _end(turn)
        return due


def _end(turn: Turn) -> float:
    return turn.began + PERIOD_SECONDS


def _total(turns: Iterable[Turn]) -> int:
    return sum(turn.tokens for turn in turns)
