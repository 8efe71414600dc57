"""Values that reach a page without having come with its request: texts that people stored, exceptions, Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import Level, Taint, trail_of

_WRITTEN = re.compile(
    r"(?:^|[._])(?:caption|comments?|description|bio|summary|subject|username|user_name|first_name|last_name|full_name|"
    r"display_name|nickname|original_filename|file_name|filename|headline|question|answer|notes?|feedback|signature)$"
)
_PERHAPS_WRITTEN = re.compile(r"(?:^|[._])(?:(?:page_?)?name|title|label|text|content|body|message)$")
_OF_AN_OBJECT = re.compile(r"^(?:self\.\w+\.|(?!self\b|cls\b|settings\b|_meta\b)[a-z_]\w*\.)\w+$")
_PLAIN = re.compile(
    r"(?:^|[._])(?:text|title|(?:page_?)?name|label|alt|caption|ur[il]|href|link|value|query|message|username|filename|description|"
    r"comment|location|email|keywords?|term|subject)$"
)
"""Parameters that hold a text, and no HTML that is made elsewhere."""

_WORDS = re.compile(r"[A-Za-z]{2}|[|:]")
_PUT_IN = re.compile(r"\{([a-z_]\w{0,60})(?:![rs])?\}|%\s?\(?([a-z_]\w{0,60})\)?$")
_OWN_NAME = re.compile(
    r"(?:class|tag|field|attr\w*|icon|func\w*|method|template|module|model|column|block|node|type)_?name$"
)
"""Names that the program gives to its own."""

_CODE = re.compile(r"(?:^|_)(?:lang(?:uage)?|locale|id|pk|count|index|size|width|height|level|depth|colou?r)$")
_DEVELOPERS = re.compile(
    r"_meta\b|settings\b|config|\bfield\b|\bwidget\b|\bcls\b|\bblock\b|\bcolumn\b|\bicon\b|\boptions?\b"
)
"""Objects whose names and titles the program gives."""

_TROUBLE = re.compile(
    r"^(?:[\w.]*(?:Exception|Error)|(?:e|ex|exc|err|error|exception)(?:\.\w+)*|traceback\.format_exc(?:\(.*)?)$"
)
_BAD_VALUE = re.compile(r"^(?:ValueError|(?:e|ex|exc|err|error)\.(?:message|args))$")
_ABOUT_INPUT = re.compile(
    r"^(?:\w+\.)*\w{0,40}(?:Input|Param(?:eter)?|Argument|Query|Filter(?:Spec)?)\w{0,20}(?:Error|Exception)$"
)
_CASTS = frozenset({"int", "float", "Decimal", "UUID"})
_NEAR = 6
"""Lines between a cast and what is said of its failure."""

_MARKDOWN = re.compile(r"(?i)^(?:\w+\.)*(?:markdown2?|commonmark|textile)$")
_STRICT = re.compile(r"safe_mode|escape|sanit|bleach|clean")
_ESCAPING = re.compile(r"(?i)escape|xss|sanit|bleach|strip_tags")


def is_own_text(taint: Taint) -> bool:
    """Whether a member is by its name a text that people wrote, of an object that is stored."""
    origin = taint.origin
    if origin.level is not Level.UNKNOWN or not origin.member or _DEVELOPERS.search(origin.label):
        return False
    if any(decides(ask.callee) for ask in taint.asks):
        return False
    if _WRITTEN.search(origin.label):
        return True
    return _PERHAPS_WRITTEN.search(origin.label) is not None and _OF_AN_OBJECT.match(origin.label) is not None


def is_plain_text(taint: Taint) -> bool:
    """Whether a value is by its name a text, and no HTML that is made elsewhere."""
    return is_plain_name(taint.origin.label)


def is_plain_name(name: str) -> bool:
    """Whether something is called like a text, and no HTML that is made elsewhere."""
    return _PLAIN.search(name) is not None


def is_code(taint: Taint) -> bool:
    """Whether a parameter is by its name a number or a word of the program's own; not what is found by one."""
    name = taint.origin.label
    own = _CODE.search(name) or _OWN_NAME.search(name)
    found = any(mark.note.startswith("through ") for mark in trail_of(taint))
    return taint.origin.level is Level.PARAMETER and own is not None and not taint.asks and not found


def is_put_in(taint: Taint, skeleton: str | None, text: str, *, has_tags: bool) -> bool:
    """Whether a parameter gets as it is into a text that is declared to be HTML; ``text`` is the code that does so."""
    if has_tags:
        return not is_code(taint)
    plain = is_plain_text(taint) and not taint.asks and _WORDS.search(skeleton or "") is not None
    return plain or lets_html_through(taint, text)


def shows_text(text: str) -> bool:
    """Whether code puts something into a text by a name that is one of a text, whatever it was made of."""
    names = (name for found in _PUT_IN.findall(text) for name in found if name)
    return any(is_plain_name(name) and not _OWN_NAME.search(name) for name in names)


def is_left_out(taint: Taint, others: Iterable[Taint]) -> bool:
    """Whether a text is put between tags as it is where others beside it are escaped."""
    plain = taint.origin.level is Level.PARAMETER and is_plain_text(taint) and not taint.asks
    if not plain and not is_own_text(taint):
        return False
    return any(
        Purpose.HTML in other.cleaned and Purpose.NUMBER not in other.cleaned and other.origin is not taint.origin
        for other in others
    )


def is_trouble(taint: Taint) -> bool:
    """Whether a value is an exception or its text, which quotes what it was about."""
    return taint.origin.level is Level.UNKNOWN and _TROUBLE.match(taint.origin.label) is not None


def quotes_input(taint: Taint) -> bool:
    """Whether a value is the text of an exception that is called after what was asked for, which it quotes."""
    return taint.origin.level is Level.UNKNOWN and _ABOUT_INPUT.match(taint.origin.label) is not None


def is_failed_cast(taint: Taint, call: CallRecord, calls: Iterable[CallRecord]) -> bool:
    """Whether a value is the text of a failed cast of something given, which it quotes as it is; ``calls`` are those
    of the function.
    """
    if taint.origin.level is not Level.UNKNOWN or not _BAD_VALUE.match(taint.origin.label):
        return False
    return any(
        other.method in _CASTS
        and 0 < call.start_line - other.start_line <= _NEAR
        and any(known.origin.level >= Level.PARAMETER for item in other.arguments for known in item.value.taints)
        for other in calls
    )


def lets_html_through(taint: Taint, text: str) -> bool:
    """Whether a value went through Markdown alone, which hands on the HTML in it; ``text`` is the code of the use."""
    names = [ask.callee for ask in taint.asks]
    return any(map(_MARKDOWN.match, names)) and not any(map(decides, names)) and not _STRICT.search(text)


def escapes(calls: Iterable[CallRecord]) -> bool:
    """Whether a function escapes anything: what it leaves as it is, it leaves so on purpose."""
    return any(_ESCAPING.search(call.method) for call in calls)
