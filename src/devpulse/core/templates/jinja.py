"""Jinja, Django and Nunjucks: ``{{ }}`` escapes unless a filter or a block says otherwise.

https://jinja.palletsprojects.com/en/stable/templates/#html-escaping
https://docs.djangoproject.com/en/stable/ref/templates/builtins/#autoescape
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments, pieces
from devpulse.core.templates.tokens import Syntax

JINJA = Syntax(joins=frozenset({"+", "~"}), filters="|")
_DELIMITERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_SWITCH = lazy(r"[-+]?\s*(?P<end>end)?autoescape\b\s*(?P<off>off|false)?")
_VERBATIM = lazy(r"[-+]?\s*(?:(?P<end>end)(?:raw|verbatim|comment)|(?:raw|verbatim|comment)\b)")


def tags(text: str) -> Iterator[Tag]:
    """Every tag; raw are the outputs in a block without escaping."""
    blocks: list[bool] = []
    passed = False
    for piece in pieces(text, _DELIMITERS):
        if piece.opening == "{%":
            switch, verbatim = _SWITCH.match(piece.inner), _VERBATIM.match(piece.inner)
            if switch is not None:
                if switch.group("end"):
                    del blocks[-1:]
                else:
                    blocks.append(switch.group("off") is not None)
            elif verbatim is not None:
                passed = not verbatim.group("end")
        is_output = piece.opening == "{{" and not passed
        inner = piece.inner.strip().strip("-+").strip() if is_output else None
        yield Tag(piece.start, piece.end, inner, raw=bool(blocks and blocks[-1]))


FORMAT = Format(
    "jinja", JINJA, tags, assignments(r"\{%[-+]?\s*+(?:set|with)\s++(\w{1,60}+)\s*+=\s*+([^%\n]{1,400}+)%\}")
)
