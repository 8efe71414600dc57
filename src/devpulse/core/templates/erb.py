"""ERB: ``<%= %>`` escapes in Rails; ``<%==``, ``raw`` and ``html_safe`` do not.

https://guides.rubyonrails.org/active_support_core_extensions.html#output-safety
https://docs.ruby-lang.org/en/master/ERB.html: by itself ERB escapes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

RUBY = Syntax(joins=frozenset({"+", "<<"}), commands=",", ruby=True, requests=frozenset({"params", "cookies"}))


def tags(text: str) -> Iterator[Tag]:
    """Every ``<% %>``."""
    for piece in pieces(text, {"<%": "%>", "<%=": "%>", "<%==": "%>", "<%#": "%>", "<%%": "%>"}):
        is_output = piece.opening in ("<%=", "<%==")
        inner = piece.inner.rstrip("-").strip() if is_output else None
        yield Tag(piece.start, piece.end, inner, raw=piece.opening == "<%==")


FORMAT = Format(
    "erb", RUBY, tags, assignments(r"<%-?\s*(@?[a-z_]\w{0,60})\s*=\s*(?![=~>])([^\n%]{1,400})"), followed=True
)
