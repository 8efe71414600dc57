"""Masked texts: code of a page where it stands, and white space for all the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from devpulse.core.lazy_pattern import lazy

OUTPUT = "_\u0175"
"""The function that masked texts call with what a page puts out without escaping it: a name that nobody writes."""

_INK = lazy(r"[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Parts:
    """The masked texts of a page, each under its language and where its code runs: on the ``server``, in the ``page``.

    ``skipped``: some code was left out because it was too much.
    """

    texts: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    skipped: bool = False


class Canvas:
    """A masked text in the making: pieces of code are kept in the order in which they stand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._done: list[str] = []
        self._end = 0

    def keep(self, start: int, code: str) -> None:
        """Let ``code`` stand from ``start`` on, in the place of as much text.

        What is in the place of what was kept before is left out: nothing ever moves.
        """
        if start < self._end:
            code, start = code[self._end - start :], self._end
        if code:
            self._done += (blank(self._text[self._end : start]), code)
            self._end = start + len(code)

    def masked(self) -> str:
        """The whole text: what was kept, and white space for the rest."""
        return "".join((*self._done, blank(self._text[self._end :])))


def blank(text: str) -> str:
    """White space with the lines of a text."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _INK.sub(lambda ink: " " * len(ink[0]), text)


def stand_in(text: str) -> str:
    """A name as long as a text, which may be a part of a longer one, or of a literal; white space for further lines."""
    first, feed, rest = text.partition("\n")
    return "_" * len(first) + feed + blank(rest)


def placed(found: re.Match[str]) -> str:
    """What stands in for a match: behind a quote it is a text, which is taken for a path."""
    start, name = found.start(), stand_in(found[0])
    return "/" + name[1:] if start and found.string[start - 1] in "'\"`" else name


def called(text: str) -> str:
    """The beginning of a call of ``OUTPUT``, as long as a text of one line that has room for it."""
    return f"{OUTPUT}(".rjust(len(text))
