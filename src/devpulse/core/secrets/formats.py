"""What a published format of a credential is, and how to find it without reading every line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Provider:
    """One format. The secret is group 1 where there is one, else the whole match.

    At least one of ``hints`` stands in every match, in this very case, and starts at most ``before``
    characters after the match does: the pattern is tried there and nowhere else. A format that is not
    ``sure`` is hidden, not reported: too short or too long for what the provider issues today.
    """

    kind: str
    hints: tuple[str, ...]
    source: str
    before: int
    sure: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern. Compiling all of them at the start would cost more than most reviews need of it."""
        return _compiled(self.source)


def provider(kind: str, hints: str, pattern: str, before: int = 0, *, sure: bool = True) -> Provider:
    """A format from its kind, its hints (words) and the pattern of the value.

    Every pattern is linear: a fixed prefix, then bounded character classes.
    """
    # Not inside a longer word: a prefix that happens to stand in other base64 text is no credential.
    # "\n" as it is written in a string is no part of a word.
    guarded = rf"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])){pattern}(?![A-Za-z0-9])"
    return Provider(kind, tuple(hints.split()), guarded, before, sure)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)
