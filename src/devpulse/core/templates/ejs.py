"""EJS: ``<%-`` does not escape. https://ejs.co/#docs"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

SCRIPT = Syntax()
_DELIMITERS = {"<%": "%>", "<%=": "%>", "<%-": "%>", "<%#": "%>", "<%_": "%>", "<%%": "%>"}


def tags(text: str) -> Iterator[Tag]:
    """Every ``<% %>``."""
    for piece in pieces(text, _DELIMITERS):
        is_output = piece.opening in ("<%=", "<%-")
        inner = piece.inner.rstrip("-_").strip().rstrip(";") if is_output else None
        yield Tag(piece.start, piece.end, inner, raw=piece.opening == "<%-")


FORMAT = Format(
    "ejs", SCRIPT, tags, assignments(r"\b(?:var|let|const)\s+(\w{1,60})\s*=\s*([^;\n%]{1,400})"), followed=True
)
