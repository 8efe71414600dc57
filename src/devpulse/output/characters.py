"""Text that shows what it holds, can be written to a file, and has an end."""

from __future__ import annotations

import re

from devpulse.core.hidden import make_visible

_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMAND = re.compile(r"(?m:^(?:\s|\x1b\[[\d;]*m)*::)|##\[")


def is_hidden(character: str) -> bool:
    """Whether a character shows nothing, or commands a terminal or the direction of text."""
    return character == "\r" or make_visible(character) != character


def visible(text: str) -> str:
    r"""Write hidden characters as escapes such as ``\u{202E}``; only tab and line feed stay.

    A carriage return at the end of a line is dropped, elsewhere it is written out: it would let
    one line overwrite another on a terminal. A second call changes nothing.
    """
    return make_visible(text.replace("\r\n", "\n").removesuffix("\r")).replace("\r", "\\x0d")


def well_formed(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 file can hold, by U+FFFD; all else stays."""
    return _SURROGATE.sub("\ufffd", text)


def inert_lines(text: str) -> str:
    r"""Keep lines from being commands to a CI runner: ``::`` at the start becomes ``:\:``, ``##[`` becomes ``##\[``.

    A runner takes no notice of blanks before ``::``, and looks for ``##[`` anywhere in a line. Escape sequences
    before ``::`` count as blanks here.
    """
    return _COMMAND.sub(lambda match: f"{match.group()[:-1]}\\{match.group()[-1]}", text)


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters; a cut text ends in an ellipsis."""
    return text if len(text) <= limit else f"{text[: max(0, limit - 1)]}…"
