"""The resume store: one checked file for each finished task, outside the checkout."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from devpulse.adapters.atomic import UNFINISHED, write_atomic
from devpulse.adapters.regular_files import read_regular

MAX_AGE_SECONDS = 30 * 24 * 3600
"""Entries that were neither written nor used for longer are removed: the branch is merged or forgotten."""

MAX_UNFINISHED_SECONDS = 24 * 3600
"""What a killed process left of a write is removed when it is older; a write takes a moment."""

MAX_ENTRIES = 20_000
"""Entries of all repositories together that are kept, the latest used ones; at some 10 KB each, about 200 MB."""

PRUNE_SECONDS = 3600
"""How long the stores are left alone after they were looked through."""

MAX_ENTRY_BYTES = 64_000_000
"""Larger entries are not believed; the largest result that a task can have is a few megabytes."""

_MARKER = "pruned"
"""The file whose time says when the stores were looked through last."""

_HEX = frozenset("0123456789abcdef")
_STORE_NAME = re.compile("[0-9a-f]{8,64}")
_SHELF_NAME = re.compile("[0-9a-f]{2}")
_ENTRY_NAME = re.compile(r"[0-9a-f]+\.json|\.[0-9a-f]+.*\.part")


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
            data = read_regular(path, MAX_ENTRY_BYTES + 1, follow=False)
        except FileNotFoundError:
            return None
        except OSError:
            self.damaged.append(key)
            return None
        try:
            if len(data) > MAX_ENTRY_BYTES:
                raise ValueError("too large to be ours")
            wrapped = json.loads(data.decode("utf-8"))
            entry, stored_key, checksum = wrapped["entry"], wrapped["key"], wrapped["sha256"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self.damaged.append(key)
            return None
        if stored_key != key or checksum != _checksum(entry) or not isinstance(entry, dict):
            self.damaged.append(key)
            return None
        with suppress(OSError):
            os.utime(path)  # it was used: pruning goes by this time
        return entry

    def save(self, key: str, entry: dict[str, Any]) -> None:
        """As ``ResumeStore.save``; the first reason that an entry could not be kept is in ``unsaved``."""
        wrapped = {"key": key, "sha256": _checksum(entry), "entry": entry}
        text = json.dumps(wrapped) + "\n"
        try:
            try:
                write_atomic(self._path(key), text, synced=False)
            except FileNotFoundError:  # another run with --fresh was just clearing the folder
                write_atomic(self._path(key), text, synced=False)
        except OSError as error:
            self.unsaved = self.unsaved or f"{self._folder}: {error.strerror or error}"

    def clear(self) -> None:
        """Forget everything; a store that is not there is already clear."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _path(self, key: str) -> Path:
        if not key or not set(key) <= _HEX:
            raise ValueError("a key is hexadecimal")
        return self._folder / key[:2] / f"{key}.json"


def prune(state: Path, now: float) -> None:
    """Remove old entries, and the longest unused above ``MAX_ENTRIES``, from the stores in ``state``.

    ``now`` is in seconds since 1970. Only files named like ours are touched, symlinks are not followed,
    and what cannot be removed stays. They are looked through once in ``PRUNE_SECONDS``: with thousands of entries
    that takes longer than the review of a small change.
    """
    marker = state / _MARKER
    with suppress(OSError):
        if 0 <= now - marker.stat().st_mtime < PRUNE_SECONDS:
            return
    found = sorted(_entries(state), reverse=True)
    for number, (used, path) in enumerate(found):
        limit = MAX_UNFINISHED_SECONDS if path.endswith(UNFINISHED) else MAX_AGE_SECONDS
        if number >= MAX_ENTRIES or now - used > limit:
            with suppress(OSError):
                Path(path).unlink()
    with suppress(OSError):
        marker.touch()
        os.utime(marker, (now, now))


def _entries(state: Path) -> Iterator[tuple[float, str]]:
    """When each entry was used last, and its file; also what a crash left of a write."""
    for store in _folders(state, _STORE_NAME):
        for shelf in _folders(store, _SHELF_NAME):
            with suppress(OSError), os.scandir(shelf) as files:
                for file in files:
                    if _ENTRY_NAME.fullmatch(file.name):
                        with suppress(OSError):
                            yield file.stat(follow_symlinks=False).st_mtime, file.path


def _folders(parent: str | Path, name: re.Pattern[str]) -> list[str]:
    with suppress(OSError), os.scandir(parent) as found:
        return [each.path for each in found if name.fullmatch(each.name) and each.is_dir(follow_symlinks=False)]
    return []


def _checksum(entry: Any) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
