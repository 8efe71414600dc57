"""Tables of names, written as running text: a list of hundreds with one a line hides what it is for."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()
