"""A small cache in which concurrent questions for the same key are computed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """Remembers the newest ``size`` answers of ``compute``; safe from several threads."""

    def __init__(self, compute: Callable[[Key], Value], size: int) -> None:
        self._compute = compute
        self._size = size
        self._lock = Lock()
        self._entries: OrderedDict[Key, Future[Value]] = OrderedDict()

    def __call__(self, key: Key) -> Value:
        """The answer for a key; an exception of ``compute`` reaches every waiting caller and is not kept."""
        with self._lock:
            entry = self._entries.get(key)
            mine = entry is None
            if entry is None:
                entry = self._entries[key] = Future()
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        if mine:
            self._fill(key, entry)
        return entry.result()

    def _fill(self, key: Key, entry: Future[Value]) -> None:
        try:
            entry.set_result(self._compute(key))
        except BaseException as error:  # noqa: BLE001  (handed on to every caller by Future.result, never swallowed)
            with self._lock:
                if self._entries.get(key) is entry:  # else it was pushed out, and another is being computed
                    del self._entries[key]
            entry.set_exception(error)
