"""FreeMarker: ``?no_esc`` does not escape; in ``.ftl`` nothing does unless the template or its settings say so.

https://freemarker.apache.org/docs/dgui_misc_autoescaping.html
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

BUILT_INS = Syntax(filters="?", requests=frozenset({"RequestParameters", "requestParameters"}))
_ESCAPES = lazy(r"(?i)<#escape\b|output_format\s*=|<#ftl[^<>]{0,300}auto_esc\s*=\s*true|\?no_esc|<#outputformat")
_BY_HAND = lazy(r"\?(?:html|xhtml|xml|esc)\b")


def tags(text: str) -> Iterator[Tag]:
    """Every ``${ }``."""
    escaped = _ESCAPES.search(text) is not None
    by_hand = _BY_HAND.search(text) is not None
    for piece in pieces(text, {"${": "}", "<#--": "-->"}):
        inner = piece.inner.strip() if piece.opening == "${" else None
        yield Tag(piece.start, piece.end, inner, raw=not escaped, certain=escaped or by_hand)


FORMAT = Format("freemarker", BUILT_INS, tags, assignments(r"<#assign\s++(\w{1,60}+)\s*+=\s*+([^<>\n]{1,400}+)>"))
