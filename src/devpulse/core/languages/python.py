"""Python: functions, classes, lambdas with a name, type aliases, module constants, routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.damage import repair
from devpulse.core.languages.walk import Definition, Scope, first_paragraph, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_NAME = rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*)"

NAMES = re.compile(
    rb"^(?:[ \t\f]*(?:async[ \t]+)?(?:def|class)[ \t]+" + _NAME  # functions, methods, classes
    + rb"|" + _NAME + rb"[ \t]*(?::[^=\n]*)?=(?!=)"  # assignments of the module
    + rb"|[ \t]+" + _NAME + rb"[ \t]*(?::[^=\n]*)?=[ \t]*lambda\b"
    + rb"|type[ \t]+" + _NAME + rb"[^\n=]*=)",
    re.MULTILINE,
)

_DEFINITIONS = re.compile(rb"^[ \t\f]*(?:async[ \t]+)?(?:def|class)[ \t]+" + _NAME, re.MULTILINE)

_ROUTE = re.compile(
    r"""@\s*(?:
        [\w.]+\.(?:route|websocket|api_route)\s*\(\s*(?:\w+\s*=\s*)?[rfRF]?["']   # Flask, FastAPI, Sanic
      | [\w.]+\.(?:get|post|put|patch|delete|head|options)\s*\(\s*(?:path\s*=\s*)?[rfRF]?(?:["']/|""|'')
      | (?:\w+\.)*(?:api_view|require_http_methods|action)\s*\(                 # Django, its REST framework
      | (?:\w+\.)*(?:require_GET|require_POST|require_safe)\b
    )""",
    re.VERBOSE,
)
"""Decorators that make a function a web entry point. A verb needs a path, or ``@mock.patch("a.b")`` would be one."""

_STRING = re.compile(r"""^[rRuU]?("{3}|'{3}|"|')(.*)\1$""", re.DOTALL)

_LEAVES = frozenset(
    {"identifier", "string", "integer", "float", "import_statement", "import_from_statement", "parameters"}
)
"""Nodes without definitions inside; skipping them halves the walk."""

_WRAPPERS = frozenset({"decorated_definition", "expression_statement"})


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
        if kind in _LEAVES:
            return None
        if kind in _WRAPPERS:
            return scope.wrapped_in(node, leading)
        definition = _definition(node, leading, scope, source)
        if definition is None:
            return scope.unwrapped()
        if node.has_error:
            damaged.add(len(found))
        found.append(make_symbol(path, source, definition))
        return scope.enter(definition.name, "class" if kind == "class_definition" else "function")

    walk(root, visit)
    symbols = repair(found, damaged, source, _DEFINITIONS, _kind_of_line, path) if root.has_error else found
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


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
    comments = scope.leading if scope.holder == "module" else leading
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
    return any(_ROUTE.match(node_text(source, decorator)) for decorator in decorators)


def _docstring(body: Node | None, source: bytes) -> str:
    first = next((child for child in body.named_children if child.type != "comment"), None) if body else None
    if first is None or first.type != "expression_statement" or first.named_child_count != 1:
        return ""
    text = first.named_children[0]
    found = _STRING.match(node_text(source, text)) if text.type == "string" else None
    return first_paragraph(found.group(2)) if found else ""


def _kind_of_line(line: bytes) -> str:
    return "class" if line.split(None, 1)[0] == b"class" else "function"


SUPPORT = LanguageSupport(
    name="python",
    extensions=(".py", ".pyi", ".pyw"),
    grammar=_grammar,
    extract=extract,
    names=NAMES,
    names_are_complete=True,
)
