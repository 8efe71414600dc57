"""The one form in which code is shown, quoted and compared: redacted, with hidden characters made visible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from devpulse.core.fence import neutralise
from devpulse.core.hidden import make_visible
from devpulse.core.secrets.markers import replace_spans
from devpulse.core.secrets.search import find_spans
from devpulse.core.text import split_lines

MAX_LINE_CHARACTERS = 2_000
"""Longer lines are cut when shown: a minified line would fill a context by itself."""

_CUT = re.compile(rf".{{{MAX_LINE_CHARACTERS}}} …\[\d{{1,9}} more characters\]")


def show_line(line: str) -> str:
    """One redacted line as a model, an artifact or a comment shows it; a second call changes nothing."""
    # Nearly every line of code has nothing to alter, which is told at the speed of a search.
    plain = line.isascii() and line.replace("\t", "").isprintable() and "<<" not in line
    visible = line if plain else neutralise(make_visible(line.removesuffix("\r")))
    if len(visible) <= MAX_LINE_CHARACTERS or _CUT.fullmatch(visible):
        return visible
    return f"{visible[:MAX_LINE_CHARACTERS]} …[{len(visible) - MAX_LINE_CHARACTERS} more characters]"


def show_path(path: str) -> str:
    """A path as a model and a log see it: on one line, hidden characters and undecodable bytes as escapes.

    A credential in a name is hidden when it has its provider's format.
    """
    hidden = replace_spans(path, find_spans(path, None))
    return neutralise(make_visible(hidden)).replace("\n", "\\n").replace("\r", "\\r")


@dataclass(frozen=True, slots=True)
class ShownText:
    """One side of a file as it may leave the machine. Line numbers are those of the real text.

    ``altered`` are the lines that differ from the real ones: redacted, made visible or cut.
    """

    lines: tuple[str, ...]
    altered: frozenset[int] = frozenset()

    @property
    def longest(self) -> int:
        """Characters of the longest line."""
        return max(map(len, self.lines), default=0)

    @classmethod
    def of(cls, text: str, redact: Callable[[str], str]) -> ShownText:
        """Redact a whole text, so that secrets over several lines are seen, and show its lines."""
        redacted = redact(text)
        lines = tuple(split_lines(redacted))
        plain = redacted.isascii() and "<<" not in redacted and "\r" not in redacted
        printable = plain and redacted == text and text.replace("\t", "").replace("\n", "").isprintable()
        if printable and max(map(len, lines), default=0) <= MAX_LINE_CHARACTERS:
            return cls(lines)
        shown = tuple(map(show_line, lines))
        pairs = enumerate(zip(split_lines(text), shown, strict=True), 1)
        altered = frozenset(number for number, (real, line) in pairs if real.removesuffix("\r") != line)
        return cls(shown, altered)

    def line(self, number: int) -> str | None:
        """A line by its number from 1, or ``None`` beyond the end."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None
