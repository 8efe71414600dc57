"""Parts of a page that a browser makes of what the server sends it: texts that other people wrote, between tags."""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.flow.javascript_likes import ELEMENT
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import HOLE, Level, Taint, trail_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.flow_rule import Use
from devpulse.core.text import first_in, lines_of

_ASKS_SERVER = lazy(
    r"\bfetch(?:[A-Z]\w{0,20})?\(|\baxios\b|\$\.(?:get|post|ajax|getJSON)\(|XMLHttpRequest|\bsocket\.on\(|\bio\(|\.json\(\)"
    r"|new (?:WebSocket|EventSource)\("
)
_WRITTEN = (
    r"(?:user_?[nN]ame|nick_?[nN]ame|(?:display|full|first|last)_?[nN]ame|name|title|description|bio|content|message|msg|"
    r"text|comment|caption|body|subject|summary|author|review|question|answer|notes?|headline|signature)"
)
_IN_TEMPLATE = lazy(rf"\$\{{\s{{0,20}}[\w$.\[\]?!]{{1,80}}\.{_WRITTEN}\s{{0,20}}(?:(?:\|\||\?\?)[^{{}}`]{{0,80}})?\}}")
_ADDED = lazy(rf"['\"`]\s{{0,20}}\+\s{{0,20}}[\w$.\[\]?!]{{1,80}}\.{_WRITTEN}\s{{0,20}}(?:[+;),]|$)", re.MULTILINE)
_PLAIN = lazy(
    r"^(?:\w{0,20}_)?(?:title|label|caption|(?:user|nick|file|display|full|first|last)_?[nN]ame|text|placeholder|tooltip|"
    r"alt)$|[a-z](?:Title|Label|Caption|(?:User|Nick|File|Display|Full|First|Last)Name|Text|Placeholder)$"
)
"""What holds words: HTML is called otherwise."""

OWN_WORDS = lazy(
    r"(?i)(?:^|\.)(?:(?:theme|lang|locale|i18n|strings|messages|translations|menu|tab|route|config)\w{0,20}\.|"
    r"(?:this|self|series|icon|fixture|button|col|column|field|c|t|legend|axis|style|defaults?|params)\.\w{1,40}$)"
)
"""What a program has written itself, in whatever language, or whoever uses it gives it to be shown."""

_BETWEEN = lazy(rf"[>\"']\s{{0,20}}{HOLE}\s{{0,20}}(?:</|\"|')")
_ERROR = lazy(r"^(?:\w+\.)?(?:e|er|err|error|ex|exception)\.message$")
_OF_FIELD = lazy(
    r"(?i)(?:^|\.)(?:this|target|current_?target|\w{0,30}(?:input|textarea|text_?box|text_?field)|el|elem|element)\.value$"
)
"""What somebody typed into a field of the page."""

_MAX_TEXT = 24_000
"""Characters of a built text that are looked through: a field put in behind them is left out."""

_MAX_LINES = 200
_MAX_LINE = 4_000
"""Lines of a template after its first, and characters of each: a field further on is left out."""


def is_part_of_others(taint: Taint, use: Use) -> bool:
    """Whether a field that people write is put between tags as it is, in a script that gets its data from a server."""
    if taint.origin.level not in (Level.UNKNOWN, Level.PARAMETER) or any(decides(ask.callee) for ask in taint.asks):
        return False
    if _ERROR.search(taint.origin.label):
        return False
    if not (taint.origin.member or taint.origin.level is Level.PARAMETER) or not first_in(
        _ASKS_SERVER, use.source.text
    ):
        return False
    lines = lines_of(use.source.text)
    marks = {mark.line for mark in trail_of(taint) if mark.line <= len(lines) and "put into" in mark.note}
    return _puts_field(use.text) or any(_puts_field(_statement(lines, line)[:_MAX_TEXT]) for line in sorted(marks))


def is_read_off_page(taint: Taint) -> bool:
    """Whether a value is a text that an element of the page shows: what were plain words there become tags."""
    label = taint.origin.label
    read = label.startswith(f"{ELEMENT}.") or label.endswith((".textContent", ".innerText")) or _OF_FIELD.search(label)
    return bool(read) and not any("parse" in mark.note for mark in trail_of(taint))


def is_plain_text(taint: Taint, use: Use) -> bool:
    """Whether a value that is called like a plain text is put between tags, or between the quotes of an attribute."""
    label = taint.origin.label
    if taint.origin.level is Level.UNKNOWN and (not taint.origin.member or OWN_WORDS.search(label) is not None):
        return False
    name = label.rpartition(".")[2]
    plain = _PLAIN.search(name) is not None and not _ERROR.search(label)
    return plain and not taint.asks and _BETWEEN.search((use.value.skeleton or "")[:_MAX_TEXT]) is not None


@lru_cache(maxsize=64)
def _puts_field(text: str) -> bool:
    """Whether a built text has such a field put into it; many values meet in one text."""
    return _IN_TEMPLATE.search(text) is not None or _ADDED.search(text) is not None


def _statement(lines: tuple[str, ...], first: int) -> str:
    """The lines of a template that begins on a line: to the one that ends it."""
    taken: list[str] = []
    marks = 0
    for line in lines[first - 1 : first + _MAX_LINES]:
        taken.append(line[:_MAX_LINE])
        marks += line.count("`")
        if marks % 2 == 0:
            break
    return "\n".join(taken)
