"""Where in a page the outputs of a template stand: text, attribute, script."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Place, Tag

_VALUE, _GONE = "\x01", " "
_OPENED = lazy(r"<(?:!--|(?P<name>/?[A-Za-z][\w:.-]{0,60}))")
_PART = lazy(r"\s+|>|(?P<name>[^\s\"'<>=]{1,200})(?:\s*=\s*(?P<quote>[\"'])?)?|.", 16)
_ENDS_VALUE = lazy(r"[\s>]")
_SCRIPT_TYPE = lazy(r"(?i)\btype\s*=\s*[\"']?\s*(?:text/(?:x-)?(?!javascript|ecmascript|babel)|x-tmpl)")
_ADDRESSES = frozenset({"href", "src", "action", "formaction", "xlink:href", "data"})
_CLOSED = {"script": lazy(r"(?i)</script"), "style": lazy(r"(?i)</style")}
_LOOK_BACK = 1_000


@dataclass(frozen=True, slots=True)
class _Region:
    start: int
    end: int
    place: Place


def placed(text: str, tags: Sequence[Tag]) -> Iterator[tuple[Tag, Place]]:
    """The outputs among the tags of a template, each with where it stands. The tags are in order."""
    outputs = [tag for tag in tags if tag.expression is not None]
    if all(tag.place is not None for tag in outputs):
        yield from ((tag, tag.place or Place.TEXT) for tag in outputs)
        return
    page = _masked(text, tags)
    regions = list(_regions(page, outputs[-1].end))
    starts = [region.start for region in regions]
    for tag in outputs:
        place = tag.place
        if place is None:
            index = bisect_right(starts, tag.start) - 1
            inside = index >= 0 and tag.start < regions[index].end
            place = _exactly(page, tag.start, regions[index]) if inside else Place.TEXT
        yield tag, place


def _masked(text: str, tags: Iterable[Tag]) -> str:
    """The page with tags replaced by as many characters that mean nothing in HTML."""
    parts, place = [], 0
    for tag in tags:
        if tag.start < place or tag.place is not None:
            continue
        parts += [text[place : tag.start], (_GONE if tag.expression is None else _VALUE) * (tag.end - tag.start)]
        place = tag.end
    return "".join((*parts, text[place:]))


def _exactly(page: str, at: int, region: _Region) -> Place:
    if region.place is Place.SCRIPT:
        return Place.QUOTED_IN_SCRIPT if _is_quoted(page, at, region.start) else Place.SCRIPT
    if region.place is Place.ADDRESS and page[region.start : at].strip():
        return Place.ATTRIBUTE
    return region.place


def _is_quoted(page: str, at: int, least: int) -> bool:
    """Whether a place in a script is within quotes, as its line has it."""
    start = max(least, page.rfind("\n", max(0, at - _LOOK_BACK), at) + 1, at - _LOOK_BACK)
    quote, escaped = "", False
    for character in page[start:at]:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'`":
            quote = character
    return bool(quote)


def _regions(page: str, last: int) -> Iterator[_Region]:
    """The parts of a page up to a place that are no text between tags."""
    place = 0
    while (found := _OPENED.search(page, place)) is not None and found.start() < last:
        name = found.group("name")
        if name is None:
            end = page.find("-->", found.end())
            end = len(page) if end < 0 else end
            yield _Region(found.end(), end, Place.COMMENT)
            place = end
            continue
        attributes = list(_attributes(page, found.end(), is_custom=":" in name))
        yield from attributes
        place = attributes[-1].end if attributes else found.end()
        place = _end_of_tag(page, place)
        kind = name.lower()
        if kind in ("script", "style") and page[place - 2 : place] != "/>":
            is_code = kind == "style" or _SCRIPT_TYPE.search(page[found.start() : place]) is None
            if is_code:
                end = _closing(page, kind, place)
                yield _Region(place, end, Place.SCRIPT if kind == "script" else Place.STYLE)
                place = end


def _closing(page: str, kind: str, start: int) -> int:
    found = _CLOSED[kind].search(page, start)
    return len(page) if found is None else found.start()


def _end_of_tag(page: str, place: int) -> int:
    """Behind the ``>`` of a tag whose attributes have been read."""
    while (part := _PART.match(page, place)) is not None:
        place = part.end()
        if part.group() == ">":
            return place
        if part.group() == "<":
            return place - 1
    return len(page)


def _attributes(page: str, place: int, *, is_custom: bool) -> Iterator[_Region]:
    """The values of the attributes of a tag."""
    while (part := _PART.match(page, place)) is not None:
        place = part.end()
        if part.group() in (">", "<"):
            return
        name, quote = part.group("name"), part.group("quote")
        if name is None:
            continue
        if quote:
            end = page.find(quote, place)
            if end < 0:
                end = len(page)
            yield _Region(place, end, Place.ELSEWHERE if is_custom else _of_attribute(name))
            place = min(end + 1, len(page))
        elif part.group().endswith("="):
            ending = _ENDS_VALUE.search(page, place)
            end = len(page) if ending is None else ending.start()
            yield _Region(place, end, Place.ELSEWHERE if is_custom else Place.UNQUOTED)
            place = end
        elif _VALUE in name:
            yield _Region(part.start(), part.end(), Place.ATTRIBUTE)


def _of_attribute(name: str) -> Place:
    lower = name.lower()
    if lower in _ADDRESSES:
        return Place.ADDRESS
    return Place.HANDLER if lower.startswith("on") and lower.isalpha() else Place.ATTRIBUTE
