"""What a text says as SQL: whether it begins as a statement, compares something, or sorts by a column."""

from __future__ import annotations

import re

from devpulse.core.flow.values import HOLE, Taint, Value
from devpulse.core.lazy_pattern import lazy

_SELECT = r"select\b.+\bfrom\b|select\s+[\w.]+\s*\("
_CHANGE = r"insert\b.+\binto\b|replace\s+into\b|update\b.+\bset\b|delete\b.+\bfrom\b"
_DEFINITION = r"(?:create|drop|alter|truncate)\s+\w+"
_SELECT_AFTER = r"with\b.+\bselect\b|explain\s+(?:analyze\s+)?select\b"
_COMMAND = r"(?:call|exec(?:ute)?|grant|revoke|merge|use|show|pragma|copy|attach)\s+\S"
_BLOCK = r"begin\b.+\bend\b"
_MATCH_OF_GRAPH = r"(?:optional\s+)?match\s*\(.+\b(?:return|set|delete|create|merge)\b"
_CREATE_IN_GRAPH = r"(?:create|merge)\s*\(\w*:|unwind\b.+\b(?:create|match|merge)\b"
_FORMS = (
    _SELECT, _CHANGE, _DEFINITION, _SELECT_AFTER, _COMMAND, _BLOCK, _MATCH_OF_GRAPH, _CREATE_IN_GRAPH,
)  # fmt: skip
"""How a statement begins, and what it must have behind that; the last two are Cypher's."""

_STATEMENT = re.compile(rf"(?is)^[\s(]*(?:{'|'.join(_FORMS)})")
_FIRST_WORDS = (
    "select|insert|replace|update|delete|create|drop|alter|truncate|with|call|exec|execute|grant|revoke|merge|use|show|"
    "pragma|copy|attach|begin|explain|optional|match|unwind"
)
_BEGINS = re.compile(rf"(?i)[\"'`](?:\s|\(|\\[nrt\n])*+(?:{_FIRST_WORDS})(?=[\s\\\"'`(*/{{%\[]|$)")
"""The first word of a statement at the begin of a literal in code."""

_CLAUSES = (
    r"select|insert|update|delete|from|where|join|order\s+by|group\s+by|having|values|limit|and|or|like|union|set|into"
)
_FRAGMENT = re.compile(rf"(?i)\b(?:{_CLAUSES})\b|[=<>]\s*['{HOLE}]")
_COMPARES = re.compile(r"(?i)[=<>]|\b(?:i?like|in|and|or|between|begins_with|contains|set|select)\b")
_SORTED = re.compile(r"(?i)\b(?:order|group)\s+by\s")
_BOUND = r"(?:\?|\$\d|:\w|@\w|')"
_COLUMN = re.compile(rf"(?i)^{HOLE}\s*(?:(?:not\s+)?i?like\b|(?:<>|!=|[<>]?=|[<>])\s*{_BOUND})")
_SORTS_BY = re.compile(rf"(?i)\border\s+by\s+[`\"\[]?(?:\w+\.)?{HOLE}|\border\s+by\b[^()]*{HOLE}\s*$")
_ROWS = re.compile(r"(?i)^\s*(?:select|insert|update|delete)\b")
_COUNTED = re.compile(rf"(?i)\b(?:limit|offset|top|fetch\s+first|interval|sleep)\s*[\s('\"]{HOLE}")
_STORES = re.compile(r"(?i)^\s*(?:insert|replace)\b")
_KEPT = re.compile(
    r"(?:^|[._])(?:[A-Z0-9]+_)*(?:SQL|QUERY|STATEMENT|SELECT|INSERT|UPDATE|DELETE)(?:_[A-Z0-9]+)*\.format$"
)
_RUNS = lazy(r"(?i)(?:sql|query|queries|execute)\w{0,60}\s{0,20}\(")


def is_statement(value: Value) -> bool:
    """Whether a text begins as an SQL statement."""
    return value.skeleton is not None and _STATEMENT.match(value.skeleton) is not None


def is_fragment(value: Value) -> bool:
    """Whether a text has words of SQL in it."""
    return value.skeleton is not None and _FRAGMENT.search(value.skeleton) is not None


def compares(value: Value) -> bool:
    """Whether a text may be a condition."""
    return _COMPARES.search(value.skeleton or "") is not None


def is_sorted(value: Value) -> bool:
    """Whether a text sorts or groups by something."""
    return _SORTED.search(value.skeleton or "") is not None


def sorts_by_value(value: Value) -> bool:
    """Whether a text sorts by a column that a value names."""
    return _SORTS_BY.search(value.skeleton or "") is not None


def names_column(value: Value) -> bool:
    """Whether a text is a condition on a column that somebody else names: ``fmt.Sprintf("%s LIKE ?", field)``."""
    return _COLUMN.match(value.skeleton or "") is not None


def picks_rows(value: Value) -> bool:
    """Whether a statement works on rows that its values pick, and counts none by them."""
    skeleton = value.skeleton or ""
    return _ROWS.match(skeleton) is not None and _COUNTED.search(skeleton) is None


def stores(value: Value) -> bool:
    """Whether a statement puts a row into a table."""
    return _STORES.match(value.skeleton or "") is not None


def is_kept_statement(taint: Taint) -> bool:
    """Whether a value was put into a statement that stands somewhere else: ``SQL_FIND_USER % name``."""
    return any(_KEPT.search(ask.callee) for ask in taint.asks)


def begins_statement(code: str) -> bool:
    """Whether a literal in code begins as a statement does."""
    return _BEGINS.search(code) is not None


def says_it_runs(code: str) -> bool:
    """Whether code has a call that says itself that it runs a statement, wherever that was put together."""
    return _RUNS.search(code) is not None
