"""The one form in which code is shown, quoted and compared: redacted, with hidden characters made visible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devpulse.core.fence import neutralise
from devpulse.core.hidden import make_visible
from devpulse.core.text import split_lines

MAX_LINE_CHARACTERS = 2_000
"""Longer lines are cut when shown: a minified line would fill a context by itself."""


def show_line(line: str) -> str:
    """One redacted line as a model, an artifact or a comment shows it."""
    visible = neutralise(make_visible(line.removesuffix("\r")))
    if len(visible) <= MAX_LINE_CHARACTERS:
        return visible
    return f"{visible[:MAX_LINE_CHARACTERS]} …[{len(visible) - MAX_LINE_CHARACTERS} more characters]"


@dataclass(frozen=True, slots=True)
class ShownText:
    """One side of a file as it may leave the machine. Line numbers are those of the real text."""

    lines: tuple[str, ...]
    cut_lines: int

    @classmethod
    def of(cls, text: str, redact: Callable[[str], str]) -> ShownText:
        """Redact a whole text, so that secrets over several lines are seen, and show its lines."""
        lines = split_lines(redact(text))
        cut = sum(len(line) > MAX_LINE_CHARACTERS for line in lines)
        return cls(tuple(map(show_line, lines)), cut)

    def line(self, number: int) -> str | None:
        """A line by its number from 1, or ``None`` beyond the end."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None
