"""A resume store without secrets: a file's name may hold one, and stored work may be kept for long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devpulse.ports import ResumeStore


class MaskedStore:
    """Passes entries on to another store, masked.

    A look-up whose words are masked no longer gives the same answer, so its entry is redone and never believed.
    """

    def __init__(self, store: ResumeStore, mask: Callable[[str], str]) -> None:
        self._store = store
        self._mask = mask

    def load(self, key: str) -> dict[str, Any] | None:
        """As ``ResumeStore.load``."""
        return self._store.load(key)

    def save(self, key: str, entry: dict[str, Any]) -> None:
        """As ``ResumeStore.save``."""
        self._store.save(key, {name: self._masked(value) for name, value in entry.items()})

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._mask(value)
        if isinstance(value, list | tuple):
            return [self._masked(item) for item in value]
        if isinstance(value, dict):
            return {name: self._masked(item) for name, item in value.items()}
        return value
