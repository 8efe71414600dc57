"""Templates of Lodash and Underscore: ``<%=`` does not escape, ``<%-`` does. https://lodash.com/docs/#template

Told of only in a script element that is no script, or in a file that also has ``<%-``: others use the same delimiters.
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, pieces
from devpulse.core.templates.ejs import SCRIPT

_ELEMENT = lazy(
    r"(?i)<script\b[^<>]{0,300}\btype\s*=\s*[\"']?(?:text/(?:x-)?(?:template|underscore|lodash|tmpl|jst)[\w-]{0,20}|text/html)\b"
)
_OF_EJS = lazy(r"<%-\s{0,20}include\b")
_ELEMENT_END = lazy(r"(?i)</script")


def tags(text: str) -> Iterator[Tag]:
    """Every ``<% %>`` of a template in the page, or of a file that is one."""
    if "<%@" in text or "<jsp:" in text:
        return
    whole = "<%-" in text and not _OF_EJS.search(text) and _ELEMENT.search(text) is None
    end = 0
    for element in _ELEMENT.finditer(text):
        if element.start() < end:
            continue
        closing = _ELEMENT_END.search(text, element.end())
        end = len(text) if closing is None else closing.start()
        yield from _within(text, element.end(), end)
    if whole:
        yield from _within(text, 0, len(text))


def _within(text: str, start: int, end: int) -> Iterator[Tag]:
    for piece in pieces(text[start:end], {"<%": "%>", "<%=": "%>", "<%-": "%>"}):
        inner = piece.inner.strip().rstrip(";") if piece.opening != "<%" else None
        yield Tag(start + piece.start, start + piece.end, inner, raw=piece.opening == "<%=")


FORMAT = Format("lodash", SCRIPT, tags)
