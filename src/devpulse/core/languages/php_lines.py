"""How definitions look in PHP text, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from devpulse.core.languages.php_words import ROUTE_WORDS, route_name

_NAME = rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*+)"
_MODIFIERS = rb"(?:(?:abstract|final|readonly|public|protected|private|static|var)[ \t]++)*+"

# A literal at the front of each pattern lets the engine skip the rest of the text quickly.
_FUNCTION = re.compile(rb"function\s++&?\s*+" + _NAME + rb"\s*+\(")
_UPPER_FUNCTION = re.compile(rb"F(?:unction|UNCTION)\s++&?\s*+" + _NAME + rb"\s*+\(")
_TYPES = (
    re.compile(rb"class\s++(?!extends\b|implements\b)" + _NAME),
    re.compile(rb"interface\s++" + _NAME),
    re.compile(rb"trait\s++" + _NAME),
    re.compile(rb"enum\s++" + _NAME),
    re.compile(rb"C(?:lass|LASS)\s++" + _NAME),
)
_CONST = re.compile(
    rb"const\s++(?:[?\w\\|&()]++[ \t]++)??" + _NAME + rb"\s*+=([^\n;]*+(?:\n[ \t]*+\w++\s*+=[^\n;]*+)*+)"
)
_MORE_CONST = re.compile(rb",\s*+([A-Za-z_]\w*+)\s*+=(?!=|>)")
_DEFINE = re.compile(rb"define\s*+\(\s*+[\"']([\w\\\x80-\xff]++)[\"']\s*+,")
_CASE = re.compile(rb"\n[ \t]*+(?:#\[[^\n]*\][ \t]*+)?case[ \t]++" + _NAME + rb"[ \t]*+(?:=[^\n]*)?;")
_PROPERTY = re.compile(
    rb"\n[ \t]*+(?:#\[[^\n]*\][ \t]*+)?"
    rb"(?:(?:public|protected|private|static|readonly|var|final|abstract)(?:\(set\))?[ \t]++)++"
    rb"(?:[?\w\\|&()]++[ \t]++)?\$" + _NAME + rb"[ \t\r]*+(?=[=;{,\n])([^\n;{(]*+)"
)
_MORE_PROPERTY = re.compile(rb",\s*+\$" + _NAME)
_VARIABLE = re.compile(rb"\n\$" + _NAME + rb"[ \t]*+=(?![=>])")
_CLOSURE = re.compile(rb"\$" + _NAME + rb"\s*+=\s*+(?:static\s++)?(?:function|fn)\b\s*+&?\s*+\(")
_NAMESPACE = re.compile(rb"namespace[ \t]++([A-Za-z_][\w\\]*+)[ \t]*+[;{\r\n]")
_WORDS = b"|".join(sorted(word.encode() for word in ROUTE_WORDS))
_PATH = rb"\s*+\(\s*+(?:\[[^\]\n]*\]\s*+,\s*+)?[\"']([^\"'\s$]*+)[\"']\s*+,"
_STATIC_ROUTE = re.compile(rb"Route(?:r?::)(" + _WORDS + rb")" + _PATH)
_ROUTE = re.compile(rb"->(" + _WORDS + rb")" + _PATH)
_ROUTER = re.compile(rb"(?:app|application|router|routes?|group|slim|klein)\s*$", re.IGNORECASE)
_HANDLER = re.compile(rb"\s*+(?:\[?\s*+[\w\\]++::class|function\b|fn\b|static\b|[\"'][\w\\]++@)")

_Patterns = tuple[tuple[re.Pattern[bytes], re.Pattern[bytes] | None], ...]
_AFTER_CODE: _Patterns = (
    *((pattern, None) for pattern in (_FUNCTION, _UPPER_FUNCTION, *_TYPES, _DEFINE, _NAMESPACE, _CLOSURE)),
    (_CONST, _MORE_CONST),
)
_FIRST_ON_LINE: _Patterns = ((_PROPERTY, _MORE_PROPERTY), (_CASE, None), (_VARIABLE, None))

_BEFORE = b" \t\r\n;{}(,])&|=>?"
_OWNER_BYTES = 40
"""Bytes looked at before an arrow: the name of the object, and indentation."""

_LOOK_BACK = 200
"""Bytes looked at before a keyword; enough to see a comment."""


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that open a block with a name."""
    return re.compile(
        rb"\n[ \t]*+(?:<\?(?:php)?[ \t]++)?(?:#\[[^\n]*\][ \t]*+)?" + _MODIFIERS
        + rb"(?:function[ \t]++&?[ \t]*+" + _NAME
        + rb"|(?:class|interface|trait|enum)[ \t]++(?!extends\b|implements\b)" + _NAME
        + rb"(?=[ \t\r]*+(?:[\n{:/#]|extends\b|implements\b)))",
        re.IGNORECASE,
    )  # fmt: skip


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The places in PHP text that likely define something."""
    for pattern, more_of in _AFTER_CODE:
        for match in pattern.finditer(buffer, start, end):
            if _is_code(buffer, match.start()):
                yield from _names_of(match, more_of, buffer)
    for pattern, more_of in _FIRST_ON_LINE:
        for match in pattern.finditer(buffer, max(start - 1, 0), end):
            yield from _names_of(match, more_of, buffer)
    yield from _routes(buffer, start, end)


def _routes(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    for pattern in (_STATIC_ROUTE, _ROUTE):
        for match in pattern.finditer(buffer, start, end):
            before = bytes(buffer[max(match.start() - _OWNER_BYTES, start) : match.start()])
            # In a chain of calls only the handler tells a route from a test's request.
            chained = before.rstrip().endswith(b")") and _HANDLER.match(buffer, match.end())
            if pattern is _STATIC_ROUTE or chained or _ROUTER.search(before):
                path = match[2].decode("utf-8", errors="replace")
                yield match.start(1), route_name(match[1].decode(), path).encode()


def _names_of(
    match: re.Match[bytes], more_of: re.Pattern[bytes] | None, buffer: bytes | bytearray
) -> Iterator[tuple[int, bytes]]:
    """The name a match starts with, and those of the same declaration behind it."""
    yield match.start(1), match[1]
    for more in more_of.finditer(buffer, match.start(2), match.end(2)) if more_of is not None else ():
        yield more.start(1), more[1]


def _is_code(buffer: bytes | bytearray, at: int) -> bool:
    """Whether a keyword may open a definition: no word and no comment stands before it on its line."""
    if at and buffer[at - 1] not in _BEFORE:
        return False
    back = max(at - _LOOK_BACK, 0)
    before = bytes(buffer[max(buffer.rfind(b"\n", back, at) + 1, back) : at]).lstrip(b" \t")
    return not before.startswith((b"*", b"//", b"/*")) and not (before.startswith(b"#") and before[1:2] != b"[")


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    words = line.lower().replace(b"(", b" ").replace(b"{", b" ").split()
    for kind in ("class", "interface", "trait", "enum"):
        if kind.encode() in words and b"function" not in words:
            return kind
    return "function"
