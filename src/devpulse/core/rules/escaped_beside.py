"""Values in a PHP page that are left as they are where the same value, or another of the same record, is escaped.

Who escapes ``$row['title']`` in one place says by it that people write into the record, and forgot it in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Level, Taint, trail_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.flow_rule import Use
from devpulse.core.text import lines_of

_CALLED = (
    r"(?i)(?<![\w$])(?:\w{0,40}(?:html_?special_?chars|htmlentities|html_?escape|escape_?(?:html|attr|output|input)|valid_?html|clean_?html)\w{0,20}"
    r"|\w{0,20}htmlsc|hsc|html_?chars|esc_(?:html|attr|textarea)|(?:text|view|this|escaper|html)(?:->|::)(?:e|escape\w{0,20}|h|encode)|e|h|esc|encode)"
    r"\(\s*(?:\(string\)\s*|(?:trim|strip_?slashes|strip_tags|strval|str_replace\([^()$]{1,40})\(?\s*){0,3}"
)
_ESCAPED = lazy(_CALLED + r"(\$\w{1,60})(?:->|\[\s?['\"]?)(\w{1,60})")
"""An escape for pages with the record and the field that it is given."""

_FREE = re.compile(
    r"(?i)^(?:get_?)?(?:\w+_)?(?:name|title|description|summary|comments?|message|subject|caption|bio|label|text|content|body|note|notes|"
    r"e?mail|url|link|address|location|filename|file_?name|website|username|keywords|headline|author|company|value)$"
)
"""Fields that people write what they like into; numbers, dates and what the program chooses are others."""

_PLAIN = re.compile(
    r"(?i)^\$(?:\w+_)?(?:url|href|link|title|caption|message|msg|description|comment|alt|subject|email|filename|query|search|keyword|username)$"
)
_RAW = lazy(
    r"(?<![(\w$@!])(?<!\(\s)(\$\w{1,60})(?:->|\[\s?['\"]?)(\w{1,60})(?!\w)['\"]?\]?(?!\s*(?:=[^=>]|[!=]=|\?|->|\[|\.=|&&|\|\|))"
)
"""A field that is given to no function and not compared."""

_ESCAPES = re.compile(
    r"(?i)html_?special_?chars|htmlentities|html_?escape|escape_?html|htmlsc$|^hsc$|html_?chars$|^esc_(?:html|attr)$|^(?:h|e|esc)$"
)

_OF_PROGRAM = re.compile(
    r"(?i)(?:controller|class|module|plugin|field|column|table|tag|template|theme|input|form|button)_?\w*$|"
    r"^(?:url|link|value|location)$"
)
"""Variables that hold words of the program."""

_BUILDS = re.compile(r"<[/a-zA-Z]|>['\"]")
_MEANT = re.compile(
    r"(?i)html|\w_url$|markup|icon|class|style|attr|_id$|^id$|button|form|input|content_?filtered|rendered|safe"
)
"""Fields and parameters that are HTML already, or words of the program."""


def is_left_raw(taint: Taint, use: Use) -> bool:
    """Whether a field is put into a page as it is, of a record of which that field or others are escaped elsewhere in
    the file."""
    told = _escaped(use.source.text)
    if not told or taint.origin.level is Level.REQUEST:
        return False
    getters = {ask.callee.rpartition(".")[2] for ask in taint.asks}
    raw = {pair for text in _texts(taint, use) for pair in _RAW.findall(text[:5_000])}
    return any(
        record in told
        and (not getters or field in getters)
        and not _MEANT.search(field)
        and (field in told[record] or _FREE.match(field))
        for record, field in raw
    )


def is_variable_left_raw(taint: Taint, use: Use) -> bool:
    """Whether a variable is put into a page as it is that the same function escapes in another place."""
    origin = taint.origin
    if origin.level is Level.REQUEST or origin.member or taint.asks or Purpose.HTML in taint.cleaned:
        return False
    name = origin.label.lstrip("$")
    if name == origin.label or not _FREE.match(name) or _MEANT.search(name) or _OF_PROGRAM.search(name):
        return False
    return origin.label in _escaped_variables(use)


def _escaped_variables(use: Use) -> set[str]:
    return {
        known.origin.label
        for call in use.function.calls
        if _ESCAPES.search(call.method)
        for argument in call.arguments
        for known in argument.value.taints
    }


def is_bare_parameter(taint: Taint, others: Iterable[Taint]) -> bool:
    """Whether a text given to a function is put between tags as it is where others beside it are escaped."""
    origin = taint.origin
    if origin.level is not Level.PARAMETER or taint.asks or not _PLAIN.match(f"${origin.label.lstrip('$')}"):
        return False
    return any(Purpose.HTML in other.cleaned and other.origin is not origin for other in others)


@lru_cache(maxsize=4)
def _escaped(text: str) -> dict[str, frozenset[str]]:
    """The fields that are escaped somewhere in a file, by their record."""
    found: dict[str, set[str]] = {}
    for record, field in _ESCAPED.findall(text):
        found.setdefault(record, set()).add(field)
    found.pop("$this", None)
    return {record: frozenset(fields) for record, fields in found.items()}


def _texts(taint: Taint, use: Use) -> Iterator[str]:
    """The code that a value went through on its way into the page."""
    yield use.text
    lines = lines_of(use.source.text)
    for mark in trail_of(taint):
        if 0 < mark.line <= len(lines) and _BUILDS.search(lines[mark.line - 1]):
            yield lines[mark.line - 1]
