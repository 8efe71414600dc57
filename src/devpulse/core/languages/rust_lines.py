"""How a definition looks in one line of Rust, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from devpulse.core.languages.heads import Head

_NAME = rb"(?:r#)?([A-Za-z_\x80-\xff][\w\x80-\xff]*+)"
_BEGIN = rb"[\n{};][ \t]*+(?:#\[[^\]\n]*+\][ \t]*+)*+(?:pub(?:[ \t]*+\([^)\n]*+\))?[ \t]++)?(?:default[ \t]++)?"
_FUNCTION = rb"(?:(?:const|async|unsafe|safe|extern(?:[ \t]*+\"[^\"\n]*+\")?)[ \t]++)*+fn[ \t\r\n]++" + _NAME
_TYPE = rb"(?:unsafe[ \t]++)?(?:auto[ \t]++)?(struct|enum|union|trait|type|mod|macro_rules!)[ \t]++" + _NAME

_NAMES = re.compile(
    _BEGIN + rb"(?:" + _FUNCTION
    + rb"|(?:unsafe[ \t]++)?(?:auto[ \t]++)?(?:struct|enum|union|trait|type|mod|macro_rules!)[ \t]++" + _NAME
    + rb"|(?:const|static(?:[ \t]++ref)?)[ \t]++(?:mut[ \t]++)?" + _NAME + rb"[ \t\r\n]*+:)"
)  # fmt: skip
_ROUTE = re.compile(rb"\.route\([ \t\r\n]*+\"([^\"\n]*+)\"")
_VERB = re.compile(rb"\b(get|post|put|patch|delete|head|options|trace|any|to)\(")
ROUTE_BYTES = 400
"""Bytes behind a route's path in which its verbs are looked for."""

_GENERICS = re.compile(r"<[^<>]*>")
_IMPLEMENTER = re.compile(r"(\w+)\W*$")


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The definition lines of Rust text."""
    for match in _NAMES.finditer(buffer, max(start - 1, 0), end):
        group = match.lastindex or 0
        yield match.start(group), match[group]

    for match in _ROUTE.finditer(buffer, max(start - 1, 0), end):
        stop = buffer.find(b".route(", match.end(), match.end() + ROUTE_BYTES)
        for verb in _VERB.finditer(buffer, match.end(), stop if stop >= 0 else min(end, match.end() + ROUTE_BYTES)):
            yield match.start(1), verb[1].upper() + b" " + match[1]


@cache
def _heads() -> re.Pattern[bytes]:
    return re.compile(
        rb"\n[ \t]*+(?:pub(?:[ \t]*+\([^)\n]*+\))?[ \t]++)?(?:" + _FUNCTION + rb"|" + _TYPE
        + rb"|(?:unsafe[ \t]++)?impl\b([^\n{;]*+))"
    )  # fmt: skip


def heads(source: bytes) -> Iterator[Head]:
    """The first lines of functions, types, traits, modules and implementations."""
    for match in _heads().finditer(b"\n" + source):
        group = match.lastindex or 0
        offset = match.start(group) - 1
        text = match[group].decode("utf-8", errors="replace")
        if group == 1:
            yield Head((text,), "function", offset)
        elif group == 3:
            keyword = match[2].decode()
            yield Head((text,), {"mod": "module", "macro_rules!": "macro"}.get(keyword, keyword), offset)
        else:
            name = _implementer(text)
            if name:
                yield Head((name,), "", offset)


def _implementer(text: str) -> str:
    """The type's name in what follows ``impl``: ``<T> fmt::Display for a::Wrapper<T> where …``."""
    plain = text[:400].partition(" where ")[0]
    for _ in range(4):  # generics in generics, innermost first
        plain = _GENERICS.sub("", plain)
    found = _IMPLEMENTER.search(plain)
    return found[1] if found else ""
