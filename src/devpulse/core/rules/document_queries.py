"""Queries of document databases: a value of a request that may be an object, and then an operator (``{"$ne": null}``).

In Javascript and Typescript, whose bodies and query strings give objects as well as texts, in Python, where JSON does,
and in PHP, whose query strings and forms give arrays: ``?name[$ne]=``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value, trail_of
from devpulse.core.rules.flow_rule import Use, lines_of
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Wording

WORDING = Wording(
    title="Database query takes an object from the request",
    description='Whoever sends an object instead of a text, such as `{"$ne": null}`, changes what the query matches.',
    fix="Turn the value into a text first (`String(value)`), or refuse everything that is no text.",
)
_OBJECTS = re.compile(r"(?:^|\.)(?:body|query|fields|payload)(?:\.|\[|$)")
_TABLES = re.compile(r"\$_(?:GET|POST|REQUEST)\b")
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


def judge(taint: Taint, use: Use) -> Reach | None:
    """A request's value as the whole of a query, or as what a field is compared with."""
    label, value = taint.origin.label, use.value
    if use.source.language == "php":
        return _of_php(taint, use)
    if taint.origin.level is not Level.REQUEST or not is_plausible(use.source.text):
        return None
    if use.source.language == "python":
        if not _is_json(taint, use.source.text):
            return None
    elif not _OBJECTS.search(label) or any(_TEXT.match(mark.note) for mark in trail_of(taint)):
        return None
    if value.collection:
        field = next((name for name, item in value.fields if _is_whole(item, taint)), None)
        if field is None or field in _OTHER_QUERIES or any(name in _OTHER_QUERIES for name, _ in value.fields):
            return None
    elif not _is_whole(value, taint):
        return None
    text = "\n".join(lines_of(use.source.text)[max(0, use.call.start_line - 40) : use.call.start_line])
    name = re.escape(label.rpartition(".")[2])
    checked = (
        _CHECKS.search(use.source.text)
        or re.search(rf"(?:typeof\s+|isString\()[\w$.]{{0,60}}\b{name}\b", text)
        or (use.source.language == "python" and _ASKS_TYPE.search(text))
    )
    return Reach(taint, Confidence.LOW if checked else Confidence.MEDIUM)


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
    sent = taint.origin.level is Level.REQUEST and _TABLES.match(taint.origin.label) is not None
    if not sent or not value.collection or not is_plausible(use.source.text):
        return None
    if any(_TEXT.match(mark.note) for mark in trail_of(taint)) or taint.asks:
        return None
    whole = any(_is_whole(item, taint) for _, item in value.fields)
    name = re.escape(taint.origin.label.rpartition(".")[2])
    checked = re.search(rf"(?:is_string|is_array|string\))\s*\(?\s*\$\w{{1,60}}\W{{0,3}}{name}\b", use.source.text)
    return Reach(taint, Confidence.MEDIUM) if whole and not checked else None


def _is_whole(value: Value, taint: Taint) -> bool:
    return value.skeleton == HOLE and any(known.origin is taint.origin for known in value.taints)


@lru_cache(maxsize=8)
def is_plausible(text: str) -> bool:
    """Whether a file works with a document database and with requests, as far as a few words tell."""
    return ("req" in text or "$_" in text) and _DATABASE.search(text) is not None
