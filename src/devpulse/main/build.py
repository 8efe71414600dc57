"""A digest of the program itself, so that work stored by another build is never mistaken for this one's."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

WHAT_DECIDES = ("core", "pipeline", "adapters")
"""The packages that a review's result depends on: rules, redaction, prompts, tools, engines, the run."""


@cache
def build_digest() -> str:
    """16 hex digits over every source and prompt file that decides what a review finds."""
    return digest_of(resources.files("devpulse"))


def digest_of(root: Traversable) -> str:
    """The digest of a program whose packages lie in ``root``."""
    digest = hashlib.sha256()
    for package in WHAT_DECIDES:
        for name, file in sorted(_files(root.joinpath(package), package)):
            digest.update(name.encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _files(folder: Traversable, name: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            found += _files(entry, path)
        elif entry.name.endswith((".py", ".txt")):
            found.append((path, entry))
    return found
