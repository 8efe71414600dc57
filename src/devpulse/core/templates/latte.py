"""Latte: ``noescape`` switches its escaping off. https://latte.nette.org/en/filters#toc-noescape"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Place, Tag
from devpulse.core.templates.tokens import Syntax

LATTE = Syntax(joins=frozenset({"."}), filters="|")
_OUTPUT = lazy(r"\{\*|\{=?([$\w(\\'\"][^{}\n]{0,3000}?\|\s*noescape[^{}\n]{0,200})\}")


def tags(text: str) -> Iterator[Tag]:
    """Every output that is not escaped."""
    place = 0
    while (found := _OUTPUT.search(text, place)) is not None:
        place = found.end()
        if found.group(1) is None:
            end = text.find("*}", place)
            place = len(text) if end < 0 else end + 2
        else:
            yield Tag(found.start(), found.end(), _filtered(found.group(1)), raw=True, place=Place.TEXT)


def _filtered(written: str) -> str:
    """The expression with brackets around what its filters are about: the whole of it."""
    value, _, filters = written.partition("|")
    return written if filters.startswith("|") else f"({value})|{filters}"


FORMAT = Format("latte", LATTE, tags)
