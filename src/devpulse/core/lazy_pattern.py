"""Patterns that most runs have no use for: compiled where they are first used, since that costs more than a match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class LazyPattern:
    """A pattern as ``re.compile`` makes one, later."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _made(self) -> re.Pattern[str]:
        return re.compile(self.text)

    def search(self, text: str) -> re.Match[str] | None:
        """As ``re.Pattern.search``."""
        return self._made.search(text)

    def finditer(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """As ``re.Pattern.finditer``."""
        return self._made.finditer(text, start, end)
