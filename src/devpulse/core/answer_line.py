"""What came of a look-up, in a line: names, places and numbers, never the code that was loaded."""

from __future__ import annotations

import re

from devpulse.core.lazy_pattern import lazy

MAX_CHARACTERS = 200
"""Longer sentences are cut; a list of places is cut by number, not by length."""

_MAX_PLACES = 10
_BLOCK = lazy(r"<<data [^\n]*>>\n(.*)\n<<end [^\n]*>>", re.DOTALL)
_PLACE = lazy(r"(?:\w+ \S+ )?\S+:\d+(?:-\d+)?(?=[ :]|$)")
"""``function find app/db.py:2-3`` of a search, ``app/db.py:7`` of a reference: what such a row starts with."""
_NUMBERED = lazy(r" *(\d+) ")


def answer_line(text: str) -> str:
    """The gist of one tool answer. A sentence stays as it is, rows become their places, code its line numbers."""
    block = _BLOCK.fullmatch(text)
    if block is None:
        return cut(text)
    rows = block.group(1).split("\n")
    if len(rows) == 1 and _NUMBERED.match(rows[0]) is None:
        return _places(rows) or cut(rows[0])
    numbers = [int(found.group(1)) for row in rows if (found := _NUMBERED.match(row))]
    if not numbers:
        return _places(rows) or f"{cut(rows[0])} … ({len(rows)} lines)"
    title = "" if _NUMBERED.match(rows[0]) else f"{cut(rows[0])}, "
    return f"{title}lines {numbers[0]}-{numbers[-1]}"


def cut(text: str) -> str:
    """A text on one line, without its tail when it is long."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_CHARACTERS else f"{line[:MAX_CHARACTERS]}…"


def _places(rows: list[str]) -> str:
    found = [place.group() for row in rows if (place := _PLACE.match(row))]
    more = f" and {len(found) - _MAX_PLACES} more" if len(found) > _MAX_PLACES else ""
    return "; ".join(found[:_MAX_PLACES]) + more
