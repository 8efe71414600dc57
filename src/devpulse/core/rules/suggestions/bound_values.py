"""An SQL statement that JavaScript puts together becomes a constant one with its values bound
(https://node-postgres.com/features/queries, https://sidorares.github.io/node-mysql2/, https://github.com/TryGhost/node-sqlite3).
"""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.rules.suggestions.built_texts import bind
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.rules.suggestions.javascript_texts import expression, literal, parts_of_text
from devpulse.core.source import Source

_DRIVERS = {
    "pg": ("$", frozenset({"query"})),
    "mysql": ("?", frozenset({"query"})),
    "mysql2": ("?", frozenset({"query", "execute"})),
    "sqlite3": ("?", frozenset({"run", "all", "get", "each"})),
}
_OTHERS = frozenset({"sequelize", "knex", "typeorm", "better-sqlite3", "pg-promise", "mssql", "sqlite"})
_CALLBACKS = frozenset({"arrow_function", "function_expression", "identifier"})
_LONGEST = 2


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with a placeholder for each value and the values as the second argument, before a callback."""
    modules = {known.module.partition(".")[0] for known in imported_names(source.language, source.text).values()}
    drivers = [driver for name, driver in _DRIVERS.items() if name in modules]
    if len(drivers) != 1 or modules & _OTHERS:
        return None
    style, methods = drivers[0]
    calls = nodes_of(source, hit, "call_expression")
    named = [call for call in calls if _method(call) in methods]
    return only([text for call in named if (text := _bound(source, hit, call, style)) is not None])


def _method(call: Node) -> str:
    return node_text(field_of(call, "function").child_by_field_name("property"))


def _bound(source: Source, hit: Hit, call: Node, style: str) -> str | None:
    arguments = parts_of(call.child_by_field_name("arguments"))
    if not 1 <= len(arguments) <= _LONGEST or any(given.type not in _CALLBACKS for given in arguments[1:]):
        return None
    if has_comment(arguments[0]) or (len(arguments) == _LONGEST and not _is_callback(arguments[1])):
        return None
    parts = parts_of_text(arguments[0])
    bound = bind(parts, style) if parts is not None else None
    statement = literal(bound.statement) if bound is not None else None
    if bound is None or statement is None:
        return None
    values = [expression(value, text=False) for value in bound.values]
    if None in values:
        return None
    given = ", ".join(value for value in values if value is not None)
    return replaced_lines(source, hit, [Edit(arguments[0], f"{statement}, [{given}]")])


def _is_callback(node: Node) -> bool:
    """Whether a second argument is a function, and not values that are bound already."""
    return node.type != "identifier" or node_text(node) in ("callback", "cb", "done", "next")
