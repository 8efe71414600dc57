"""Tags that server pages and templates have between the texts of a page: ``<% … %>`` and ``<? … ?>``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devpulse.core.embedded.masking import Canvas, blank, placed, stand_in
from devpulse.core.lazy_pattern import lazy

MAX_TAGS = 20_000
"""Tags of one text that are read; pages that people write have hundreds."""

_PUTS_OUT = lazy(r"<%[=-]|<\?(?:=|php\s+echo\b)")
_GOES_ON = lazy(r"\s*+(?:else|catch|finally|case|default|when|elsif|rescue|ensure)\b")
_LONGEST_COMMENT = 300
_BEGIN = lazy(r"<[%?]")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag by its first character and the one behind it; the code in it by its place, without the tag's own marks."""

    start: int
    end: int
    first: int
    last: int
    mark: str


def tags_in(text: str, marks: tuple[str, ...], trims: str = "") -> list[Tag]:
    """The ``<% … %>`` of a text, with the first of ``marks`` that each begins with. ``trims`` may end one.

    Linear: a tag without an end is none, and neither is what follows it. No more than ``MAX_TAGS``.
    """
    found: list[Tag] = []
    place = text.find("<%")
    while place >= 0 and len(found) < MAX_TAGS:
        mark = next((mark for mark in marks if text.startswith(mark, place + 2)), "")
        comment = mark == "--"
        first = place + 2 + len(mark)
        last = text.find("--%>" if comment else "%>", first)
        if last < 0:
            break
        end = last + (4 if comment else 2)
        if last > first and text[last - 1] in trims:
            last -= 1
        found.append(Tag(place, end, first, last, mark))
        place = text.find("<%", end)
    return found


def keep_code(canvas: Canvas, text: str, tag: Tag, after: Tag | None, code: str) -> None:
    """Keep what a tag does as statements; ``after`` is the tag behind it, which may go on with the same statement."""
    canvas.keep(tag.first, code)
    going_on = after is not None and not after.mark and _GOES_ON.match(text, after.first, after.last)
    if not going_on:
        canvas.keep(tag.end - 1, ";")


def without_comment(code: str, comment: re.Pattern[str]) -> str:
    """The code of a tag without the comment that it ends in, which would go on to the end of the line."""
    found = comment.search(code, max(code.rfind("\n") + 1, len(code) - _LONGEST_COMMENT))
    return code if found is None else code[: found.start()] + " " * (len(code) - found.start())


def without_tags(page: str) -> str:
    """A page with a name in the place of what it puts out, and white space in that of other tags."""
    if "<%" not in page and "<?" not in page:
        return page
    done: list[str] = []
    place = 0
    while (begin := _BEGIN.search(page, place)) is not None:
        closing = "%>" if begin[0] == "<%" else "?>"
        end = page.find(closing, begin.end())
        if end < 0 and closing == "%>":
            break
        end = len(page) if end < 0 else end + 2
        shown = _PUTS_OUT.match(page, begin.start())
        tag = page[begin.start() : end]
        done += (
            page[place : begin.start()],
            blank(tag) if shown is None else f"{placed(shown)}{stand_in(tag[len(shown[0]) :])}",
        )
        place = end
    return "".join((*done, page[place:]))
