"""The resume store: one checked file for each finished task, outside the checkout."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from devpulse.adapters.atomic import write_atomic

_HEX = frozenset("0123456789abcdef")


class FolderStore:
    """Entries as JSON with a SHA-256 over their content; whatever does not check out reads as absent.

    The checksum detects torn and edited files. It is no signature: the folder must not be writable
    for anybody who may not decide what a review says.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        self.unsaved: str = ""

    def load(self, key: str) -> dict[str, Any] | None:
        """As ``ResumeStore.load``; keys of damaged entries are kept in ``damaged``."""
        path = self._path(key)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            self.damaged.append(key)
            return None
        try:
            wrapped = json.loads(text)
            entry, stored_key, checksum = wrapped["entry"], wrapped["key"], wrapped["sha256"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self.damaged.append(key)
            return None
        if stored_key != key or checksum != _checksum(entry) or not isinstance(entry, dict):
            self.damaged.append(key)
            return None
        return entry

    def save(self, key: str, entry: dict[str, Any]) -> None:
        """As ``ResumeStore.save``; the first reason that an entry could not be kept is in ``unsaved``."""
        wrapped = {"key": key, "sha256": _checksum(entry), "entry": entry}
        try:
            write_atomic(self._path(key), json.dumps(wrapped) + "\n")
        except OSError as error:
            self.unsaved = self.unsaved or f"{self._folder}: {error.strerror or error}"

    def clear(self) -> None:
        """Forget everything; a store that is not there is already clear."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _path(self, key: str) -> Path:
        if not key or not set(key) <= _HEX:
            raise ValueError("a key is hexadecimal")
        return self._folder / key[:2] / f"{key}.json"


def _checksum(entry: Any) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
