"""Fields of objects that hold what a constructor was given: as little to be trusted as a parameter.

Javascript and Typescript only; read from the text, and only asked for a value that reaches a sink.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.source import Source

_LABEL = re.compile(r"^(?:_?this|self|that)\.([\w$]+)")
_CONSTRUCTOR = re.compile(r"\b(?:constructor|function\s+[A-Z][\w$]{0,80})\s*\(([^()]{0,600})\)")
_STORED = re.compile(r"\b(?:this|self|that)\.([\w$]{1,80})\s*=(?!=)([^;\n]{1,160})")
_PARAMETER = re.compile(
    r"(?:^|[,{])\s*((?:(?:private|public|protected|readonly)\s+)*)([\w$]+)\??\s*(?::\s*([\w$]+)([^,}]*))?", re.DOTALL
)
_TEXTS = re.compile(r"(?i)^(?:string|any|unknown|\w*(?:options|config|settings|params|props|args))$")
_WORD = re.compile(r"(?<![\w$.])[\w$]+")
_NOT_GIVEN = re.compile(r"\b(?:new|require|await)\b|=>|\bfunction\b")


def level_of(taint: Taint, source: Source) -> Level:
    """The level of a taint's origin, which is a parameter's for a field that a constructor filled with one."""
    origin = taint.origin
    if origin.level is not Level.UNKNOWN or not origin.member or source.language not in LANGUAGES:
        return origin.level
    label = _LABEL.match(origin.label)
    return Level.PARAMETER if label is not None and label.group(1) in _given_fields(source.text) else origin.level


@lru_cache(maxsize=8)
def _given_fields(text: str) -> frozenset[str]:
    """The fields that constructors of a file fill with parameters which can be texts."""
    given: set[str] = set()
    found: set[str] = set()
    for listed in _CONSTRUCTOR.findall(text):
        for modifiers, name, kind, _ in _PARAMETER.findall(listed):
            if not kind or _TEXTS.match(kind):
                given.add(name)
                if modifiers and kind == "string":
                    found.add(name)
    if given:
        found.update(
            name
            for name, value in _STORED.findall(text)
            if not _NOT_GIVEN.search(value) and not given.isdisjoint(_WORD.findall(value))
        )
    return frozenset(found)
