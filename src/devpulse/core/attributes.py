"""What a ``.gitattributes`` says about generated files, read as gitattributes(5) and GitHub's linguist do."""

from __future__ import annotations

import re
from functools import lru_cache

ATTRIBUTES = ".gitattributes"
_GENERATED = "linguist-generated"
_SAYS = {_GENERATED: True, f"{_GENERATED}=true": True, f"-{_GENERATED}": False, f"!{_GENERATED}": False}


def is_generated(path: str, attributes: str) -> bool:
    """Whether the root's attributes mark a path as generated; the last line that says anything about it decides.

    Quoted patterns, sets in brackets and folders are passed over, as is every value but ``true``.
    """
    said = False
    for pattern, generated in _lines(attributes):
        if pattern.fullmatch(path):
            said = generated
    return said


@lru_cache(maxsize=8)
def _lines(attributes: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    found = []
    for line in attributes.splitlines():
        pattern, *words = line.split()[:50] or [""]
        told = [word for word in words if _GENERATED in word]
        if told and not re.search(r'["\[\]\\]|^[#!]|/$', pattern):
            found.append((_compiled(pattern), _SAYS.get(told[-1], False)))
    return tuple(found)


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern without a slash is about names, one with a slash about paths from the root; ``*`` stays in a name."""
    anywhere = "/" not in pattern
    parts = re.findall(r"\*\*/|/\*\*$|\*+|\?|[^*?/]+|/", pattern.removeprefix("/"))
    known = {"**/": "(?:[^/]+/)*", "/**": "/.+", "?": "[^/]"}
    body = "".join(known.get(part) or ("[^/]*" if part[0] == "*" else re.escape(part)) for part in parts)
    return re.compile(f"(?:.*/)?{body}" if anywhere else body, re.DOTALL)
