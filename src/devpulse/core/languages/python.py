"""Python: functions, classes, lambdas with a name, type aliases, module constants, routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.damage import repair
from devpulse.core.languages.python_imports import IMPORTS
from devpulse.core.languages.python_lines import definitions, kind_of_line, scan
from devpulse.core.languages.python_routes import route_decorator
from devpulse.core.languages.walk import Definition, Scope, first_paragraph, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_STRING = re.compile(r"""^[rRuU]?("{3}|'{3}|"|')(.*)\1$""", re.DOTALL)

_COMPOUND = frozenset(
    {"block", "ERROR", "if_statement", "elif_clause", "else_clause", "for_statement", "while_statement"}
    | {"try_statement", "except_clause", "except_group_clause", "finally_clause"}
    | {"with_statement", "match_statement", "case_clause"}
)
"""Nodes that may hold statements; nothing else is walked, for no expression defines a name for longer."""

_DEFINING = frozenset({"function_definition", "class_definition", "assignment", "type_alias_statement"})


@cache
def _grammar() -> Language:
    import tree_sitter_python  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_python.language())


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Python module, in source order."""
    found: list[Symbol] = []
    damaged: set[int] = set()

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind == "decorated_definition" or (kind == "expression_statement" and _assigns(node)):
            return scope.wrapped_in(node, leading)
        if kind in _COMPOUND:
            return scope.unwrapped()
        definition = _definition(node, leading, scope, source) if kind in _DEFINING else None
        if definition is None:
            return None
        if node.has_error:
            damaged.add(len(found))
        found.append(make_symbol(path, source, definition))
        return scope.enter(definition.name, "class" if kind == "class_definition" else "function")

    walk(root, visit)
    symbols = repair(found, damaged, source, definitions(), kind_of_line, path) if root.has_error else found
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _assigns(statement: Node) -> bool:
    """Whether a statement gives a name to a lambda, or to anything at module level."""
    assignment = next(iter(statement.named_children), None)
    if assignment is None or assignment.type != "assignment":
        return False
    right = assignment.child_by_field_name("right")
    return statement.start_point.column == 0 or (right is not None and right.type == "lambda")


def _definition(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if node.type == "function_definition" and name is not None:
        kind = "route" if _is_route(scope, source) else "method" if scope.holder == "class" else "function"
        return Definition(node_text(source, name), kind, node, scope, leading, body, _docstring(body, source))
    if node.type == "class_definition" and name is not None:
        return Definition(node_text(source, name), "class", node, scope, leading, body, _docstring(body, source))
    if node.type == "assignment":
        return _assignment(node, leading, scope, source)
    if node.type == "type_alias_statement":
        left = node.child_by_field_name("left")
        alias = re.match(r"\w+", node_text(source, left)) if left else None
        return Definition(alias.group(), "type", node, scope, leading, None) if alias else None
    return None


def _assignment(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "identifier":
        return None
    name = node_text(source, left)
    if right.type == "lambda":
        kind = "method" if scope.holder == "class" else "function"
        return Definition(name, kind, node, scope, leading, right.child_by_field_name("body"))
    if scope.names or node.start_point.column:
        return None
    # The value is the body: it may be long, and a secret in it must not travel with every search row.
    return Definition(name, "constant" if name.isupper() else "variable", node, scope, leading, _equals(node))


def _equals(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "="), None)


def _is_route(scope: Scope, source: bytes) -> bool:
    if scope.wrapper is None:
        return False
    decorators = (child for child in scope.wrapper.named_children if child.type == "decorator")
    return any(route_decorator(node_text(source, decorator)) for decorator in decorators)


def _docstring(body: Node | None, source: bytes) -> str:
    first = next((child for child in body.named_children if child.type != "comment"), None) if body else None
    if first is None or first.type != "expression_statement" or first.named_child_count != 1:
        return ""
    text = first.named_children[0]
    found = _STRING.match(node_text(source, text)) if text.type == "string" else None
    return first_paragraph(found.group(2)) if found else ""


SUPPORT = LanguageSupport(
    name="python",
    extensions=(".py", ".pyi", ".pyw"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    scans_by_line=True,
    imports=IMPORTS,
)
