"""How a definition looks in one line of Java, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_NAME = rb"([A-Za-z_$\x80-\xff][\w$\x80-\xff]*+)"
_CAPITAL = rb"([A-Z][\w$]*+)"
# What cannot start a definition is refused by its first letter, then by its first word: most lines end here.
_START = (
    rb"\n[ \t]*+(?=[A-Za-z@<_$\x80-\xff])"
    rb"(?!(?:return|new|throw|else|assert|case|yield|import|package|throws|extends|implements|permits|if|for|while"
    rb"|switch|catch|try|do|super|this)\b|synchronized[ \t]*+\()"
)
_MODIFIERS = rb"(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)[ \t]++)*+"
_WORD = rb"[\w$@<>,.?\[\]&\x80-\xff]++"
_TYPE = _MODIFIERS + rb"(?:class|interface|enum|record|@interface)[ \t]++" + _NAME + rb"(?![ \t]*+[=;,).])"
# Annotations, modifiers, type parameters and the type in front of a name are not told apart. In the style
# ``name (…)`` the name is the last of the words; calls end with a semicolon.
_METHOD = (
    rb"(?:(" + _WORD + rb")[ \t]++)++(?:(?<!new[ \t])(?<!,[ \t])" + _NAME
    + rb"\(|(?<=[\w>][ \t])\((?=[^\n;]*\n)"
)  # fmt: skip
_CONSTRUCTOR = _CAPITAL + rb"[ \t]?\([^()\n]*+\)[ \t]*+(?:throws[^\n{]*+)?\{[ \t\r]*+(?=\n)"

_NAMES = re.compile(
    _START + rb"(?:" + _TYPE
    # The last of the words is the name where a value follows.
    + rb"|(?:(?:public|protected|private|final)[ \t]++)*+static[ \t]++(?:(" + _WORD + rb")[ \t]*+)++[=;]"
    + rb"|" + _METHOD
    + rb"|(?<=[A-Z0-9_][ \t])=|=[ \t]*+(?:\w++|\([\w, \t]*+\))[ \t]*+->)"
    + rb"|" + _CAPITAL + rb"[ \t]*+[,;{(\r\n]"
    + rb"|(?:public|protected|private)[ \t]++" + _CAPITAL + rb"[ \t]*+\{)"
)  # fmt: skip
"""Definition lines, constants, static fields, lambdas with a name, and enum constants at the start of a line."""

_ENUM = re.compile(rb"enum[ \t]++" + _NAME + rb"[^{};]{0,500}+\{[^{};]{0,5000}+")
_NOT_FIRST = re.compile(rb"[{,][ \t]*+([A-Z][\w$]*+)")

_ONE_LINE = re.compile(rb"[{};][ \t]*+(?:" + _WORD + rb"[ \t]++)+?" + _NAME + rb"(?=[ \t]*+[({=;])")
"""What stands behind the first brace of a type on the same line."""

_TYPE_LINE = re.compile(_MODIFIERS + rb"(class|interface|enum|record|@interface)[ \t]")


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that define something with a body."""
    return re.compile(
        _START + rb"(?:" + _TYPE + rb"|" + _METHOD + rb")|" + _CONSTRUCTOR
        + rb"|(?:public|protected|private)[ \t]++" + _CAPITAL + rb"[ \t]*+\{)"
    )  # fmt: skip


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of Java text that likely define something."""
    for match in _NAMES.finditer(buffer, max(start - 1, 0), end):
        group = match.lastindex or 0
        yield match.start(group), match[group]
        if group == 1:
            line_end = buffer.find(b"\n", match.end(), end)
            for member in _ONE_LINE.finditer(buffer, match.end(), line_end if line_end >= 0 else end):
                yield member.start(1), member[1]
    at = buffer.find(b"enum ", start, end)
    while at >= 0:
        listed = _ENUM.match(buffer, at, end)
        if listed is not None:
            for constant in _NOT_FIRST.finditer(buffer, listed.end(1), listed.end()):
                yield constant.start(1), constant[1]
        at = buffer.find(b"enum ", at + 5, end)


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    word = _TYPE_LINE.match(line.lstrip())
    if word is None:
        return "method"
    return word.group(1).decode().replace("@interface", "annotation")
