"""JSP: ``<%= %>`` and ``${ }`` in the page do not escape, nor does ``c:out`` when it is told not to.

https://jakarta.ee/specifications/pages/3.1/jakarta-server-pages-spec-3.1#expressions
https://jakarta.ee/specifications/tags/3.0/tagdocs/c/out.html
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Place, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

JAVA = Syntax(requests=frozenset({"param", "paramValues", "header", "headerValues", "cookie"}))
_DELIMITERS = {"<%": "%>", "<%=": "%>", "<%--": "--%>", "<%@": "%>", "<%!": "%>", "${": "}", "#{": "}", "\\${": "}"}
_OUT = lazy(r"<c:out\b[^<>]{0,1000}?\bescapeXml\s*=\s*[\"']false[\"'][^<>]{0,1000}?>")
_OUT_VALUE = lazy(r"\bvalue\s*=\s*[\"']\s*[$#]\{([^{}]{1,1000})\}")
_LIBRARY = lazy(r"<\w{1,30}:\w")
_LOOK_BACK = 500


def tags(text: str) -> Iterator[Tag]:
    """Every expression, and every ``c:out`` that does not escape."""
    outs = [(found.start(), found.end(), found.group()) for found in _OUT.finditer(text)]
    found = [Tag(start, end, _value(written), raw=True, place=Place.TEXT) for start, end, written in outs]
    for piece in pieces(text, _DELIMITERS):
        is_output = piece.opening in ("<%=", "${")
        inner = piece.inner.strip().rstrip(";") if is_output else None
        place = Place.ELSEWHERE if is_output and _of_server(text, piece.start) else None
        found.append(Tag(piece.start, piece.end, inner, raw=True, place=place))
    yield from sorted(found, key=lambda tag: tag.start)


def _of_server(text: str, at: int) -> bool:
    """Whether a place is in a tag of a library, which may itself stand in an attribute."""
    opened = text.rfind("<", max(0, at - _LOOK_BACK), at)
    return opened >= 0 and _LIBRARY.match(text, opened) is not None and ">" not in text[opened:at]


def _value(out: str) -> str:
    value = _OUT_VALUE.search(out)
    return "" if value is None else value.group(1)


FORMAT = Format(
    "jsp",
    JAVA,
    tags,
    assignments(
        r"(?:[A-Z]\w{0,40}(?:<[^<>;]{0,60}>)?\s+|<c:set\s+var=\")(\w{1,60})(?:\"\s+value=\"[$#]\{|\s*=\s*(?!=))([^;\n}]{1,400})"
    ),
    followed=True,
)
