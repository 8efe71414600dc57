"""Fields of objects that hold what a constructor was given: as little to be trusted as a parameter.

Javascript, Typescript and Java only; read from the text, and only asked for a value that reaches a sink.
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
_CLASS = re.compile(r"\bclass\s+([A-Z]\w{0,80})")
_JAVA_TEXT = re.compile(r"\bString\s+(\w+)")
_JAVA_SET = re.compile(r"\bthis\.(\w{1,80})\s*=\s*(\w{1,80})\s*;")
_CONSTRUCTOR_BODY = 1_500
_WORD = re.compile(r"(?<![\w$.])[\w$]+")
_NOT_GIVEN = re.compile(r"\b(?:new|require|await)\b|=>|\bfunction\b")


def level_of(taint: Taint, source: Source) -> Level:
    """The level of a taint's origin, which is a parameter's for a field that a constructor filled with one."""
    origin = taint.origin
    if origin.level is Level.UNKNOWN and source.language == "java":
        name = origin.label.removeprefix("this.")
        return Level.PARAMETER if name in _java_fields(source.text) else origin.level
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


@lru_cache(maxsize=8)
def _java_fields(text: str) -> frozenset[str]:
    """The same of Java's classes: fields that are set in a constructor to texts it is given."""
    found: set[str] = set()
    for name in set(_CLASS.findall(text)):
        for start in re.finditer(
            rf"(?<!new )(?<![\w.]){name}\s*\(([^()]{{0,600}})\)\s*(?:throws[\s\w.,]{{1,120}})?\{{", text
        ):
            given = set(_JAVA_TEXT.findall(start.group(1)))
            body = text[start.end() : start.end() + _CONSTRUCTOR_BODY]
            found.update(field for field, value in _JAVA_SET.findall(body) if value in given)
    return frozenset(found)
