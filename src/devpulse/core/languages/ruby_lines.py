"""How definitions look in Ruby text, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from devpulse.core.languages.ruby_words import ATTRIBUTES, HANDLING, ROUTE_VERBS, route_name

_METHOD = (
    rb"(?:@{0,2}[A-Za-z_]\w*+(?:::\w++)*+[ \t]*\.[ \t]*)?"
    rb"((?:[A-Za-z_\x80-\xff][\w\x80-\xff]*+(?:[?!]|=(?![=~>]))?|[+\-]@?|\*\*?|\[\]=?|<=>|<<|>>|[<>]=?"
    rb"|===?|=~|!=|!~|[!~%&|^/`]))"
)
_OUTER = rb"(?:(?:::)?[A-Z\x80-\xff][\w\x80-\xff]*+::)*+(?:::)?"
_CONSTANT = rb"([A-Z\xc3-\xff][\w\x80-\xff]*+)"

# A literal at the front of each pattern lets the engine skip the rest of the text quickly.
_DEF = re.compile(rb"def[ \t]++" + _METHOD)
_CLASS = re.compile(rb"class[ \t]++" + _OUTER + _CONSTANT)
_MODULE = re.compile(rb"module[ \t]++" + _OUTER + _CONSTANT)
_ASSIGNED = re.compile(
    rb"\n[ \t]*+" + _OUTER + _CONSTANT + rb"[ \t]*+((?:,[ \t]*+[A-Z]\w*+[ \t]*+)*+)(?:\|\||&&)?=(?![=~>])"
)
_WORD = re.compile(rb"\w+")
_QUOTED = rb"(?::[\"']?|[\"'])[\w?!=<>+\-*/%&|^~\[\]\x80-\xff]++[\"']?"
_CALLED = re.compile(
    rb"\n[ \t]*+(?:(?:private|protected|public)[ \t(]++)?(?:[\w:@]++\.)*+"
    rb"(?:((?:" + b"|".join(sorted(word.encode() for word in ATTRIBUTES)) + rb")[ \t(]++"
    rb"(?:" + _QUOTED + rb"[ \t]*+(?:,\s*+)?)++)"
    rb"|((?:define_method|define_singleton_method|alias_method)[ \t(]++" + _QUOTED + rb")"
    rb"|(scope[ \t(]++:\w++(?=[ \t]*,[ \t]*(?:->|lambda|proc)))"
    rb"|alias[ \t]++(?=[^$\s])(?::?" + _METHOD + rb"))"
)
_SYMBOL = re.compile(rb"[:\"']([A-Za-z_\x80-\xff][\w\x80-\xff]*+[?!=]?|[<>=+\-*/%&|^~\[\]]++)")
_ROUTE = re.compile(
    rb"\n[ \t]*+(" + b"|".join(sorted(word.encode() for word in ROUTE_VERBS))
    + rb")[ \t(]++(?:\"([^\s\"#]*+)\"|'([^\s']*+)'|:(\w++))([^\n]{0,300})"
)  # fmt: skip
_RESOURCE = re.compile(rb"\n[ \t]*+(resources?)[ \t(]++((?:[:\"']\w++[\"']?[ \t]*+(?:,[ \t]*+)?)++)")
_ROOT = re.compile(rb"\n[ \t]*+root[ \t(]++(?:to:|:to\b|[\"']\w[^\n\"']*#)")

_BEFORE = b" \t\n;({|,"
_LOOK_BACK = 200
"""Bytes looked at before a definition that does not begin its line; enough to see a comment or a string."""


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that open a block with a name."""
    return re.compile(
        rb"\n[ \t]*+(?:(?:class|module)[ \t]++" + _OUTER + _CONSTANT
        + rb"|(?:(?!alias|undef)[a-z_]\w*+[ \t]++){0,2}def[ \t]++" + _METHOD + rb")"
    )  # fmt: skip


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The places in Ruby text that likely define something."""
    first = max(start - 1, 0)
    for pattern in (_DEF, _CLASS, _MODULE):
        for match in pattern.finditer(buffer, start, end):
            if _is_code(buffer, match.start()):
                yield match.start(1), match[1]
    for match in _ASSIGNED.finditer(buffer, first, end):
        yield match.start(1), match[1]
        for more in _WORD.finditer(buffer, match.start(2), match.end(2)):
            yield more.start(), more[0]
    for match in _CALLED.finditer(buffer, first, end):
        group = match.lastindex or 0
        if group == 4:
            yield match.start(4), match[4]
        else:
            for symbol in _SYMBOL.finditer(buffer, match.start(group), match.end(group)):
                yield symbol.start(1), symbol[1]
    yield from _routes(buffer, first, end)


def _routes(buffer: bytes | bytearray, first: int, end: int) -> Iterator[tuple[int, bytes]]:
    for match in _ROUTE.finditer(buffer, first, end):
        if HANDLING.search(match[5]):
            path = next(part for part in match.group(2, 3, 4) if part is not None)
            yield match.start(1), route_name(match[1].decode(), path.decode("utf-8", errors="replace")).encode()
    for match in _RESOURCE.finditer(buffer, first, end):
        for symbol in _SYMBOL.finditer(buffer, match.start(2), match.end(2)):
            yield symbol.start(1), route_name(match[1].decode(), symbol[1].decode("utf-8", errors="replace")).encode()
    for match in _ROOT.finditer(buffer, first, end):
        yield match.start() + 1, b"GET /"


def _is_code(buffer: bytes | bytearray, at: int) -> bool:
    """Whether a keyword may open a definition: nothing but code stands before it on its line."""
    if at and buffer[at - 1] not in _BEFORE:
        return False
    back = max(at - _LOOK_BACK, 0)
    before = bytes(buffer[max(buffer.rfind(b"\n", back, at) + 1, back) : at]).lstrip(b" \t")
    return not before or not before.startswith(b"#")


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    word = line.split(None, 1)[0]
    return word.decode() if word in (b"class", b"module") else "function"
