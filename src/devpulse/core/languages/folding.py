"""Text of a definition on one line."""

from __future__ import annotations


def fold(text: str, limit: int) -> str:
    """One line, runs of white space as one blank, cut at ``limit`` characters."""
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"
