"""Queries of document databases: a value of a request that may be an object, and then an operator (``{"$ne": null}``).

In Javascript and Typescript, whose bodies and query strings give objects as well as texts, in Python, where JSON does,
and in PHP, whose query strings and forms give arrays: ``?name[$ne]=``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value, trail_of
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Wording
from devpulse.core.text import lines_of

WORDING = Wording(
    title="Database query takes an object from the request",
    description='Whoever sends an object instead of a text, such as `{"$ne": null}`, changes what the query matches.',
    fix="Turn the value into a text first (`String(value)`), or refuse everything that is no text.",
)
_OBJECTS = re.compile(r"(?:^|\.)(?:body|query|fields|payload)(?:\.|\[|$)")
_TABLES = re.compile(r"\$_(?:GET|POST|REQUEST)\b")
_LITERALLY = frozenset({"$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin"})
_IN_LIST = re.compile(r"\$n?in\b")
_MADE_TEXT = re.compile(r"(?:is_string|is_array|string\))\s*+\(?\s*+\$\w{1,60}\W{1,3}([\w.-]{1,80})")
_OTHER_QUERIES = frozenset({"where", "attributes", "include", "url", "method", "data", "select", "raw"})
_TEXT = re.compile(r"^(?:through|put into|returned by)\b")
_JSON = re.compile(r"\.(?:get_json\(.*\)|json(?:\(\))?|media)$")
_RAW = re.compile(r"\.(?:data|body|get_data\(.*\)|read\(\))$")
_STAYS_JSON = re.compile(r"through (?:get|loads|get_json|json|pop|copy|dict)\(\)")
_ASKS_TYPE = re.compile(r"\bisinstance\(|\btype\(")
_DATABASE = re.compile(
    r"(?i)mongo|\bmodels?\b['\"/.]|nedb|monk|\.collection\(|require\(['\"][./\w-]*(?:model|schema)s?/"
)
_CHECKS = re.compile(
    r"(?i)sanitizeFilter|mongo-?sanitize|express-validator|\bjoi\b|\bzod\b|\byup\b|\bajv\b|celebrate|class-validator|"
    r"validat(?:e|or|ion)|\bschema\b[^\n]{0,40}\.parse\(|superstruct|tcomb"
)
_COMMENT = re.compile(r"^\s*(?:/[/*]|\*).*$|//\s.*$")
_LOADS = re.compile(r"^\s*(?:import\b|(?:export\s+)?(?:const|let|var)\b[^=]{0,400}=\s*require\()")
_WORD = re.compile(r"\w{1,80}")
_STATEMENT_BUILDER = re.compile(r"\.query\([^()\n]{0,80}\)\s*\.\w+\(")
"""Objection's ``Model.query().findOne(…)`` makes SQL, and binds what it compares with."""

_KEYWORDS = frozenset({"import", "export", "const", "let", "var", "as", "type"})
_CODE = "$where"


def judge(taint: Taint, use: Use) -> Reach | None:
    """A request's value as the whole of a query, as what a field is compared with, or in code that the server runs."""
    label, value = taint.origin.label, use.value
    if taint.origin.level is not Level.REQUEST or not is_plausible(use.source.text):
        return None
    if use.source.language == "php":
        return _of_php(taint, use)
    if _is_in_code(value, taint):
        return Reach(taint, Confidence.HIGH)
    if not _is_object(taint, use) or not _decides(value, taint, use.text):
        return None
    text = "\n".join(lines_of(use.source.text)[max(0, use.call.start_line - 40) : use.call.start_line])
    name = re.escape(label.rpartition(".")[2])
    checked = _is_checked(use.source.text) or re.search(rf"(?:typeof\s+|isString\()[\w$.]{{0,60}}\b{name}\b", text)
    asks = use.source.language == "python" and _ASKS_TYPE.search(text)
    return Reach(taint, Confidence.LOW if checked or asks else Confidence.MEDIUM)


def _decides(value: Value, taint: Taint, text: str) -> bool:
    """Whether a value is the whole query, or what a field is compared with."""
    if not value.collection:
        return _is_whole(value, taint)
    compared = any(_is_whole(item, taint) and not _is_literal(item, text) for _, item in value.fields)
    return compared and not any(name in _OTHER_QUERIES for name, _ in value.fields)


def _is_literal(value: Value, text: str) -> bool:
    """Whether a field is compared by operators that take an object as it is: ``{"$eq": value}``.

    Of lists inside of an operator only the code tells.
    """
    if not value.collection:
        return False
    return all(name in _LITERALLY for name, _ in value.fields) if value.fields else _IN_LIST.search(text) is not None


def _is_object(taint: Taint, use: Use) -> bool:
    """Whether a value of the request may be an object when it comes to the query."""
    if use.source.language == "python":
        return _is_json(taint, use.source.text)
    return not (_OBJECTS.search(taint.origin.label) is None or _STATEMENT_BUILDER.search(use.text) or _is_text(taint))


def _is_json(taint: Taint, text: str) -> bool:
    """Whether a value is part of JSON that was sent, and nothing on its way made a text of it."""
    notes = [mark.note for mark in trail_of(taint)]
    if any(_TEXT.match(note) and not _STAYS_JSON.match(note) for note in notes):
        return False
    label = taint.origin.label
    if _JSON.search(label) or (label.endswith("request.data") and "rest_framework" in text):
        return True
    return _RAW.search(label) is not None and any("loads()" in note for note in notes)


def _of_php(taint: Taint, use: Use) -> Reach | None:
    """What a field of a document is compared with, as the request sent it."""
    value = use.value
    if _TABLES.match(taint.origin.label) is None or not value.collection or _is_text(taint) or taint.asks:
        return None
    whole = any(_is_whole(item, taint) and not _is_literal(item, use.text) for _, item in value.fields)
    checked = taint.origin.label.rpartition(".")[2] in _made_texts(use.source.text)
    return Reach(taint, Confidence.MEDIUM) if whole and not checked else None


@lru_cache(maxsize=8)
def _made_texts(text: str) -> frozenset[str]:
    """The names under which a PHP file reads something that it asks to be a text, or makes one."""
    return frozenset(_MADE_TEXT.findall(text))


def _is_text(taint: Taint) -> bool:
    """Whether something on the way makes a text of a value."""
    return any(_TEXT.match(mark.note) for mark in trail_of(taint))


def _is_whole(value: Value, taint: Taint) -> bool:
    return value.skeleton == HOLE and any(known.origin is taint.origin for known in value.taints)


def _is_in_code(value: Value, taint: Taint) -> bool:
    """Whether a value is put into an expression in Javascript that the database evaluates."""
    code = value.field(_CODE) if value.collection else None
    return code is not None and any(known.origin is taint.origin for known in code.taints)


@lru_cache(maxsize=8)
def _is_checked(text: str) -> bool:
    """Whether a file uses something that checks what was sent: said in code, or loaded and then named."""
    code, loaded = list[str](), set[str]()
    for line in lines_of(text):
        said = _COMMENT.sub("", line)
        if not _LOADS.match(said):
            code.append(said)
        elif _CHECKS.search(said):
            loaded.update(_WORD.findall(said.partition("require(")[0].partition(" from ")[0]))
    body = "\n".join(code)
    return _CHECKS.search(body) is not None or not (loaded - _KEYWORDS).isdisjoint(_WORD.findall(body))


@lru_cache(maxsize=8)
def is_plausible(text: str) -> bool:
    """Whether a file works with a document database and with requests, as far as a few words tell."""
    return ("req" in text or "$_" in text) and _DATABASE.search(text) is not None
