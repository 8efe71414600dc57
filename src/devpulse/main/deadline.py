"""The time budget of a run: how much is left for reviewing, and how much for writing down and publishing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SPENT = "time budget used up"
MAX_RESERVE_SECONDS = 60.0
RESERVED_SHARE = 0.1
"""The last part of the budget is kept for artifacts and comments, so that a job that is ended by the clock
(``timeout-minutes`` of a workflow) has said what it found before."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a run has to come to its end; ``end`` is a reading of ``clock`` in seconds, ``None`` for never.

    Reviewing ends ``reserve`` seconds before. The clock never goes back, whatever is done to the time of day.
    """

    end: float | None
    reserve: float = 0.0
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(
        cls, minutes: float | None, clock: Callable[[], float] = time.monotonic, *, started: float | None = None
    ) -> Deadline:
        """The deadline so many minutes after ``started``, a reading of ``clock``; by default from now."""
        if minutes is None:
            return cls(None, clock=clock)
        seconds = minutes * 60
        begin = clock() if started is None else started
        return cls(begin + seconds, min(MAX_RESERVE_SECONDS, RESERVED_SHARE * seconds), clock)

    def remaining(self) -> float | None:
        """Seconds left for reviewing, never below zero; ``None`` without a limit."""
        return None if self.end is None else max(0.0, self.end - self.reserve - self.clock())

    def left(self) -> float | None:
        """Seconds left of the run, never below zero; ``None`` without a limit."""
        return None if self.end is None else max(0.0, self.end - self.clock())

    def stopped(self) -> str:
        """Why nothing new is asked of an engine, or an empty text while there is time."""
        return SPENT if self.remaining() == 0 else ""

    def over(self) -> str:
        """Why not even rules are run any more: half of what was kept for the end is used up. Empty while it is not."""
        left = self.left()
        return SPENT if left is not None and left <= self.reserve / 2 else ""
