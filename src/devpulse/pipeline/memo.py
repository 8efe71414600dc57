"""A small cache in which concurrent questions for the same key are computed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class _Entry(Generic[Value]):
    """One answer, or none yet; whoever holds the lock computes it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.answer: tuple[Value, ...] = ()


class Memo(Generic[Key, Value]):
    """Remembers the newest ``size`` answers of ``compute``; safe from several threads."""

    def __init__(self, compute: Callable[[Key], Value], size: int) -> None:
        self._compute = compute
        self._size = size
        self._lock = Lock()
        self._entries: OrderedDict[Key, _Entry[Value]] = OrderedDict()

    def __call__(self, key: Key) -> Value:
        """The answer for a key. An exception of ``compute`` reaches its caller and is not kept."""
        entry = self._entry(key)
        with entry.lock:
            if not entry.answer:
                entry.answer = (self._compute(key),)
            return entry.answer[0]

    def keep(self, key: Key, answer: Value) -> None:
        """Remember an answer that was found elsewhere; one that is there already stays."""
        entry = self._entry(key)
        with entry.lock:
            entry.answer = entry.answer or (answer,)

    def _entry(self, key: Key) -> _Entry[Value]:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
            return entry
