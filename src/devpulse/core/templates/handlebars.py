"""Handlebars and Mustache: ``{{{ }}}`` and ``{{& }}`` do not escape. https://handlebarsjs.com/guide/#html-escaping"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, pieces
from devpulse.core.templates.tokens import Syntax

HELPERS = Syntax(joins=frozenset(), commands=" ", requests=frozenset({"query"}))
_DELIMITERS = {"{{{": "}}}", "{{": "}}", "{{!--": "--}}", "{{!": "}}", "{{{{": "}}}}"}
_UPWARD = lazy(r"\.\./|\./|@root\.|(?<![\w.])this\.")
_STATEMENT = lazy(r"[#/^>!*]|else\b")


def tags(text: str) -> Iterator[Tag]:
    """Every tag in braces."""
    for piece in pieces(text, _DELIMITERS):
        inner = piece.inner.strip().strip("~").strip()
        raw = piece.opening == "{{{"
        if piece.opening not in ("{{{", "{{") or _STATEMENT.match(inner) or "\n" in inner:
            yield Tag(piece.start, piece.end)
            continue
        if inner.startswith("&"):
            raw, inner = True, inner[1:].strip()
        yield Tag(piece.start, piece.end, _plain(inner), raw=raw)


def _plain(inner: str) -> str:
    """Paths with dots, and names of helpers without hyphens."""
    return _UPWARD.sub("", inner).replace("-", "_").replace("/", ".")


FORMAT = Format("handlebars", HELPERS, tags)
