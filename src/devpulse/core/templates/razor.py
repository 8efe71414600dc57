"""Razor: ``Html.Raw``, ``HtmlString`` and ``MarkupString`` are not escaped.

https://learn.microsoft.com/aspnet/core/mvc/views/razor#expression-encoding
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import MAX_EXPRESSION, Format, Place, Tag
from devpulse.core.templates.tokens import Syntax

CSHARP = Syntax()
_RAW = lazy(r"@\*|(?:Html\.Raw|new\s+(?:Microsoft\.AspNetCore\.Html\.)?HtmlString|\(MarkupString\))\s*\(?")
_BRACKET = lazy(r"[()]")
_NAME = lazy(r"[\w.]{1,200}")
_SET = lazy(r"\bvar\s+(\w{1,60})\s*=\s*([^;\n]{1,200});")
MAX_BRACKETS = 200


def tags(text: str) -> Iterator[Tag]:
    """Every value that is declared to be markup."""
    place = 0
    while (found := _RAW.search(text, place)) is not None:
        place = found.end()
        if found.group() == "@*":
            end = text.find("*@", place)
            place = len(text) if end < 0 else end + 2
            continue
        end = _end_of_call(text, place) if found.group().endswith("(") else _end_of_name(text, place)
        yield Tag(found.start(), end, text[place:end].strip(), raw=True, place=Place.TEXT)
        place = end


def _end_of_name(text: str, place: int) -> int:
    found = _NAME.match(text, place)
    return place if found is None else found.end()


def _end_of_call(text: str, place: int) -> int:
    depth, end = 0, min(len(text), place + MAX_EXPRESSION + 1)
    at = place
    for _ in range(MAX_BRACKETS):
        found = _BRACKET.search(text, at, end)
        if found is None:
            break
        at = found.end()
        depth += 1 if found.group() == "(" else -1
        if depth < 0:
            return found.start()
    return end


def assigned(text: str) -> Mapping[str, str]:
    """What the page gives its own variables."""
    return {match.group(1): match.group(2) for match in _SET.finditer(text)}


FORMAT = Format("razor", CSHARP, tags, assigned)
