"""What a template format tells of a file: its tags, and which of them write a value into the page, escaped or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.tokens import Syntax

MAX_EXPRESSION = 2_000
"""Characters of an expression; a longer one is not judged, which is told."""


class Place(StrEnum):
    """Where in a page an output stands."""

    TEXT = "text"
    ATTRIBUTE = "attribute"
    UNQUOTED = "unquoted"
    ADDRESS = "address"  # the beginning of a link
    HANDLER = "handler"  # a script in an attribute
    SCRIPT = "script"
    QUOTED_IN_SCRIPT = "quoted in script"
    STYLE = "style"
    COMMENT = "comment"
    ELSEWHERE = "elsewhere"  # an attribute of a tag that the server reads


@dataclass(frozen=True, slots=True)
class Tag:
    """A part of a template that the engine reads, by its offsets; ``expression`` is what it writes, or ``None``.

    ``raw``: written without escaping. ``certain``: that it is raw does not hang on how the engine is set up.
    ``place``: where the output stands, when that cannot be told from the page around the tag.
    """

    start: int
    end: int
    expression: str | None = None
    raw: bool = False
    certain: bool = True
    place: Place | None = None


def _nothing(_: str) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of template. ``assigned`` gives the names that a template sets itself, each with its last expression.

    ``followed``: it sets them by code that the rules over data flow follow (``core.embedded``), checks included.
    """

    name: str
    syntax: Syntax
    tags: Callable[[str], Iterable[Tag]]
    assigned: Callable[[str], Mapping[str, str]] = _nothing
    followed: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands between two delimiters; ``start`` and ``end`` include these."""

    start: int
    end: int
    opening: str
    inner: str


def pieces(text: str, delimiters: Mapping[str, str]) -> Iterator[Piece]:
    """Every piece between delimiters, given as closing by opening one, in order; an opening one that is never closed
    opens nothing. Of openings that begin alike the longest is meant.
    """
    left = dict(delimiters)
    opened, place = _openings(left), 0
    while (found := opened.search(text, place)) is not None:
        opening = found.group()
        closing = left[opening]
        end = text.find(closing, found.end())
        if end < 0:  # nor is any other of its kind behind it
            del left[opening]
            if not left:
                return
            opened = _openings(left)
            continue
        place = end + len(closing)
        yield Piece(found.start(), place, opening, text[found.end() : end])


def _openings(delimiters: Mapping[str, str]) -> re.Pattern[str]:
    return lazy("|".join(map(_literal, sorted(delimiters, key=len, reverse=True))))


def _literal(text: str) -> str:
    return "".join("\\" + character if character in "{}()[]|^$*+?.\\#-" else character for character in text)


_AROUND = " \t\r\n-+/"
"""White space and the marks of a tag's end: a pattern that leaves them out could be divided in many ways."""


def assignments(pattern: str) -> Callable[[str], Mapping[str, str]]:
    """Reads the names that a template sets by a pattern whose groups are the name and the expression."""
    compiled = lazy(pattern)

    def read(text: str) -> Mapping[str, str]:
        return {match.group(1): match.group(2).strip(_AROUND) for match in compiled.finditer(text)}

    return read
