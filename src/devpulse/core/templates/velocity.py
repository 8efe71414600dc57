"""Velocity escapes nothing by itself. https://velocity.apache.org/tools/3.1/generic.html#EscapeTool

That a reference is raw is certain only in a template that escapes others by hand: a handler may escape them all.
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments
from devpulse.core.templates.tokens import Syntax

REFERENCES = Syntax()
_REFERENCE = lazy(
    r"##[^\n]*|#\*|\$!?(?P<brace>\{)?(?P<path>[A-Za-z]\w*(?:\.\w+(?:\((?:[^()\n]|\([^()\n]{0,100}\)){0,100}\))?){0,10})(?(brace)\})|#(?:set|if|elseif|foreach|macro|parse)\s*\("
)
_ESCAPES = lazy(r"(?i)\$!?\{?esc(?:ape)?\w*\.|\.html\(|escapetool")


def tags(text: str) -> Iterator[Tag]:
    """Every reference outside of directives."""
    certain = _ESCAPES.search(text) is not None
    place = 0
    while (found := _REFERENCE.search(text, place)) is not None:
        place = found.end()
        if found.group() == "#*":
            end = text.find("*#", place)
            place = len(text) if end < 0 else end + 2
        elif found.group("path"):
            yield Tag(found.start(), found.end(), found.group("path"), raw=True, certain=certain)
        elif found.group().startswith("#") and not found.group().startswith("##"):
            end = text.find("\n", place)
            closing = text.find(")", place)
            place = len(text) if closing < 0 else min(closing, end if end >= 0 else closing)
            yield Tag(found.start(), place)


FORMAT = Format(
    "velocity",
    REFERENCES,
    tags,
    assignments(r"#set\s*\(\s*\$!?\{?(\w{1,60})\}?\s*=\s*([^()\n]{1,200}(?:\([^()\n]{0,200}\))?)"),
)
