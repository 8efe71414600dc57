"""The forms in which one value turns up elsewhere: as written, escaped, encoded."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from devpulse.core.lazy_pattern import lazy

MIN_REMEMBERED = 8
"""Shorter values are not looked for elsewhere: they would hit ordinary words."""

_ESCAPES = lazy(r"%[0-9A-F]{2}")
_LINE = lazy(r"\s|\\r|\\n|[\"']")
_MIN_KEY_LINE = 16


def forms_of(value: str) -> frozenset[str]:
    """The value as written, JSON-escaped, HTML-escaped, URL-encoded and in base64, whatever stands before it there."""
    if len(value) < MIN_REMEMBERED:
        return frozenset()
    forms = {value, html.escape(value), html.escape(value, quote=False), repr(value)[1:-1]}
    for escaped in (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]):
        forms.update((escaped, escaped.replace("/", "\\/"), _as_go_writes(escaped)))
    raw = value.encode("utf-8", errors="surrogatepass")
    for quoted in (quote(raw, safe=""), quote_plus(raw), quote(raw), quote(raw, safe="!'()*/")):
        forms.update((quoted, _ESCAPES.sub(lambda match: match.group().lower(), quoted)))
    for alignment in range(3):
        encoded = _middle_of_base64(raw, alignment)
        forms.update((encoded, encoded.replace("+", "-").replace("/", "_")))
    return frozenset(form for form in forms if len(form) >= MIN_REMEMBERED)


def values_of(secret: str) -> Iterator[str]:
    """The value, and each long line of a key: a tool result may show one line of it only."""
    yield secret
    if "\n" in secret or "\\n" in secret:
        yield from (line for line in _LINE.split(secret) if len(line) >= _MIN_KEY_LINE)


def _as_go_writes(escaped: str) -> str:
    return escaped.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _middle_of_base64(raw: bytes, alignment: int) -> str:
    """Base64 of the bytes behind ``alignment`` others, without the characters that depend on their neighbours."""
    encoded = base64.b64encode(bytes(alignment) + raw).decode("ascii").rstrip("=")
    whole = (alignment + len(raw)) % 3 == 0
    return encoded[(0, 2, 3)[alignment] : len(encoded) if whole else -1]
