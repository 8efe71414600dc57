"""The only layer that tries again: the libraries' own retries are off, so that waits and attempts do not multiply."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from tenacity import RetryCallState, Retrying

from devpulse.adapters.gemini.failures import Failure
from devpulse.core.messages import ModelReply
from devpulse.errors import ModelUnavailable

Result = ModelReply | Failure


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Total attempts, the first wait, which doubles each time, and the longest wait; in seconds."""

    attempts: int = 4
    first_wait: float = 2.0
    longest_wait: float = 60.0


@dataclass(frozen=True, slots=True)
class Timing:
    """What time is to the adapter: ``remaining`` seconds of the run (None: no limit), a way to sleep, a clock
    that never goes back, and ``jitter``, evenly spread between 0 and 1."""

    remaining: Callable[[], float | None]
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    jitter: Callable[[], float]


def persist(attempt: Callable[[int], Result], policy: RetryPolicy, timing: Timing) -> Result:
    """Call ``attempt`` with 1, 2, .. until it gives a reply, a failure that will not pass, or time or attempts run out.

    A wait is as long as the service asks for, plus jitter; when it asks for more than the longest wait, or the run
    ends before, nothing is waited for at all.
    """
    reasons: list[str] = []

    def wait(state: RetryCallState) -> float:
        failure = _failure(state)
        if failure.wait is not None:
            return failure.wait + timing.jitter()
        longest = min(policy.longest_wait, policy.first_wait * 2.0 ** (state.attempt_number - 1))
        # At least half, so that threads refused together neither come back together nor at once.
        return longest * (0.5 + timing.jitter() / 2)

    def stop(state: RetryCallState) -> bool:
        asked = _failure(state).wait
        remaining = timing.remaining()
        if asked is not None and asked > policy.longest_wait:
            reasons.append(f"it asks to wait {asked:.0f} s")
        elif state.attempt_number >= policy.attempts:
            reasons.append(f"{state.attempt_number} attempts")
        elif remaining is not None and state.upcoming_sleep >= remaining:
            reasons.append("the run's time is used up")
        return bool(reasons)

    def exhausted(state: RetryCallState) -> Result:
        error = _failure(state).error
        return Failure(ModelUnavailable(f"{error} ({reasons[-1]})", hint=error.hint))

    retrying = Retrying(
        retry=lambda state: isinstance(_result(state), Failure) and _failure(state).transient,
        wait=wait,
        stop=stop,
        sleep=timing.sleep,
        retry_error_callback=exhausted,
    )
    numbers = itertools.count(1)
    return retrying(lambda: attempt(next(numbers)))


def _result(state: RetryCallState) -> Result:
    if state.outcome is None:
        raise AssertionError("tenacity asks only after an attempt")
    result: Result = state.outcome.result()
    return result


def _failure(state: RetryCallState) -> Failure:
    result = _result(state)
    if not isinstance(result, Failure):
        raise AssertionError("a reply is never tried again")
    return result
