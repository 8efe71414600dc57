"""A small bounded memory for results of pure functions: by key, oldest out first, safe for threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")

ENTRY_BYTES = 200
"""What an entry weighs besides its text, so that empty values are bounded too."""


class Memo(Generic[Value]):
    """Keeps values up to a total weight (bytes of text they came from). Keys should be digests, not texts."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._total = 0
        self._kept: OrderedDict[Hashable, tuple[int, Value]] = OrderedDict()
        self._lock = Lock()

    def kept(self, key: Hashable) -> Value | None:
        """The value for ``key`` if it is kept."""
        with self._lock:
            found = self._kept.get(key)
        return found[1] if found is not None else None

    def get(self, key: Hashable, make: Callable[[], Value], weigh: Callable[[Value], int]) -> Value:
        """The value for ``key``, made when it is not kept.

        Making happens outside the lock: two threads may make a value at once, and both results are equal.
        """
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept[1]
        value = make()
        weight = weigh(value) + ENTRY_BYTES
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (weight, value)
                self._total += weight
            while self._total > self._limit and len(self._kept) > 1:
                self._total -= self._kept.popitem(last=False)[1][0]
        return value
