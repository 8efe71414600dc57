"""Smarty escapes nothing unless it is set up to; ``nofilter`` says that it is, and that this value shall not be.

Only of that one is it certain that it is written raw. The shop that translates by ``{l s=`` is set up to escape.

https://smarty-php.github.io/smarty/stable/designers/language-modifiers/language-modifier-escape/
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag
from devpulse.core.templates.tokens import Syntax

SMARTY = Syntax(joins=frozenset(), filters="|")
_PIECE = lazy(r"\{\*|\{literal\}|\{(?P<value>\$[^{}\n]{1,3000})\}|\{[/\w][^{}\n]{0,1000}\}")
_ASSIGNS = lazy(r"^\$\w+(?:\.\w+|\[[^\[\]]*\])*\s*=[^=]")
_NOFILTER = lazy(r"\s+nofilter\b")


def tags(text: str) -> Iterator[Tag]:
    """Every ``{$ }``; certain to be raw where others are escaped by hand or this one is told not to be."""
    automatic = "nofilter" in text or "{l s=" in text
    place = 0
    while (found := _PIECE.search(text, place)) is not None:
        place = found.end()
        value = found.group("value")
        if found.group() in ("{*", "{literal}"):
            closing = "*}" if found.group() == "{*" else "{/literal}"
            end = text.find(closing, place)
            place = len(text) if end < 0 else end + len(closing)
        elif value is None or _ASSIGNS.match(value):
            yield Tag(found.start(), found.end())
        else:
            told = _NOFILTER.search(value) is not None
            yield Tag(
                found.start(),
                found.end(),
                _NOFILTER.sub("", value),
                raw=told or not automatic,
                certain=told,
            )


FORMAT = Format("smarty", SMARTY, tags)
