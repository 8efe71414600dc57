"""Blade: ``{{ }}`` escapes, ``{!! !!}`` does not. https://laravel.com/docs/blade#displaying-unescaped-data"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

PHP = Syntax(joins=frozenset({"."}), requests=frozenset({"request"}))
_DELIMITERS = {"{!!": "!!}", "{{": "}}", "{{--": "--}}", "@{{": "}}", "@{!!": "!!}", "@verbatim": "@endverbatim"}


def tags(text: str) -> Iterator[Tag]:
    """Every tag in braces; what is left to a script of the page has an at sign before it."""
    for piece in pieces(text, _DELIMITERS):
        inner = piece.inner.strip() if piece.opening in ("{!!", "{{") else None
        yield Tag(piece.start, piece.end, inner, raw=piece.opening == "{!!")


FORMAT = Format(
    "blade",
    PHP,
    tags,
    assignments(r"(?:@php\W{0,40}|<\?php\s{0,20}|;\s{0,40})(\$\w{1,60})\s*=\s*(?![=>])([^;\n]{1,400})"),
)
