"""The threads of a run take turns at the service: as many at once, and as many a minute, as it can be asked."""

from __future__ import annotations

from threading import Condition

from devpulse.adapters.gemini.failures import Failure
from devpulse.adapters.gemini.retrying import Result, Timing
from devpulse.core.pacing import Limits, Pace, Turn


class Pacer:
    """Holds requests back until it is their turn. Safe to use from several threads.

    A request that waits for its next attempt holds no turn, so that others go on meanwhile.
    """

    def __init__(self, limits: Limits, timing: Timing) -> None:
        self._pace = Pace(limits)
        self._timing = timing
        self._changed = Condition()

    @property
    def refused(self) -> int:
        """How often the service said that it was asked too much."""
        return self._pace.refused

    @property
    def least(self) -> int:
        """The lowest number of requests that could be under way at once."""
        return self._pace.least

    def enter(self, tokens: int) -> Turn | None:
        """Wait for the turn of a request of so many estimated tokens; ``None`` when the run's time ends before."""
        while True:
            with self._changed:
                left = self._timing.remaining()
                if left is not None and left <= 0:
                    return None
                if self._pace.is_full:
                    self._changed.wait(left)
                    continue
                now = self._timing.clock()
                wait = self._pace.wait(now, tokens)
                if wait <= 0:
                    return self._pace.begin(now, tokens)
            if left is not None and wait >= left:
                return None
            self._timing.sleep(wait)

    def leave(self, turn: Turn, result: Result | None) -> None:
        """End a turn; ``result`` is ``None`` when the attempt ended in an error that nobody tries again."""
        with self._changed:
            if result is None or (isinstance(result, Failure) and not result.crowded):
                self._pace.failed()
            elif isinstance(result, Failure):
                self._pace.refused_as_too_much(turn)
            else:
                self._pace.answered(turn, result.usage.input_tokens + result.usage.output_tokens)
            self._changed.notify_all()
