"""The one form in which code is shown, quoted and compared: redacted, with hidden characters made visible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

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
    return _cut(_visible(line))


def _visible(line: str) -> str:
    # Nearly every line of code has nothing to alter, which is told at the speed of a search.
    plain = line.isascii() and line.replace("\t", "").isprintable() and "<<" not in line
    return line if plain else neutralise(make_visible(line.removesuffix("\r")))


def _cut(visible: str) -> str:
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

    ``altered`` are the lines that differ from the real ones: redacted, made visible or cut. ``text`` is the same as one
    text, with long lines whole, where it is kept: the real one when nothing in it is altered.
    """

    lines: tuple[str, ...]
    altered: frozenset[int] = frozenset()
    text: str | None = field(default=None, compare=False)

    @property
    def code(self) -> str:
        """What a parser is given: a line that is cut leaves its brackets open, which makes parsing slow and what
        follows look broken. Where nothing is altered it is the very text that rules have parsed."""
        return "\n".join(self.lines) if self.text is None else self.text

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
            return cls(lines, text=text)
        visible = tuple(map(_visible, lines))
        shown = tuple(map(_cut, visible))
        pairs = enumerate(zip(split_lines(text), shown, strict=True), 1)
        altered = frozenset(number for number, (real, line) in pairs if real.removesuffix("\r") != line)
        if redacted == text and visible == lines:
            return cls(shown, altered, text)
        return cls(shown, altered, None if shown == visible else "\n".join(visible))

    def line(self, number: int) -> str | None:
        """A line by its number from 1, or ``None`` beyond the end."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None
