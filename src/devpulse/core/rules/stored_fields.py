"""Fields of objects that hold what a constructor was given: as little to be trusted as a parameter.

Javascript, Typescript, Java, PHP and Ruby; read from the text, and only asked for a value that reaches a sink.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.flow.values import Level, Taint
from devpulse.core.lazy_pattern import lazy
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
_JAVA_CONSTRUCTOR = re.compile(
    r"(?<!new )(?<![\w.])([A-Z]\w{0,80}+)\s*+\(([^()]{0,600})\)\s*+(?:throws[\s\w.,]{1,120})?\{"
)
_JAVA_LABEL = re.compile(r"^(?:this\.)?(.+)$", re.DOTALL)
_JAVA_TEXT = re.compile(r"\bString\s+(\w+)")
_JAVA_SET = re.compile(r"\bthis\.(\w{1,80})\s*=\s*(\w{1,80})\s*;")
_CONSTRUCTOR_BODY = 1_500
_WORD = re.compile(r"(?<![\w$.])[\w$]+")
_NOT_GIVEN = re.compile(r"\b(?:new|require|await)\b|=>|\bfunction\b")

_PHP_LABEL = re.compile(r"^\$this\.(\w+)$")
_PHP_CONSTRUCTOR = lazy(
    r"\bfunction\s+(?:__construct|set_?[A-Z]\w{0,60})\s*\(([^()]{0,600}(?:\([^()]{0,80}\)[^()]{0,600}){0,4})\)"
)
_PHP_PARAMETER = lazy(r"(?:^|,)\s*((?:(?:private|public|protected|readonly)\s+)*)([?\w\\|]*)\s*&?\$(\w+)")
_PHP_STORED = lazy(r"\$this->(\w{1,80})\s*=(?!=)([^;\n]{1,160})")
_PHP_TEXTS = frozenset({"", "string", "?string", "mixed", "string|null", "null|string"})
_PHP_MADE = re.compile(r"\bnew\b|\((?:int|float|bool|array)\)|\w+\(|::")

_RUBY_LABEL = re.compile(r"^@(\w+)$")
_RUBY_CONSTRUCTOR = lazy(r"\bdef\s+initialize\b[ (]*([^\n)]{0,300})")
_RUBY_PARAMETER = lazy(r"(?:^|,)\s*([a-z_]\w*)(?:\s*[=,]|:(?!:)|\s*$)")
_RUBY_STORED = lazy(r"(?m)^[ \t]*+@(\w{1,80})[ \t]*+=(?!=)[ \t]*+([^\n]{1,160})")
_RUBY_GIVEN = re.compile(r"^([a-z_]\w*)(?:\.(?:to_s|strip|chomp|to_str|dup))?(?:\s*\|\|.*)?\s*$")
_SETTINGS = re.compile(
    r"(?i)te?mp|config|options?$|settings?|logger|client|connection|adapter|binary|command$|executable|program"
)


def level_of(taint: Taint, source: Source) -> Level:
    """The level of a taint's origin, which is a parameter's for a field that a constructor filled with one."""
    origin = taint.origin
    reader = _READERS.get(source.language or "")
    if reader is None or origin.level is not Level.UNKNOWN or not (origin.member or reader.bare):
        return origin.level
    label = reader.label.match(origin.label)
    return Level.PARAMETER if label is not None and label.group(1) in reader.given(source.text) else origin.level


@lru_cache(maxsize=8)
def _given_in_php(text: str) -> frozenset[str]:
    """The same of PHP, whose constructors may make fields of their parameters; also what setters are given."""
    given: set[str] = set()
    found: set[str] = set()
    for listed in _PHP_CONSTRUCTOR.findall(text):
        for modifiers, kind, name in _PHP_PARAMETER.findall(listed):
            if kind in _PHP_TEXTS and not _SETTINGS.search(name):
                (found if modifiers else given).add(name)
    for name, value in _PHP_STORED.findall(text) if given else ():
        if (
            not _SETTINGS.search(name)
            and not _PHP_MADE.search(value)
            and not given.isdisjoint(re.findall(r"\$(\w+)", value))
        ):
            found.add(name)
    return frozenset(found)


@lru_cache(maxsize=8)
def _given_in_ruby(text: str) -> frozenset[str]:
    """The same of Ruby."""
    given = {
        name
        for listed in _RUBY_CONSTRUCTOR.findall(text)
        for name in _RUBY_PARAMETER.findall(listed)
        if not _SETTINGS.search(name)
    }
    found: set[str] = set()
    for name, value in _RUBY_STORED.findall(text) if given else ():
        whole = _RUBY_GIVEN.match(value)
        if whole is not None and whole.group(1) in given:
            found.add(name)
    return frozenset(found)


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
    classes = set(_CLASS.findall(text))
    for start in _JAVA_CONSTRUCTOR.finditer(text) if classes else ():
        given = set(_JAVA_TEXT.findall(start.group(2)))
        if given and start.group(1) in classes:
            body = text[start.end() : start.end() + _CONSTRUCTOR_BODY]
            found.update(field for field, value in _JAVA_SET.findall(body) if value in given)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Reader:
    """How a language calls a field, and which of them constructors fill; ``bare``: also without naming the object."""

    label: re.Pattern[str]
    given: Callable[[str], frozenset[str]]
    bare: bool = True


_READERS = {
    **dict.fromkeys(LANGUAGES, _Reader(_LABEL, _given_fields, bare=False)),
    "java": _Reader(_JAVA_LABEL, _java_fields),
    "php": _Reader(_PHP_LABEL, _given_in_php),
    "ruby": _Reader(_RUBY_LABEL, _given_in_ruby),
}
