"""What a language brings to the index: its file names, its grammar, and how its definitions look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Language


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """One language. ``extensions`` are lower-case with their dot; ``grammar`` loads it on first use."""

    name: str
    extensions: tuple[str, ...]
    grammar: Callable[[], Language]
