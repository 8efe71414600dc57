"""How a definition looks in one line of Go, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from devpulse.core.languages.heads import Head

_NAME = rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*+)"
_RECEIVER = rb"\([^()\n]*?([A-Za-z_\x80-\xff][\w\x80-\xff]*+)[ \t]*+(?:\[[^\]\n]*+\])?[ \t]*+,?[ \t]*+\)[ \t]*+"

_NAMES = re.compile(
    rb"\n[ \t]*+(?:func[ \t]++(?:\([^()\n]*+\)[ \t]*+)?" + _NAME + rb"[ \t]*+[\[(]"
    + rb"|type[ \t]++" + _NAME
    + rb"|(?:const|var)[ \t]++" + _NAME
    + rb"|(?:const|var|type)[ \t]*+(\())"
)  # fmt: skip
_MORE = re.compile(rb"(?:[ \t]*+,[ \t]*+[A-Za-z_\x80-\xff][\w\x80-\xff]*+)++")
_VALUE, _GROUP = 3, 4
"""The groups of ``_NAMES`` that may name several values, and that open several definitions in brackets."""

_MEMBER = re.compile(rb"\n[ \t]++" + _NAME + rb"([ \t]*+,)?")
# The word comes first: patterns that start with one are searched for it.
_INTERFACE = re.compile(rb"interface(?<=[ \t\]=]interface)[ \t]*+\{")
_METHOD = re.compile(rb"[\n;{][ \t]*+" + _NAME + rb"[ \t]*+\(")
_WORD = re.compile(_NAME)
_CALL = re.compile(rb"\.(\w++)\([ \t\r\n]*+[\"`]([^\"`\n]*+)[\"`][ \t]*+,(?:[ \t]*+[\"`](/[^\"`\n]*+)[\"`])?")

_VERBS = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "connect", "trace", "any", "all", "use"}
)
_REGISTERING = frozenset({"Handle", "HandleFunc", "Method", "MethodFunc"})
_CALLED = frozenset(word.lower().encode() for word in _VERBS | _REGISTERING)
_PATTERN = re.compile(r"(?:([A-Z]+) +)?[\w.-]*(/\S*)$")


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The definition lines of Go text: functions, types, values, the members of their groups and of interfaces."""
    begin = max(start - 1, 0)
    done = begin
    for match in _NAMES.finditer(buffer, begin, end):
        group = match.lastindex or 0
        if group != _GROUP:
            yield match.start(group), match[group]
            if group == _VALUE:
                yield from _more(buffer, match.end(group), end)
        elif match.start() >= done:  # else inside a group that was read already, or that nothing closes
            done = _closing(buffer, match.end(), end, b")")
            yield from _members(_MEMBER, buffer, match.end() - 1, done)
    done = begin
    for match in _INTERFACE.finditer(buffer, begin, end):
        if match.start() >= done:
            done = _closing(buffer, match.end(), end, b"}")
            yield from _members(_METHOD, buffer, match.end() - 1, done)
    for match in _CALL.finditer(buffer, begin, end):
        if match[1].lower() not in _CALLED:
            continue
        texts = [part.decode("utf-8", errors="replace") for part in (match[2], match[3]) if part is not None]
        route = route_name(match[1].decode(), texts)
        if route:
            yield match.start(1), route.encode("utf-8", errors="replace")


def route_name(called: str, texts: Sequence[str]) -> str:
    """``GET /x`` for a call of a router with these first texts; empty when it registers nothing."""
    if called in _REGISTERING:
        match = _PATTERN.match(" ".join(texts))
        return f"{match[1] or 'ANY'} {match[2]}" if match else ""
    return f"{called.upper()} {texts[0]}" if called.lower() in _VERBS and texts and texts[0].startswith("/") else ""


@cache
def _calls() -> re.Pattern[bytes]:
    names = "|".join([*sorted(_REGISTERING), *(f"(?i:{verb})" for verb in sorted(_VERBS))])
    return re.compile(rb"\.\s{0,9}(?:" + names.encode() + rb")\s{0,9}\(")


def may_register(source: bytes) -> bool:
    """Whether a text has a call by a name that registers routes."""
    return _calls().search(source) is not None


@cache
def _heads() -> re.Pattern[bytes]:
    return re.compile(
        rb"\n(?:func[ \t]++(?:" + _RECEIVER + rb")?" + _NAME + rb"[ \t]*+[\[(]"
        + rb"|type[ \t]++" + _NAME + rb"[ \t]++(?=[^\n]*\{))"
    )  # fmt: skip


def heads(source: bytes) -> Iterator[Head]:
    """The first lines of functions and types at the margin."""
    for match in _heads().finditer(b"\n" + source):
        group = match.lastindex or 0
        names = tuple(part.decode("utf-8", errors="replace") for part in (match[1], match[group]) if part)
        if group == 3:
            line_end = source.find(b"\n", match.end() - 1)
            line = source[match.end() - 1 : line_end if line_end >= 0 else len(source)]
            kind = "struct" if b"struct" in line else "interface" if b"interface" in line else "type"
            yield Head(names, kind, match.start(group) - 1)
        else:
            yield Head(names, "method" if len(names) > 1 else "function", match.start(group) - 1)


def _members(member: re.Pattern[bytes], buffer: bytes | bytearray, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    for found in member.finditer(buffer, begin, end):
        yield found.start(1), found[1]
        if found.lastindex == 2:
            yield from _more(buffer, found.end(1), end)


def _more(buffer: bytes | bytearray, at: int, end: int) -> Iterable[tuple[int, bytes]]:
    """The other names of ``a, b = 1, 2``."""
    listed = _MORE.match(buffer, at, end)
    return [(word.start(), word[1]) for word in _WORD.finditer(buffer, at, listed.end())] if listed else ()


def _closing(buffer: bytes | bytearray, at: int, end: int, bracket: bytes) -> int:
    """The offset at which a group ends: its line's end, else a bracket indented like its first line."""
    line_end = buffer.find(b"\n", at, end)
    inside = bytes(buffer[at : max(at, min(line_end, at + 200))]).strip()
    if line_end >= 0 and inside and not inside.startswith(b"//"):
        return line_end
    line = buffer.rfind(b"\n", 0, at) + 1
    first = bytes(buffer[line : min(at, line + 200)])
    indent = first[: len(first) - len(first.lstrip())]
    stop = buffer.find(b"\n" + indent + bracket, at, end)
    return stop if stop >= 0 else end
