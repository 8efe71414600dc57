from __future__ import annotations

import threading

from devpulse.adapters.gemini.failures import Failure
from devpulse.adapters.gemini.pacing import Pacer
from devpulse.adapters.gemini.retrying import Timing
from devpulse.core.messages import ModelReply, StopReason, Usage
from devpulse.core.pacing import Limits
from devpulse.errors import ModelUnavailable

REPLY = ModelReply("fine", (), StopReason.STOP, Usage(1, 50, 0, 10))
CROWDED = Failure(ModelUnavailable("too much"), transient=True, crowded=True)
DOWN = Failure(ModelUnavailable("down"), transient=True)


class Time:
    """Only sleeping takes time."""

    def __init__(self, left: float | None = None) -> None:
        self.now = 0.0
        self.left = left
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def remaining(self) -> float | None:
        return None if self.left is None else max(0.0, self.left - self.now)

    def pacer(self, limits: Limits) -> Pacer:
        return Pacer(limits, Timing(self.remaining, self.sleep, lambda: self.now, lambda: 0.0))


def ask(pacer: Pacer, tokens: int = 1, result: ModelReply | Failure | None = REPLY) -> bool:
    turn = pacer.enter(tokens)
    if turn is None:
        return False
    pacer.leave(turn, result)
    return True


def test_enter__requests_a_minute_are_waited_for():
    time = Time()
    pacer = time.pacer(Limits(8, requests=3))
    assert all(ask(pacer) for _ in range(7))
    assert time.slept == [60.0, 60.0]


def test_enter__tokens_a_minute_are_those_that_were_reported():
    time = Time()
    pacer = time.pacer(Limits(8, tokens=100))
    assert all(ask(pacer, 20) for _ in range(5))  # 60 each, as the replies say: after two it is too much
    assert time.slept == [60.0, 60.0]


def test_enter__a_wait_beyond_the_runs_time_is_not_begun():
    time = Time(left=30.0)
    pacer = time.pacer(Limits(8, requests=1))
    assert ask(pacer)
    assert not ask(pacer)
    assert time.slept == []


def test_enter__full_is_waited_for_until_a_turn_ends():
    pacer = Time().pacer(Limits(1))
    turn = pacer.enter(1)
    assert turn is not None
    ended: list[bool] = []
    waiting = threading.Thread(target=lambda: ended.append(ask(pacer)))
    waiting.start()
    waiting.join(0.05)
    assert ended == []
    pacer.leave(turn, REPLY)
    waiting.join(10)
    assert ended == [True]


def test_leave__only_a_refusal_for_being_too_much_makes_it_fewer():
    pacer = Time().pacer(Limits(8))
    ask(pacer, result=DOWN)
    ask(pacer, result=None)
    assert (pacer.refused, pacer.least) == (0, 8)
    ask(pacer, result=CROWDED)
    assert (pacer.refused, pacer.least) == (1, 1)
