from __future__ import annotations

from typing import Any

from devpulse.adapters.masked_store import MaskedStore


class Kept:
    def __init__(self) -> None:
        self.entries: dict[str, dict[str, Any]] = {}

    def load(self, key: str) -> dict[str, Any] | None:
        return self.entries.get(key)

    def save(self, key: str, entry: dict[str, Any]) -> None:
        self.entries[key] = entry


def test_save__masks_every_text_and_nothing_else():
    kept = Kept()
    store = MaskedStore(kept, lambda text: text.replace("hunter2", "*******"))
    store.save("k", {"result": {"path": "a/hunter2.py", "line": 3, "rows": ["hunter2", None, (True, "x")]}})
    assert store.load("k") == {"result": {"path": "a/*******.py", "line": 3, "rows": ["*******", None, [True, "x"]]}}
    assert store.load("other") is None
