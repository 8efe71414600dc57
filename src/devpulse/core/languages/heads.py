"""The first line of a definition, as a language with braces writes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a definition: its names, its kind (empty: only an owner of others), its name's offset."""

    names: tuple[str, ...]
    kind: str
    offset: int
