"""Patterns that most runs have no use for: compiled where they are first used, since that costs more than a match."""

from __future__ import annotations

import re
from typing import Any, cast


def lazy(text: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern as ``re.compile`` makes one, later: for all that is done with patterns but to hand them to ``re``.

    A mistake in it is told where it is first used, so a test compiles the patterns of all modules.
    """
    return cast("re.Pattern[str]", LazyPattern(text, flags))


class LazyPattern:
    """Becomes a pattern when it is first asked for something; compared and pickled as patterns are."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by the interpreter, to learn what the object can do
            raise AttributeError(name)
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)  # from now on as fast as a method
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyPattern) and (self._text, self._flags) == (other._text, other._flags)

    def __hash__(self) -> int:
        return hash((self._text, self._flags))

    def __reduce__(self) -> tuple[type[LazyPattern], tuple[str, int]]:
        return LazyPattern, (self._text, self._flags)
