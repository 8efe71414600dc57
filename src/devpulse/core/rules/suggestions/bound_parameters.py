"""An SQL statement that Python puts together from values becomes a constant one with its values bound (PEP 249)."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.suggestions.built_texts import bind
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.rules.suggestions.python_texts import expression, literal, parts_of_text
from devpulse.core.source import Source

_STYLES = {
    "sqlite3": "?",
    "pyodbc": "?",
    "psycopg": "%s",
    "psycopg2": "%s",
    "MySQLdb": "%s",
    "pymysql": "%s",
    "mysql": "%s",
    "mariadb": "?",
    "pymssql": "%s",
    "django": "%s",
    "flask_mysqldb": "%s",
}
_OTHERS = frozenset(
    {"sqlalchemy", "flask_sqlalchemy", "oracledb", "cx_Oracle", "asyncpg", "databases", "duckdb", "peewee"}
)
_CURSOR = lazy(r"(?i)(?:^|[._])(?:c|cc|cur|crsr|curs|\w*cursor(?:\(\))?)$")
_CONNECTION = lazy(r"(?i)(?:^|[._])(?:db|con|\w*conn|\w*connection|get_db\(\)|\w*_db)$")
_OPENS_SQLITE = lazy(r"\bsqlite3\.connect\(")


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with a placeholder for each value and the values as the second argument."""
    calls = nodes_of(source, hit, "call")
    return only([text for call in calls if (text := _bound(source, hit, call)) is not None])


def _bound(source: Source, hit: Hit, call: Node) -> str | None:
    arguments = parts_of(call.child_by_field_name("arguments"))
    style = _style(source, field_of(call, "function"))
    if style is None or len(arguments) != 1 or has_comment(call):
        return None
    parts = parts_of_text(arguments[0])
    bound = bind(parts, style) if parts is not None else None
    statement = literal(bound.statement) if bound is not None else None
    if bound is None or statement is None:
        return None
    values = [expression(value, text=False) for value in bound.values]
    given = ", ".join(value for value in values if value is not None)
    if None in values:
        return None
    text = f"{statement}, ({given},)" if len(values) == 1 else f"{statement}, ({given})"
    return replaced_lines(source, hit, [Edit(arguments[0], text)])


def _style(source: Source, function: Node) -> str | None:
    """The placeholder of the driver that a method belongs to: what is imported says so, else a cursor's is ``%s``."""
    owner = node_text(function.child_by_field_name("object"))
    if node_text(function.child_by_field_name("attribute")) != "execute":
        return None
    modules = {known.module.partition(".")[0] for known in imported_names(source.language, source.text).values()}
    styles = {_STYLES[module] for module in modules if module in _STYLES}
    if _OPENS_SQLITE.search(source.text):
        styles.add("?")
    if len(styles) > 1 or modules & _OTHERS:
        return None
    if _CURSOR.search(owner):
        return next(iter(styles), "%s")
    # Connections run statements themselves in some libraries only.
    runs = "sqlite3" in modules or "psycopg" in modules or styles == {"?"}
    return next(iter(styles), None) if runs and _CONNECTION.search(owner) else None
