"""How a definition looks in one line of C#, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_NAME = rb"@?+([A-Za-z_\x80-\xff][\w\x80-\xff]*+)"
# What cannot start a definition is refused by its first letter, then by its first word: most lines end here.
_START = (
    rb"\n[ \t]*+(?=[A-Za-z_@(\[~\x80-\xff])(?:\[[^\n\]]*+\][ \t]*+)*+"
    rb"(?!(?:return|new|throw|else|await|case|yield|using|goto|if|while|for|foreach|switch|lock|catch|fixed|where|when"
    rb"|and|or|is|in|from|select|join|let|orderby|into|on|base|this)\b)"
)
_MODIFIERS = (
    rb"(?:(?:public|protected|private|internal|static|sealed|abstract|partial|readonly|ref|unsafe|new|file)[ \t]++)*+"
)
# A word of a type may hold a tuple, or be one: ``Task<(int Id, string Name)>``, ``(int, int)[]``.
_PART = rb"[\w@<>,.?\[\]*\x80-\xff]++"
_WORD = (
    rb"(?:(?:global::)?+" + _PART + rb"(?:(?<=[<,])\([^()\n]*+\)" + _PART + rb")*+"
    rb"|\([^()\n]*+\)[?\[\]]*+(?=[ \t]++[\w@]))"
)  # fmt: skip
_TYPE = (
    _MODIFIERS + rb"(?:class|struct|interface|enum|record(?:[ \t]++(?:class|struct))?|namespace)[ \t]++"
    + rb"(?:\w++\.)*+" + _NAME
    + rb"(?![ \t]*+[=,).])"
)  # fmt: skip
# In the style ``Name (…)`` the name is the last of the words; calls end with a semicolon. ``Map<K, V>(`` looks like two
# words, so words are given back one by one.
_METHOD = (
    rb"(?:(" + _WORD + rb")[ \t]++)+(?:(?<!new[ \t])(?<!,[ \t])(?<!operator[ \t])(?:\w++(?:<[^\n()]*?>)?\.)*+" + _NAME
    + rb"(?:<[^\n()]*>)?+\(|(?<=[\w>][ \t])\((?=[^\n;]*\n)"
)  # fmt: skip
_CONSTRUCTOR = rb"~?([A-Z_]\w*+)\([^()\n]*+\)[ \t\r]*+\n?[ \t]*+(?:\{|:[ \t]*+(?:base|this)\b)"

_ACCESSORS = rb"\{[ \t]*+(?:\w++[ \t]++)?(?:get|set|init)\b"

_NAMES = re.compile(
    _START + rb"(?:" + _TYPE
    # The last of the words is the name where a value follows.
    + rb"|(?:(?:public|protected|private|internal|readonly|new|unsafe|volatile)[ \t]++)*+(?:static|const|event)[ \t]++"
    + rb"(?:(" + _WORD + rb")[ \t]*+)++(?:[;={](?![=>])|\r?\n[ \t]*+[{=])"
    + rb"|" + _METHOD
    + rb"|=[ \t]*+(?:async[ \t]++)?(?:\w++|\([\w, \t]*+\))[ \t]*+=>|" + _ACCESSORS + rb")"
    + rb"|(?:public|protected|private|internal|static|override|abstract|virtual|sealed|new|required)[ \t]++"
    + rb"(?:(" + _WORD + rb")[ \t\r]*+)++(?:=>|\n?[ \t]*+\{)"
    + rb"|" + _CONSTRUCTOR + rb")"
)  # fmt: skip
"""Definition lines, properties, events, constants, static fields, lambdas with a name."""

_ENUM = re.compile(rb"enum[ \t]++" + _NAME + rb"[^{};]{0,500}+\{[^{};]{0,20000}+")
_MEMBER = re.compile(rb"(?:\n|[{,])[ \t]*+(?:\[[^\n\]]*+\][ \t]*+)*+([A-Za-z_]\w*+)(?=[ \t]*+(?:[,=}\r\n]|//|\Z))")

_ONE_LINE = re.compile(rb"[{};][ \t]*+(?:" + _WORD + rb"[ \t]++)+?" + _NAME + rb"(?=[ \t]*+[({=<:])")
"""What stands behind the first brace of a type on the same line."""

_TYPE_LINE = re.compile(_MODIFIERS + rb"(class|struct|interface|enum|record|namespace)[ \t]")
_ATTRIBUTES = re.compile(rb"[ \t]*+(?:\[[^\n\]]*+\][ \t]*+)*+")


@cache
def definitions() -> re.Pattern[bytes]:
    """Lines that define something with a body."""
    return re.compile(
        _START + rb"(?:" + _TYPE + rb"|" + _METHOD + rb"|" + _ACCESSORS + rb")|" + _CONSTRUCTOR + rb")"
    )  # fmt: skip


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of C# text that likely define something."""
    for match in _NAMES.finditer(buffer, max(start - 1, 0), end):
        group = match.lastindex or 0
        if not match[group].endswith(b"]"):  # an indexer: this[int at]
            yield match.start(group), match[group]
        if group == 1:
            line_end = buffer.find(b"\n", match.end(), end)
            for member in _ONE_LINE.finditer(buffer, match.end(), line_end if line_end >= 0 else end):
                yield member.start(1), member[1]
    at = buffer.find(b"enum ", start, end)
    while at >= 0:
        listed = _ENUM.match(buffer, at, end)
        if listed is not None:
            for member in _MEMBER.finditer(buffer, listed.end(1), listed.end()):
                yield member.start(1), member[1]
        at = buffer.find(b"enum ", at + 5, end)


def kind_of_line(line: bytes) -> str:
    """The kind of what a definition line defines."""
    attributes = _ATTRIBUTES.match(line)
    word = _TYPE_LINE.match(line, attributes.end() if attributes else 0)
    if word is not None:
        return word.group(1).decode()
    return "property" if re.search(_ACCESSORS, line.split(b"(", 1)[0]) else "method"
