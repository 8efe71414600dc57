"""Templates that go by indentation: their lines, without comments, and whether each is of a script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Place

_COMMENT = lazy(r"\s*(?:-#|/|//)")
_SCRIPT = lazy(r"\s*(?::javascript\b|javascript:|script(?:\([^)]{0,300}\))?\.?\s*$|%script)")
_OTHER_BLOCK = lazy(r"\s*(?::(?:css|scss|sass|markdown|plain|ruby|escaped)\b|css:|style\.|ruby:|markdown:)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its offset in the text."""

    start: int
    text: str
    place: Place


def template_lines(text: str) -> Iterator[Line]:
    """The lines that are looked at; blocks in a comment or a style are left out."""
    start, block, skipped = 0, -1, False
    for line in text.split("\n"):
        bare = line.lstrip()
        depth = len(line) - len(bare)
        if bare and depth <= block:
            block, skipped = -1, False
        if bare and block < 0:
            skipped = _COMMENT.match(line) is not None or _OTHER_BLOCK.match(line) is not None
            if skipped or _SCRIPT.match(line):
                block = depth
        if bare and not skipped:
            yield Line(start, line, Place.SCRIPT if block >= 0 and depth > block else Place.TEXT)
        start += len(line) + 1


def without_comment(value: str, mark: str) -> str:
    """The expression of a line without the comment behind it."""
    code, _, comment = value.rpartition(f" {mark} ")
    return code if code and not any(quote in comment for quote in "\"'}") else value
