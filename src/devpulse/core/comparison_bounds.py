"""What a comparison may cost at most, known before its first request is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from devpulse.core.budget import ContextBudget

_CONCLUDING_REQUESTS = 3


@dataclass(frozen=True, slots=True)
class Bound:
    """Estimated tokens of an arm: ``least`` with one request a task, ``most`` and ``most_output`` when every task
    takes every step and fills its history. A run ends when it passes one of the latter."""

    least: int
    most: int
    most_output: int

    def is_passed(self, tokens: int, output: int) -> bool:
        """Whether estimated input or reported output went beyond it."""
        return tokens > self.most or output > self.most_output

    def __add__(self, other: Bound) -> Bound:
        return Bound(self.least + other.least, self.most + other.most, self.most_output + other.most_output)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What bounds a run. ``first`` are the tokens of each task's first request, tool declarations included;
    ``verifies`` says whether a second context may check each task."""

    budget: ContextBudget
    steps: int
    verifies: bool

    def isolated(self, first: Sequence[int]) -> Bound:
        """Every task in a context of its own."""
        return self._bound(sum(first), sum(map(self._filled, first)), len(first))

    def shared(self, first: Sequence[int], limit: int | None = None) -> Bound:
        """All tasks in one history, of which at most ``limit`` tokens are of earlier tasks."""
        least = sum(self._carried(first, limit))
        most = sum(self._carried([self._filled(one) for one in first], limit))
        return self._bound(least, most, len(first))

    def _filled(self, first: int) -> int:
        return first + self.budget.history

    def _carried(self, tasks: Sequence[int], limit: int | None) -> Iterable[int]:
        earlier = [0, *accumulate(tasks)]
        carried = earlier if limit is None else [min(one, limit) for one in earlier]
        return (own + before for own, before in zip(tasks, carried, strict=False))

    def _bound(self, least: int, most: int, tasks: int) -> Bound:
        checked = tasks * self.steps if self.verifies else 0
        others = (checked + _CONCLUDING_REQUESTS) * self.budget.request
        requests = tasks * self.steps + checked + _CONCLUDING_REQUESTS
        return Bound(least, most * self.steps + others, requests * self.budget.output)
