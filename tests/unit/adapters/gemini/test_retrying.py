from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devpulse.adapters.gemini.failures import Failure
from devpulse.adapters.gemini.retrying import RetryPolicy, Timing, persist
from devpulse.core.messages import ModelReply, StopReason
from devpulse.errors import ModelError, ModelUnavailable

REPLY = ModelReply("fine", (), StopReason.STOP)
POLICY = RetryPolicy(attempts=4, first_wait=2.0, longest_wait=60.0)


class Run:
    """A run with so many seconds left, in which only waiting takes time."""

    def __init__(self, seconds: float | None = None, jitter: float = 0.0) -> None:
        self.left = seconds
        self.jitter = jitter
        self.waits: list[float] = []
        self.numbers: list[int] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.left is not None:
            self.left -= seconds

    def persist(self, *results: ModelReply | Failure, policy: RetryPolicy = POLICY) -> ModelReply | Failure:
        coming = iter(results)

        def attempt(number: int) -> ModelReply | Failure:
            self.numbers.append(number)
            return next(coming)

        timing = Timing(lambda: self.left, self.sleep, lambda: 0.0, lambda: self.jitter)
        return persist(attempt, policy, timing)


def passing(wait: float | None = None) -> Failure:
    return Failure(ModelUnavailable("down", hint="Later."), transient=True, wait=wait)


def test_persist__reply__is_given_back_without_a_wait() -> None:
    run = Run()
    assert run.persist(REPLY) is REPLY
    assert (run.numbers, run.waits) == ([1], [])


def test_persist__lasting_failure__is_given_back_as_it_is() -> None:
    failure = Failure(ModelError("odd"))
    assert Run().persist(failure) is failure


def test_persist__attempts__are_numbered_from_one() -> None:
    run = Run()
    assert run.persist(passing(), passing(), REPLY) is REPLY
    assert run.numbers == [1, 2, 3]


def test_persist__jitter__spreads_waits_between_half_and_all() -> None:
    early, late = Run(jitter=0.0), Run(jitter=1.0)
    for run in (early, late):
        run.persist(*[passing()] * 4)
    assert (early.waits, late.waits) == ([1.0, 2.0, 4.0], [2.0, 4.0, 8.0])


def test_persist__asked_wait__is_never_cut_short_by_jitter() -> None:
    run = Run(jitter=0.5)
    run.persist(passing(10.0), REPLY)
    assert run.waits == [10.5]


def test_persist__exhausted__keeps_cause_and_remedy() -> None:
    result = Run().persist(*[passing()] * 4)
    assert isinstance(result, Failure)
    assert (str(result.error), result.error.hint) == ("down (4 attempts)", "Later.")


@given(
    waits=st.lists(st.none() | st.floats(0, 200), min_size=6, max_size=6),
    seconds=st.none() | st.floats(0, 300),
    jitter=st.floats(0, 1),
    attempts=st.integers(1, 6),
)
def test_persist__whatever_is_asked__stays_within_time_attempts_and_cap(waits, seconds, jitter, attempts) -> None:
    run = Run(seconds, jitter)
    policy = RetryPolicy(attempts=attempts, first_wait=2.0, longest_wait=60.0)
    run.persist(*[passing(wait) for wait in waits], policy=policy)
    assert len(run.numbers) <= attempts
    assert all(wait <= policy.longest_wait + 1 for wait in run.waits)
    assert seconds is None or sum(run.waits) <= seconds
    # After a failure that does not end it, the service is asked again only when its own wait is over.
    assert all(asked is None or waited >= asked for asked, waited in zip(waits, run.waits, strict=False))
