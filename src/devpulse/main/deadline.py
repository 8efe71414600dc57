"""The time budget of a run: how much is left, and why nothing new is begun when none is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SPENT = "time budget used up"


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a run has to come to its end; ``end`` is a reading of ``clock`` in seconds, ``None`` for never."""

    end: float | None
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, minutes: float | None, clock: Callable[[], float] = time.monotonic) -> Deadline:
        """The deadline so many minutes from now."""
        return cls(None if minutes is None else clock() + minutes * 60, clock)

    def remaining(self) -> float | None:
        """Seconds left, never below zero; ``None`` without a limit."""
        return None if self.end is None else max(0.0, self.end - self.clock())

    def stopped(self) -> str:
        """Why nothing new is begun, or an empty text while there is time."""
        return SPENT if self.remaining() == 0 else ""
