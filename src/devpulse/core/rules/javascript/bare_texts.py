"""Texts that are called like plain words and handed to a page as if they were HTML."""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.embedded.masking import OUTPUT
from devpulse.core.flow.values import HOLE, Ask, Level, Taint, trail_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.javascript.page_parts import OWN_WORDS
from devpulse.core.text import lines_of

_WORDS = lazy(
    r"^(?:title|label|caption|(?:user|nick|file|display|full|first|last|author|group)_?[nN]ame|text|placeholder|tooltip|"
    r"message|msg|description|comment|subject)$|[a-z](?:Title|Label|Caption|(?:User|Nick|File|Display|Full|First|Last)Name|"
    r"(?<!response)(?<!inner)(?<!outer)Text|Message|Placeholder)$"
)
"""Names of what holds words: HTML is called otherwise."""

_NAME = re.compile(r"(?:^|\.)(?:data|user|item|file|node|entry|tag|row|author|member|record|group|note)s?\.name$")
"""The name of something that people have made."""

_ERROR = lazy(r"^(?:\w+\.)?(?:e|er|err|error|ex|exception|result|response|res)\.(?:message|msg|text)$")
"""What a server or the program says of itself."""

_MARKDOWN = re.compile(
    r"(?i)(?:^|\.)(?:marked|marked\.parse|(?:render|parse|convert)_?markdown(?:_?to_?html)?|markdown_?to_?html|make_?html|"
    r"snarkdown)$"
)
"""What makes HTML of Markdown and leaves the HTML in it."""

_INDEX = re.compile(r"\?|\[\w{1,60}\]")
_BETWEEN = lazy(rf">\s{{0,20}}{HOLE}\s{{0,20}}</(?!script|style)")
_NO_WORDS = lazy(
    r"(?i)html|markup|^code$|icon|content|children|body|template|inner|svg|class|style|count(?!r)|number|num$|size|index|width|height|time|"
    r"date|^(?:[a-z_$]|id|no|nr|pos|part|parts|rows?|cells?|items?|elements?|nodes?|out|output|result|str|s\d?)$|(?<![a-z])ids?$|(?-i:I[dD]s?$)|year|"
    r"month|day|total|length|amount|price|lang|button|options?|config|settings|level|tag"
)
"""Parameters that hold HTML or a number."""

_MAX_LINE = 2_000
_MAX_TEXT = 24_000


def is_put_in_whole(taint: Taint, use: Use) -> bool:
    """Whether a text that is called like plain words is all that a part of a page is made of."""
    if use.sink.kind == "element" or use.call.callee == OUTPUT or use.call.method.startswith("bypass"):
        return False  # the one makes no HTML of it, the others say that they mean to
    if taint.asks:
        return taint.origin.level >= Level.PARAMETER and all(map(_is_markdown, taint.asks))
    return is_words(taint, use)


def is_put_between(taint: Taint, use: Use) -> bool:
    """Whether a parameter is all that stands between two tags."""
    origin = taint.origin
    if taint.asks or origin.level is not Level.PARAMETER or use.call.method.startswith("bypass"):
        return False
    if _NO_WORDS.search(origin.label) or _BETWEEN.search((use.value.skeleton or "")[:_MAX_TEXT]) is None:
        return False
    return any(_puts(origin.label, text) for text in _texts(taint, use))


@lru_cache(maxsize=256)
def _puts(parameter: str, text: str) -> bool:
    """Whether a parameter itself, and no part of it, is put into a text."""
    return re.search(rf"(?:\$\{{|\+)\s{{0,20}}{re.escape(parameter)}\s{{0,20}}(?:[}}+;,)]|$)", text) is not None


def _is_markdown(ask: Ask) -> bool:
    return _MARKDOWN.search(ask.callee) is not None


def is_words(taint: Taint, use: Use) -> bool:
    """Whether an origin is by its name a text that people write, and no HTML or word of the program."""
    origin = taint.origin
    if origin.level not in (Level.UNKNOWN, Level.PARAMETER) or not (origin.member or origin.level is Level.PARAMETER):
        return False
    return any(map(_is_words, _names(taint, use)))


def _names(taint: Taint, use: Use) -> tuple[str, ...]:
    """Under what a value is read: its own name, or those of what is read out of a parameter that bears it."""
    label = taint.origin.label
    if taint.origin.level is not Level.PARAMETER or "." in label:
        return (label,)
    return tuple(name for text in _texts(taint, use) for name in _read_in(label, text)) or (label,)


def _texts(taint: Taint, use: Use) -> list[str]:
    """The lines that a value went through on its way, and those of the use."""
    lines = lines_of(use.source.text)
    marked = {mark.line for mark in trail_of(taint)} | {use.call.start_line}
    return [*(lines[line - 1][:_MAX_LINE] for line in sorted(marked) if 0 < line <= len(lines)), use.text[:_MAX_LINE]]


@lru_cache(maxsize=256)
def _read_in(parameter: str, text: str) -> tuple[str, ...]:
    pattern = rf"(?<![\w$.]){re.escape(parameter)}((?:\??\.\w{{1,60}}|\[['\"]?\w{{1,60}}['\"]?\]){{1,6}})(?![\w(])"
    return tuple(f"{parameter}{_INDEX.sub('', path)}" for path in re.findall(pattern, text))


def _is_words(name: str) -> bool:
    if OWN_WORDS.search(name) or _ERROR.search(name):
        return False
    return _WORDS.search(name.rpartition(".")[2]) is not None or _NAME.search(name) is not None
