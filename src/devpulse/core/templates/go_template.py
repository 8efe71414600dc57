"""Go's ``html/template`` escapes for every context; functions of a program may declare a value to be HTML.

https://pkg.go.dev/html/template#hdr-Typed_Strings, https://gohugo.io/functions/safe/html/
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, pieces
from devpulse.core.templates.tokens import Syntax

PIPES = Syntax(joins=frozenset(), filters="|", commands=" ")
_SAFE = lazy(
    r"^(?:(?P<call>safe_?(?:HTML|Html|html|JS|js)|unescaped?|unescapeHTML|raw|noescape|htmlSafe|SafeHTML)\s+(?P<first>[^|]{1,500}))$"
    r"|^(?P<piped>.{1,1000}?)\|\s*(?:safe_?(?:HTML|Html|html|JS|js)|unescaped?|unescapeHTML|raw|noescape|htmlSafe|SafeHTML)$",
    16,
)
_FIELD = lazy(r"(?<![\w)\]])\.(?=[A-Za-z])|\$\.(?=[A-Za-z])")


def tags(text: str) -> Iterator[Tag]:
    """Every ``{{ }}`` whose value is declared to be HTML."""
    for piece in pieces(text, {"{{": "}}", "{{/*": "*/}}"}):
        safe = _SAFE.match(piece.inner.strip("- \n\t")) if piece.opening == "{{" else None
        value = (safe.group("first") or safe.group("piped")) if safe is not None else None
        yield Tag(piece.start, piece.end, None if value is None else _FIELD.sub("", value).strip(), raw=True)


FORMAT = Format("go_template", PIPES, tags)
