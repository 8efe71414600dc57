"""A digest of the program itself, so that work stored by another build is never mistaken for this one's."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

WHAT_DECIDES = ("core", "pipeline", "adapters")
"""The packages that a review's result depends on: rules, redaction, prompts, tools, engines, the run."""


@cache
def build_digest() -> str:
    """16 hex digits over every source, prompt and data file that decides what a review finds."""
    return digest_of(Path(__file__).parents[1])


def digest_of(root: Path) -> str:
    """The digest of a program whose packages lie in ``root``."""
    digest = hashlib.sha256()
    for package in WHAT_DECIDES:
        for name, path in sorted(_files(root / package, package)):
            digest.update(name.encode())
            # Plain files, opened plainly: there are hundreds of them, and the first review waits for it.
            with open(path, "rb", buffering=0) as file:  # noqa: PTH123  (as above)
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()[:16]


def _files(folder: Path | str, name: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                found += _files(entry.path, f"{name}/{entry.name}")
            elif entry.name.endswith((".py", ".txt", ".toml")):
                found.append((f"{name}/{entry.name}", entry.path))
    return found
