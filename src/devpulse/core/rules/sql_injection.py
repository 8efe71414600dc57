"""SQL injection: statements that a value is put into as text, where it can say what the statement does.

Kinds of sinks: ``statement`` runs SQL if what it is given begins as a statement. ``wrapper`` is called like something
that runs SQL. ``condition`` takes a part of a statement, ``finder`` under a name. ``order`` takes a column to sort
by, which cannot be bound. ``context`` takes its statement behind a context. ``extra`` takes parts of a statement in
lists and tables, ``expression`` one of a database without SQL, ``document`` a query of one that takes objects,
``mongo`` such a query written as a text, ``handed`` is any function of the program's own.
Without a kind the text is SQL as a whole or in part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from devpulse.core.categories import Confidence, Severity
from devpulse.core.flow.neighbours import may_hand_on
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place, Taint, Value, trail_of
from devpulse.core.rules import document_queries, handed_statements
from devpulse.core.rules.flow_rule import Danger, Inside, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.sql_texts import (
    begins_statement,
    compares,
    is_fragment,
    is_kept_statement,
    is_sorted,
    is_statement,
    names_column,
    picks_rows,
    says_it_runs,
    sorts_by_value,
    stores,
)
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import lines_of

WORDING = Wording(
    title="SQL built from a value",
    description="The value becomes part of the statement, so whoever chooses it can change what the statement does.",
    fix="Keep the statement constant and bind the values as parameters; take table and column names from a fixed list.",
)
NUMBER = Wording(
    title="Number put into SQL as text",
    description="Only the format keeps this value from changing the statement; with `%s` in its place it would.",
    fix="Bind the value as a parameter like any other.",
)
_OF_NUMBER = (Weakness("sql-injection", severity=Severity.LOW), NUMBER)
"""Low, since what is no number raises an error: the impact is that of the next edit of the line."""

_ORDERS = re.compile(r"(?:^|\.)(?:(?:re)?[oO]rder(?:By)?|pluck|group)$")
_CHOSEN = re.compile(
    r"(?i)(?:sort|order|field|column|direction|\bdir|\bcol)(?:_?by|_?field|_?column|_?key|_?name|_?order|_?dir)?$"
)
"""Parameters by which callers choose a column; an ``expr`` or a ``clause`` is SQL on purpose."""

_CONDITIONS = frozenset({"condition", "finder"})
_ASKS = re.compile(r"(?i)filter|valid|check|allow|permit|safe|contains|^(?:is|has)[A-Z]|column|quote|sanit|escape")
_CHOSEN_FIELD = re.compile(
    r"\b[a-z]\w*\.(?:Sort|Order|Field|Column|Direction)(?:By|Field|Column|Key|Name|Order|Dir)?\b(?!\()"
)
_SORTING_FIELD = re.compile(r"(?i)\$\w+(?:\[['\"]|->)\w*(?:sort|order|dir)\w*")
_SORTING = re.compile(r"(?i)sort|order|direction")
_CONNECTS = re.compile(
    r"(?i)(?:\bconnect\w{0,40}+|cursor|engine|session|database)\([^()\n]{0,200}\)\s{0,40}\.execute\("
)
_SETTING = re.compile(r"(?i)config|setting|option|schema|table|column|prefix|database|constant|\benv")
_MARKS = re.compile(
    r"\bmap\b[^\n;]{0,60}?(?:=>|->|\{|:)\s*(?:['\"`]\s*(?:\?|%s|\$\$\{|:|@)|['\"]\$['\"]\s*\+)", re.DOTALL
)
_BUILDS = re.compile(r"\.(?:and|or)?(?:[wW]here|[hH]aving|set|setParameters?|values?|rows|limit|offset|bind\w*)$")
_TEXT_FIELDS = ("text", "sql", "query")
_CONTEXT = re.compile(
    r"\.\w+\(\s*(?:\w*[cC](?:tx|ontext)|\w+(?:\.\w+)?\.[cC](?:tx|ontext)(?:\(\))?|context\.\w+\(\))\s*,"
)


def _judge(taint: Taint, use: Use) -> Reach | None:
    kind = use.sink.kind
    if kind == "expression":
        return _of_expression(taint, use.value)
    if kind == "document":
        return document_queries.judge(taint, use)
    if kind == "mongo":
        return _of_mongo(taint, use.value)
    if kind == handed_statements.KIND:
        return handed_statements.judge(taint, use)
    if kind == "context" and not _CONTEXT.search(use.text):
        return None
    reaches = (_of_text(taint, text, use) for text in _texts(use.value, kind))
    return next((reach for reach in reaches if reach is not None), None)


def _of_expression(taint: Taint, value: Value) -> Reach | None:
    """An expression of a database without SQL, put together as a text: names and values have places of their own."""
    if value.collection or not is_built(value) or not compares(value):
        return None
    level = taint.origin.level
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH)
    return Reach(taint, Confidence.MEDIUM) if level is Level.PARAMETER else None


def _of_mongo(taint: Taint, value: Value) -> Reach | None:
    """A query document that is put together as a text."""
    if value.collection or "{" not in (value.skeleton or "").partition(HOLE)[0]:
        return None
    level = taint.origin.level
    if Purpose.NUMBER in taint.cleaned or level < Level.PARAMETER:
        return None
    return Reach(taint, Confidence.MEDIUM if level is Level.PARAMETER else Confidence.HIGH)


def _texts(value: Value, kind: str) -> list[Value]:
    """The SQL texts in an argument: itself, the text of an options object, or the begin of a list with its values."""
    if kind == "extra":
        return [text for _, item in value.fields for text in (item, *(inner for _, inner in item.fields))] or [value]
    if kind in _CONDITIONS and value.collection:
        first = value.field("0")
        return [first] if first is not None and is_built(first) else []
    named = next((item for name in _TEXT_FIELDS if (item := value.field(name)) is not None), None)
    return [named] if named is not None else [] if value.collection else [value]


def _of_text(taint: Taint, value: Value, use: Use) -> Reach | None:
    same = [known for known in value.taints if known.origin is taint.origin]
    here = next((known for known in same if known.place is taint.place), same[0] if same else None)
    if here is None or _is_marks(here, use) or _is_bound(here, use):
        return None
    if Purpose.NUMBER in here.cleaned:
        return _of_number(here, value, use)
    if Purpose.DOUBLED in here.cleaned and use.source.language == "php":
        return _of_escaped(here, value)
    return _of_plain(here, value, use)


def _of_plain(here: Taint, value: Value, use: Use) -> Reach | None:
    kind, built = use.sink.kind, is_built(value)
    certain = use.sink.certain and (kind not in ("statement", "wrapper") or _is_connection(use))
    if kind in _CONDITIONS:
        certain = certain and not (value.skeleton or "").startswith(HOLE) and compares(value)
    level = here.origin.level
    joined = built or (kind == "order" and (value.skeleton or "").count(HOLE) > 1)
    chosen = (level is Level.REQUEST and built) or (level is Level.PARAMETER and joined and _is_chosen(here, use))
    if chosen and _is_column(use, value, certain=certain):
        return Reach(here, Confidence.MEDIUM)
    if kind not in (*_CONDITIONS, "order") and is_kept_statement(here):
        told = level >= Level.PARAMETER and not _SETTING.search(here.origin.label)
        return Reach(here, Confidence.MEDIUM) if told else None
    if (built or kind in ("statement", "wrapper")) and not (is_statement(value) or (certain and is_fragment(value))):
        return None
    if level in (Level.REQUEST, Level.ARCHIVE):
        if built or certain:
            return Reach(here, Confidence.MEDIUM if kind == "order" and not built else Confidence.HIGH)
        return None
    return _of_caller(here, value, use, certain=certain) if built else None


def _is_chosen(taint: Taint, use: Use) -> bool:
    """Whether a parameter in Go or Ruby, or the field of it that is used, is one by which callers choose a column."""
    if use.source.language not in ("go", "ruby") or HOLE not in (use.value.skeleton or ""):
        return False
    if any(call is not use.call for call in _asked_in(use.function).get(id(taint.origin), ())):
        return False
    return _CHOSEN.search(taint.origin.label) is not None or _CHOSEN_FIELD.search(use.text) is not None


@lru_cache(maxsize=8)
def _asked_in(function: Inside) -> Mapping[int, Sequence[CallRecord]]:
    """The calls that ask something of what comes from an origin, by the id of that: looked for once in a function."""
    asked: dict[int, list[CallRecord]] = {}
    for call in function.calls:
        if _ASKS.search(call.method):
            for origin in {id(known.origin) for item in call.arguments for known in item.value.taints}:
                asked.setdefault(origin, []).append(call)
    return asked


def _of_escaped(taint: Taint, value: Value) -> Reach | None:
    """A value of a request whose quotes are escaped, where it surely stands outside of any."""
    outside = taint.place is Place.DATA or (taint.place is Place.IDENTIFIER and is_sorted(value))
    if taint.origin.level is not Level.REQUEST or not outside or not is_statement(value):
        return None
    return Reach(taint, Confidence.MEDIUM)


def _of_number(taint: Taint, value: Value, use: Use) -> Reach | None:
    """A parameter of no type that ``%d`` puts into a statement, where it picks a row and could as well be bound."""
    told = taint.origin.level is Level.PARAMETER and use.source.language == "python"
    if not told or taint.asks or not is_statement(value) or not picks_rows(value):
        return None
    if taint.place not in (Place.DATA, Place.QUOTED):
        return None
    return Reach(taint, Confidence.MEDIUM, instead=_OF_NUMBER)


def _is_column(use: Use, value: Value, *, certain: bool) -> bool:
    """Whether a value names a column: ``order("name #{params[:direction]}")`` has no word of SQL otherwise."""
    if use.sink.kind == "order":
        return _ORDERS.search(use.call.callee) is not None
    return use.sink.kind in _CONDITIONS and not certain and names_column(value)


def _of_caller(taint: Taint, value: Value, use: Use, *, certain: bool) -> Reach | None:
    """A value that the code around chose: only where it surely stands for data, which should be bound."""
    quoted = taint.place is Place.QUOTED and is_statement(value)
    if taint.place is Place.IDENTIFIER and taint.origin.level is Level.PARAMETER:
        sure = certain or use.source.language == "php"
        sorts = sure and sorts_by_value(value) and _names_sorting(taint, use)
        return Reach(taint, Confidence.MEDIUM) if sorts else None
    if taint.place in (Place.IDENTIFIER, Place.WHOLE):
        return None
    if taint.origin.level is not Level.UNKNOWN:
        sure = taint.place is not Place.UNCLEAR and not (quoted and _is_of_list(taint, use))
        firm = certain and (quoted or stores(value))
        return Reach(taint, Confidence.MEDIUM if sure else Confidence.LOW, firm=firm)
    if taint.place not in (Place.QUOTED, Place.DATA):
        return None
    data = quoted and (taint.origin.member or certain) and not _SETTING.search(taint.origin.label)
    data = data and not _is_of_list(taint, use)
    if use.source.language == "python" and certain and is_statement(value) and not _SETTING.search(taint.origin.label):
        data = True  # binding is as short, and what it is was decided somewhere else
    return Reach(taint, Confidence.MEDIUM if data else Confidence.LOW)


def _is_of_list(taint: Taint, use: Use) -> bool:
    """Whether each of a list was made a text and these were joined, as programs do it with names of their own."""
    if use.source.language not in LANGUAGES:
        return False
    marks, lines = list(trail_of(taint)), lines_of(use.source.text)
    notes = [mark.note for mark in marks]
    joined = notes.index("through join()") if "through join()" in notes else 0
    mapped = any(".map(" in lines[mark.line - 1] for mark in marks if mark.line <= len(lines))
    return mapped or "put into a text" in notes[:joined]


def _is_connection(use: Use) -> bool:
    """Whether a statement is run by what another call gave, which is a connection by the name of that."""
    return use.call.callee == ".execute" and _CONNECTS.search(use.text) is not None


def _names_sorting(taint: Taint, use: Use) -> bool:
    """Whether a value is called like something to sort by; in PHP, whose tables are followed as a whole, the field."""
    if _SORTING.search(taint.origin.label) or use.source.language != "php":
        return _SORTING.search(taint.origin.label) is not None
    lines = lines_of(use.source.text)
    texts = (lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))
    return any(_SORTING_FIELD.search(text) for text in (use.text, *texts))


def _is_bound(taint: Taint, use: Use) -> bool:
    """Whether a method of a query has taken a value, which gives that query back: in PHP it is judged at the method."""
    return use.source.language == "php" and any(_BUILDS.search(ask.callee) for ask in taint.asks)


def _is_marks(taint: Taint, use: Use) -> bool:
    """Whether a value gives no more than the number of marks for what is bound: ``ids.map(() => "?")``."""
    lines = lines_of(use.source.text)
    return any(_MARKS.search("\n".join(lines[mark.line - 1 : mark.line + 1])) for mark in trail_of(taint))


def is_built(value: Value) -> bool:
    """Whether a text has constant parts around its values."""
    return value.skeleton is not None and value.skeleton.strip(HOLE + " \n") != ""


def _plausible(kind: str, source: Source) -> bool:
    """Whether a text of a file begins as a statement does, where a sink is none without one.

    Documents within PHP and Ruby begin without a quote, and a function of another file may give a statement back.
    """
    if kind == "document":
        return document_queries.is_plausible(source.text)
    if kind == "finder":
        return "conditions" in source.text
    if kind == handed_statements.KIND:
        return _has_statement(source.text)
    if kind not in ("statement", "wrapper") or source.language in ("php", "ruby"):
        return True
    told = kind == "statement" or says_it_runs(source.text)
    return (told and may_hand_on(source.language or "", source.text)) or _has_statement(source.text)


@lru_cache(maxsize=8)
def _has_statement(text: str) -> bool:
    return begins_statement(text)


RULE = flow_rule(
    Danger(
        Weakness("sql-injection"),
        WORDING,
        _judge,
        kinds=(
            ("document", Weakness("sql-injection", 943), document_queries.WORDING),
            ("mongo", Weakness("sql-injection", 943), document_queries.WORDING),
        ),
        handed=True,
        plausible=_plausible,
    )
)
