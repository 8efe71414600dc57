"""SQL injection in Python: DB-API cursors, SQLAlchemy, Django, pandas, and wrappers named like them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.finding import Hit
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Value
from devpulse.core.rules.sql import is_statement, sql_hits
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_PREFILTER = re.compile(r"(?i)execut|\braw|sql|query|select\b|insert\b|update\b|delete\b|\.extra\(")
_RUNS_SQL = frozenset(
    [
        "execute",
        "executemany",
        "executescript",
        "exec_driver_sql",
        "raw",
        "read_sql",
        "read_sql_query",
        "RawSQL",
        "execute_sql",
        "fetchrow",
        "fetchval",
    ]
)
_DATABASE = re.compile(
    r"(?i)(?:^|[._])(?:c|cc|cur\w*|\w*cursor|db\w*|\w*conn\w*|con|session\w*|engine|database|tx|trans\w*|sqlite\w*|objects|pd|pandas|\w*db)$"
)
_WRAPPER = re.compile(r"(?i)exec|query|sql|select|insert|update|delete|fetch|\bdb|cursor|run")
_NOT_RUNNING = re.compile(
    r"(?i)^(?:log\w*|print|debug|info|warn\w*|error|exception|append|format|join|write|assert\w*|add|dedent|str|len|strip|replace|lower)$"
)


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """Statements that are put together from values."""
    if source.language is not None and _PREFILTER.search(source.text):
        yield from sql_hits(_sinks(source.language, source.text), source, resolver)


def _sinks(language: str, text: str) -> Iterator[tuple[CallRecord, Value, bool]]:
    for call in analyse(language, text).calls:
        method = call.method
        if method in _RUNS_SQL:
            value = call.argument(0, "sql", "query", "statement", "raw_query", "operation")
            if value is not None:
                yield call, value, method != "execute" or _is_database(call, value)
        elif (method == "text" and call.receiver is None) or call.callee.endswith((".text", "literal_column")):
            value = call.argument(0, "text")
            if value is not None:
                yield call, value, False
        else:
            yield from _other_sinks(call)


def _other_sinks(call: CallRecord) -> Iterator[tuple[CallRecord, Value, bool]]:
    """Django's ``extra``, and any function named like a database's that is handed a whole statement."""
    values = [argument.value for argument in call.arguments]
    if call.method == "extra":
        for value in values:
            yield from ((call, item, True) for _, item in value.fields or (("", value),))
    elif _WRAPPER.search(call.callee) and not _NOT_RUNNING.match(call.method):
        yield from ((call, value, False) for value in values if HOLE in (value.skeleton or "") and is_statement(value))


def _is_database(call: CallRecord, value: Value) -> bool:
    owner = call.callee.rpartition(".")[0]
    return is_statement(value) or _DATABASE.search(owner) is not None


RULE = Rule(id="python-sql-injection", category="sql-injection", languages=frozenset({"python"}), check=check)
