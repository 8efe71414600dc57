"""Mako: ``${ }`` is escaped only by a filter, of the value, the page or all templates; ``n`` takes those away.

https://docs.makotemplates.org/en/latest/filtering.html
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

PYTHON = Syntax(joins=frozenset({"+"}), requests=frozenset({"params"}))
_IS_MAKO = lazy(r"<%(?:inherit|page|def|namespace|include|block|!|\s)|^[ \t]*%[ \t]*(?:if|for|endif)\b", 8)
_OF_PAGE = lazy(r"<%page\b[^<>]{0,200}expression_filter\s*=\s*[\"'][^\"']{0,40}\bh\b")
_FILTERS = lazy(r"\|\s*([\w., ]{1,80})$")
_ESCAPES = lazy(r"(?:^|[\s,.])(?:h|u|x|html_escape|js_escaped_string|dump_js_escaped_json|clean\w*|escape\w*)\b")
_NOT_AUTOMATIC = lazy(r"(?:^|[\s,])n\b")


def tags(text: str) -> Iterator[Tag]:
    """Every ``${ }`` of a file that is Mako's."""
    if _IS_MAKO.search(text) is None:
        return
    automatic = _OF_PAGE.search(text) is not None
    by_hand = not automatic and "|h}" in text.replace(" ", "")
    for piece in pieces(text, {"${": "}", "<%doc>": "</%doc>", "<%": "%>", "<script": ">"}):
        if piece.opening == "<script":
            continue
        if piece.opening != "${":
            yield Tag(piece.start, piece.end)
            continue
        filters = _FILTERS.search(piece.inner)
        told = "" if filters is None else filters.group(1)
        value = piece.inner if filters is None else piece.inner[: filters.start()]
        raw_told = _NOT_AUTOMATIC.search(told) is not None
        raw = not _ESCAPES.search(told) and (raw_told or not automatic)
        yield Tag(piece.start, piece.end, value.strip(), raw=raw, certain=raw_told or by_hand)


FORMAT = Format("mako", PYTHON, tags, assignments(r"<%\s+(\w{1,60})\s*=\s*([^%\n]{1,400})"))
