"""A file before and after a change, as rules compare its two texts."""

from __future__ import annotations

from difflib import SequenceMatcher

from devpulse.core.languages import language_of
from devpulse.core.source import Source


def compared(path: str, old: str, new: str) -> Source:
    """The head text with its base; the lines that differ count as changed."""
    one, other = old.split("\n"), new.split("\n")
    left: set[int] = set()
    right: set[int] = set()
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            left.update(range(a + 1, b + 1))
            right.update(range(c + 1, d + 1))
    before = Source(path, language_of(path), old, frozenset(left))
    return Source(path, language_of(path), new, frozenset(right), before=before)
