"""How a definition looks in one line of JavaScript or TypeScript, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_NAME = rb"(#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+)"
_MODIFIERS = (
    rb"\n[ \t]*+(?:(?:export|default|declare|abstract|async|public|private|protected|static|readonly|override|get|set)"
    rb"[ \t]++)*+"
)
_FUNCTION_VALUE = rb"(?:async\b[ \t]*)?(?:function\b|\([^()\n]*\)[^=\n]*=>|\([^()\n]*\n|[\w$]+[ \t]*=>)"
_DEFINING = (
    _MODIFIERS
    + rb"(?:(?:function\b[ \t]*\*?|class\b|interface\b|(?:const[ \t]+)?enum\b|namespace\b)[ \t]*+" + _NAME
    + rb"|type[ \t]++" + _NAME + rb"[^\n=]*="
    + rb"|(?:const|let|var)[ \t]++" + _NAME + rb"[ \t]*+(?::[^=\n]+)?=[ \t]*" + _FUNCTION_VALUE
    + rb"|\*?[ \t]*(?!(?:if|for|while|switch|catch|return|function|with|super|else|do)\b)" + _NAME
    + rb"[ \t]*+(?:<[^\n>]*>)?\((?:[^\n]*\{[ \t\r]*+(?:\}?[ \t\r]*+,?)(?=\n)|[^()\n]*\)[^()=;\n]*\{)"
    + rb"|(?:[\w$]++\.)*+" + _NAME + rb"[ \t]*+[:=][ \t]*" + _FUNCTION_VALUE
)  # fmt: skip

_NAMES = re.compile(_DEFINING + rb"|(?:const|let|var)[ \t]++" + _NAME + rb"[ \t]*+(?::[^=\n]+)?=)")
"""Definition lines, and assigned variables."""


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that define something with a body. Calls that take a callback on their line also match."""
    return re.compile(_DEFINING + rb")")


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of JavaScript or TypeScript text that likely define something."""
    for match in _NAMES.finditer(buffer, max(start - 1, 0), end):
        group = match.lastindex or 0
        yield match.start(group), match[group]


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    words = line.replace(b"(", b" ").split()
    for kind in ("class", "interface", "enum", "type", "namespace"):
        if kind.encode() in words[:4]:
            return kind
    return "function" if re.search(rb"\bfunction\b|=>|=", line) else "method"
