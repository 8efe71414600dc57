"""Tornado: ``{% raw %}`` with a value does not escape it. https://www.tornadoweb.org/en/stable/template.html"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, pieces
from devpulse.core.templates.tokens import Syntax

PYTHON = Syntax()
_RAW = lazy(r"\s*raw\s+(\S.*)", 16)
_OFF = lazy(r"\{%\s*autoescape\s+None\s*%\}")


def tags(text: str) -> Iterator[Tag]:
    """Every ``{% raw %}``, and all outputs of a file without escaping."""
    off = _OFF.search(text) is not None
    for piece in pieces(text, {"{{": "}}", "{%": "%}", "{#": "#}"}):
        raw = _RAW.match(piece.inner) if piece.opening == "{%" else None
        if raw is not None:
            yield Tag(piece.start, piece.end, raw.group(1).strip(), raw=True)
        else:
            inner = piece.inner.strip() if off and piece.opening == "{{" else None
            yield Tag(piece.start, piece.end, inner, raw=off)


FORMAT = Format("tornado", PYTHON, tags)
