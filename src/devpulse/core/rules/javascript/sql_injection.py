"""SQL injection in Javascript and Typescript: drivers, Knex, Sequelize, TypeORM, Prisma's unsafe calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.finding import Hit
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import Value
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.sql import sql_hits
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_PREFILTER = re.compile(r"(?i)query|\braw|execute|sql|select\b|insert\b|update\b|delete\b|where\(")
_RUNS_SQL = frozenset(
    [
        "raw",
        "whereRaw",
        "orWhereRaw",
        "havingRaw",
        "orderByRaw",
        "groupByRaw",
        "joinRaw",
        "fromRaw",
        "selectRaw",
        "$queryRawUnsafe",
        "$executeRawUnsafe",
        "unsafe",
        "literal",
        "any",
        "one",
        "none",
        "oneOrNone",
        "manyOrNone",
    ]
)
_MAYBE_SQL = frozenset(
    [
        "query",
        "execute",
        "run",
        "all",
        "get",
        "each",
        "exec",
        "prepare",
        "where",
        "andWhere",
        "orWhere",
        "having",
        "orderBy",
        "queryAsync",
    ]
)
_DATABASE = re.compile(
    r"(?i)(?:^|[._])(?:db|\w*pool|client|conn\w*|connection|knex|sequelize|mysql|pg|sqlite\w*|\w*database|trx|tx|manager|queryRunner|\w*[rR]epository|\w*Db)$"
)
_TEXT_FIELDS = ("text", "sql", "query")


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """Statements that are put together from values."""
    if source.language is not None and _PREFILTER.search(source.text):
        yield from sql_hits(_sinks(source.language, source.text), source, resolver)


def _sinks(language: str, text: str) -> Iterator[tuple[CallRecord, Value, bool]]:
    for call in analyse(language, text).calls:
        method = call.method
        if method not in _RUNS_SQL and method not in _MAYBE_SQL:
            continue
        value = call.argument(0)
        if value is None:
            continue
        if value.fields:
            value = next((item for name in _TEXT_FIELDS if (item := value.field(name)) is not None), value)
        owner = call.callee.rpartition(".")[0]
        certain = method in _RUNS_SQL and method not in ("any", "one", "none", "unsafe")
        if method in ("query", "execute"):
            certain = _DATABASE.search(owner) is not None
        if method in ("where", "andWhere", "orWhere", "having"):
            certain = value.skeleton is not None and not value.skeleton.startswith("\ufffc") and "=" in value.skeleton
        yield call, value, certain


RULE = Rule(id="javascript-sql-injection", category="sql-injection", languages=LANGUAGES, check=check)
