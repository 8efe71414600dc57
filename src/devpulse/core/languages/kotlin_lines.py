"""How a definition looks in one line of Kotlin, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_NAME = rb"(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*+)|`([^`\n]++)`)"
_START = rb"\n([ \t]*+)(?=[a-zA-Z@`])(?:@[\w.:]++(?:\([^()\n]*+\))?[ \t]++)*+"
_MODIFIERS = (
    rb"(?:(?:public|private|protected|internal|open|abstract|final|sealed|data|inner|enum|annotation|value|inline"
    rb"|tailrec|operator|infix|suspend|external|override|lateinit|const|expect|actual|companion|fun(?=[ \t]+interface))"
    rb"[ \t]++)*+"
)
_TYPE_PARAMETERS = rb"(?:<[^\n()]{0,200}?>[ \t]++)?"
# What an extension extends: ``List<Map<A, B>>?.`` or ``(Int.() -> Unit).`` in front of the name.
_RECEIVER = rb"(?:[\w.?<>, *@]{0,200}\.|\([^\n]{0,200}?\)\??\.)?"
_FUNCTION = rb"fun[ \t]++" + _TYPE_PARAMETERS + _RECEIVER + _NAME + rb"[ \t]*+\("
_TYPE = rb"(?:class|interface|object)[ \t]++" + _NAME
_VALUE = rb"va[lr][ \t]++" + _TYPE_PARAMETERS + _RECEIVER + _NAME + rb"[ \t]*+(?=[:=\r\n]|by\b)"

_FUNCTION_NAMES, _TYPE_NAMES, _VALUE_NAMES, _COMPANION = (2, 3), (4, 5, 10), (6, 7), 10


_NAMES = re.compile(
    _START + rb"(?:" + _MODIFIERS + rb"(?:" + _FUNCTION + rb"|" + _TYPE + rb"|" + _VALUE
    + rb"|typealias[ \t]++" + _NAME + rb"|(?<=companion[ \t])(object)\b)"
    + rb"|([A-Z][A-Z0-9_]*+)(?=[ \t]*+[,;({\r\n])|([A-Z]\w*+)(?=[ \t]*+[,;{]))"
)  # fmt: skip
"""Definition lines, properties, local variables, type aliases, and enum entries at the start of a line."""

_FUNCTION_NAMES, _TYPE_NAMES, _VALUE_NAMES, _COMPANION = (2, 3), (4, 5, 10), (6, 7), 10


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that define something with a body."""
    return re.compile(_START + _MODIFIERS + rb"(?:" + _FUNCTION + rb"|" + _TYPE + rb")")


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of Kotlin text that likely define something; by their indentation, without local variables."""
    around: list[tuple[int, bool]] = []
    for match in _NAMES.finditer(buffer, max(start - 1, 0), end):
        group = match.lastindex or 0
        indent = match.end(1) - match.start(1)
        while around and around[-1][0] >= indent:
            around.pop()
        if group in _VALUE_NAMES:
            if around and around[-1][1] and buffer.startswith(b"va", match.end(1)):
                continue
        elif group in _FUNCTION_NAMES or group in _TYPE_NAMES:
            around.append((indent, group in _FUNCTION_NAMES))
        yield match.start(group), b"Companion" if group == _COMPANION else match[group]


_KIND = re.compile(rb"\b(?:(enum)[ \t]+class|(annotation)[ \t]+class|(class)|(interface)|(object))\b")


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    head = re.split(rb"\bfun[ \t]+(?!interface)|[({:]", line, maxsplit=1)[0]
    found = _KIND.search(head)
    return found[found.lastindex or 0].decode() if found else "function"
