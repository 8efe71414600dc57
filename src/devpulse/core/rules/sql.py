"""What the SQL injection rules of all languages share: which texts are SQL, which places in them matter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place, Taint, Value
from devpulse.core.rules.hits import Reach, Weakness, Wording, flow_hit
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver

WEAKNESS = Weakness("sql-injection")
WORDING = Wording(
    title="SQL built from a value",
    description="The value becomes part of the statement, so whoever chooses it can change what the statement does.",
    fix="Keep the statement constant and bind the values as parameters; take table and column names from a fixed list.",
)
_STATEMENT = re.compile(
    r"(?is)^[\s(]*(?:select\b.+\bfrom\b|insert\b.+\binto\b|replace\s+into\b|update\b.+\bset\b|delete\b.+\bfrom\b|"
    r"(?:create|drop|alter|truncate)\s+\w+|with\b.+\bselect\b|(?:call|exec(?:ute)?|grant|revoke|merge|use|show|pragma|copy)\s+\S)"
)
_FRAGMENT = re.compile(
    r"(?i)\b(?:select|insert|update|delete|from|where|join|order\s+by|group\s+by|having|values|limit|and|or|like|union|set|into)\b|[=<>]\s*['\ufffc]"
)


def is_statement(value: Value) -> bool:
    """Whether a text begins as an SQL statement."""
    return value.skeleton is not None and _STATEMENT.match(value.skeleton) is not None


def is_fragment(value: Value) -> bool:
    """Whether a text has words of SQL in it."""
    return value.skeleton is not None and _FRAGMENT.search(value.skeleton) is not None


def sql_hits(sinks: Iterator[tuple[CallRecord, Value, bool]], source: Source, resolver: Resolver) -> Iterator[Hit]:
    """One hit a line for calls whose SQL text a value can change; the flag says that the callee surely runs SQL."""
    lines: set[int] = set()
    for call, value, certain in sinks:
        if value.collection or call.start_line in lines:
            continue
        reaches = [reach for taint in value.taints if (reach := _reach(taint, value, certain=certain)) is not None]
        hit = flow_hit(WEAKNESS, WORDING, call, reaches, source, resolver) if reaches else None
        if hit is not None:
            lines.add(call.start_line)
            yield hit


def _reach(taint: Taint, value: Value, *, certain: bool) -> Reach | None:
    built = value.skeleton is not None and value.skeleton.strip(HOLE + " \n") != ""
    level, place = taint.origin.level, taint.place
    if built and not (is_statement(value) or (certain and is_fragment(value))):
        return None
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH) if built or certain else None
    if not built or place in (Place.IDENTIFIER, Place.WHOLE):
        return None
    if level is Level.UNKNOWN:
        if place not in (Place.QUOTED, Place.DATA):
            return None
        return Reach(taint, Confidence.MEDIUM if place is Place.QUOTED and taint.origin.member else Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM)
