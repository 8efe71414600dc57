"""Values that were bound to a statement and are written into its text now."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.dropped_checks import MAX_LINE, Dropped

MAX_ADDED = 40
"""Added lines of a place that are looked at."""

_STATEMENT = lazy(
    r"(?i:\bselect\b.{1,300}\bfrom\b|\binsert\s+into\b|\bdelete\s+from\b|\bupdate\b.{1,100}\bset\b)"
    r"|\b(?:WHERE|AND|OR|SET|VALUES|LIKE|LIMIT)\b|\$?\b(?i:where|sql|query|conditions?)\b"
)
_BOUND = lazy(
    r"(?:=|<|>|(?i:\blike|\bin|\bvalues|\blimit|\boffset))\s{0,3}\(?\s{0,3}(?:\?|\$\d|[:@][A-Za-z_]\w{0,40}(?!\w*\s?[.+(])"
    r"|%s(?!['\"]\s?%)|%\(\w{1,40}\)s)"
    r"|[\"'](?:,|\?){1,10}[\"']\s?\*|[\"'`]\?[\"'`]"
)
_WRITTEN = lazy(
    r"(?:=|<|>|(?i:\blike|\bin|\bvalues|\blimit|\boffset))\s{0,3}\(?\s{0,3}(?:\\?['\"`%]{0,3})"
    r"(?:\$\{|\{\$?[A-Za-z_]|\$[A-Za-z_]\w{0,40}\b|['\"]\s?[+.]\s?[$A-Za-z_]|#\{|(?<=['\"])%s|%s['\"]\s?%\s)"
)
_ASSIGNED = lazy(r"^\s{0,200}(?:\w{1,20}\s{1,3})?[$\w][\w.>\[\]'\"-]{0,80}\s{0,3}[.:+]?=\s")
_WORD = lazy(r"[A-Za-z_]\w+")
_SQL_WORDS = frozenset({
    "select", "from", "where", "and", "or", "set", "values", "like", "limit", "in", "into", "insert", "update",
    "delete", "order", "by", "sql", "query", "execute", "stmt", "db", "self", "this", "return", "format", "prepare",
    "id",
})  # fmt: skip


def unbound_in(run: Run) -> Iterator[Dropped]:
    """The first removed line of a place that bound a value, where an added one writes a value into the statement."""
    added = [_ASSIGNED.sub(" ", line) for _, line in run.added[:MAX_ADDED] if len(line) <= MAX_LINE]
    written = [line for line in added if _STATEMENT.search(line) and _WRITTEN.search(line)]
    if not written:
        return
    removed = [(number, _ASSIGNED.sub(" ", line)) for number, line in run.removed if len(line) <= MAX_LINE]
    if any(_STATEMENT.search(line) and _WRITTEN.search(line) for _, line in removed):
        return
    bound = [(number, line) for number, line in removed if _STATEMENT.search(line) and _BOUND.search(line)]
    fewer = sum(len(_BOUND.findall(line)) for line in added) < sum(len(_BOUND.findall(line)) for _, line in removed)
    if not bound or not fewer:
        return
    known = {word for _, line in removed for word in _WORD.findall(line)} - _SQL_WORDS
    values = {word for line in written for word in _values(line)}
    if not known.isdisjoint(values):
        yield Dropped(bound[0][0], bound[0][0], "sql-injection", frozenset(), bound[0][1])


def _values(line: str) -> Iterator[str]:
    """The names that stand where values are written into a statement, and shortly behind."""
    for found in _WRITTEN.finditer(line):
        yield from _WORD.findall(line, found.start(), found.end() + 60)
