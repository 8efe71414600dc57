"""What JavaScript, TypeScript and TSX share: how their definitions look in the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tree_sitter import Language, Node

from devpulse.core.languages.base import Extractor, dedented
from devpulse.core.languages.captures import nodes_of
from devpulse.core.languages.damage import repair
from devpulse.core.languages.ecmascript_lines import definitions, kind_of_line
from devpulse.core.languages.ecmascript_values import (
    FIELDS,
    FUNCTIONS,
    MODULE_EXPORTS,
    assigned_value,
    function_of,
    is_import,
    is_route_decorator,
    plain_name,
    route_of,
    target_of,
)
from devpulse.core.languages.walk import Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

FAMILY = "ecmascript"

_KINDS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "function_signature": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "type_alias_declaration": "type",
    "internal_module": "namespace",
    "module": "namespace",
    "method_definition": "method",
    "method_signature": "method",
    "abstract_method_signature": "method",
}
_ASSIGNING = FIELDS | {"pair", "variable_declarator", "assignment_expression"}
_DEFINING = frozenset({*_KINDS, *_ASSIGNING, *FUNCTIONS, "class"})
_CALLS_TELL = re.compile(
    rb"\.\s{0,40}(?:get|post|put|patch|delete|head|options|all|use)\s{0,9}\(|\bexport\s{1,9}default\b"
)
"""A call may register a route, or be what a module exports."""

_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_WRAPPERS = frozenset({"export_statement", "ambient_declaration", "expression_statement"})
_LEAVES = frozenset({"identifier", "string", "number", "import_statement", "regex", "type_annotation"})
_KEYWORDS = frozenset(
    {"export", "interface", "class", "function", "const", "let", "var", "type", "enum", "import", "if"}
)
"""Names that error recovery takes from the next statement when a class is not closed."""

_VARIABLES = frozenset({"constant", "variable"})


def extractor(grammar: Callable[[], Language]) -> Extractor:
    """What finds the definitions in texts of one of the family's grammars."""
    return lambda path, root, source: _extract(path, root, source, grammar())


def _extract(path: str, root: Node, source: bytes, grammar: Language) -> tuple[Symbol, ...]:
    """The definitions of a JavaScript or TypeScript module, in source order."""
    found: list[Symbol] = []
    damaged: set[int] = set()

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        if node.type in _LEAVES:
            return None
        definition = _definition(node, leading, scope, source)
        if definition is None or (node.has_error and definition.name in _KEYWORDS):
            return _inside(node, leading, scope, source)
        if node.has_error:
            damaged.add(len(found))
        found.append(make_symbol(path, source, definition))
        value = assigned_value(node)
        chained = value is not None and value.type == "assignment_expression"
        if chained or definition.kind in _VARIABLES or definition.end is not None:
            return _inside(node, leading, scope, source)
        names = definition.qualified or joined(scope.names, (definition.name,))
        return Scope(names, "class" if definition.kind in {"class", "interface"} else "block")

    kinds = _DEFINING | {"call_expression"} if _CALLS_TELL.search(source) else _DEFINING
    walk(root, visit, nodes_of(root, grammar, kinds))
    symbols = repair(found, damaged, source, definitions(), kind_of_line, path) if root.has_error else found
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def standalone(kind: str, text: str) -> str:
    """A definition cut out of a file such that it parses by itself: a method needs a class around it."""
    in_class = kind == "method" or (kind == "route" and text.startswith("@"))
    return f"class Of {{\n{text}\n}}" if in_class else dedented(kind, text)


def _inside(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Scope:
    """The scope in a node that defines nothing itself: statements keep their comments, objects lend their name."""
    kind = node.type
    if kind in _WRAPPERS:
        return scope.wrapped_in(node, leading)
    if kind in _DECLARATIONS:
        return _declaration(node, leading, scope)
    if kind == "statement_block":
        return Scope(scope.names, "block")
    if kind in _ASSIGNING:
        value = assigned_value(node)
        target = target_of(node, source) if value is not None and value.type == "object" else None
        if target is not None:
            return Scope(scope.names if target == MODULE_EXPORTS else joined(scope.names, target), "object")
    return scope.unwrapped()


def _declaration(node: Node, leading: Sequence[Node], scope: Scope) -> Scope:
    holder = scope.holder
    if not holder:
        holder = "constant" if any(child.type == "const" for child in node.children) else "variable"
    single = sum(child.type == "variable_declarator" for child in node.named_children) == 1
    wrapped = scope.wrapped_in(node, leading) if single else scope.unwrapped()
    return Scope(wrapped.names, holder, wrapped.wrapper, wrapped.leading)


def _definition(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    kind = node.type
    if kind in _KINDS:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is None:
            return None
        is_route = kind == "method_definition" and any(is_route_decorator(node_text(source, one)) for one in leading)
        return Definition(plain_name(source, name), "route" if is_route else _KINDS[kind], node, scope, leading, body)
    if kind in _ASSIGNING:
        return _assigned(node, leading, scope, source)
    if kind in FUNCTIONS or kind == "class":
        return _default_export(node, scope, source) or _named_in_place(node, leading, scope, source)
    if kind == "call_expression":
        return _route(node, scope, source) or _default_export(node, scope, source)
    return None


def _assigned(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    value = assigned_value(node)
    if value is None:
        return None
    function = function_of(value, source)
    named = scope.holder in _VARIABLES and node.type == "variable_declarator"
    if function is None and (not named or is_import(value, source)):
        return None
    target = target_of(node, source)
    if not target:
        return None
    if function is None:
        # The value is the body: it may be long, and a secret in it must not travel with every search row.
        return Definition(target[-1], scope.holder, node, scope, leading, _equals(node))
    own_name = function.child_by_field_name("name")
    if target == MODULE_EXPORTS and own_name is not None:
        target = (plain_name(source, own_name),)
    kind = "class" if function.type == "class" else "method" if _is_method(node, scope) else "function"
    body = function.child_by_field_name("body")
    return Definition(target[-1], kind, node, scope, leading, body, qualified=joined(scope.names, target))


def _is_method(node: Node, scope: Scope) -> bool:
    if node.type in FIELDS or node.type == "pair" or scope.holder == "class":
        return True
    left = node.child_by_field_name("left")
    owner = left.child_by_field_name("object") if left is not None and left.type == "member_expression" else None
    if owner is None:
        return False
    last = owner.child_by_field_name("property")
    return owner.type == "this" or (last is not None and last.text == b"prototype")


def _default_export(node: Node, scope: Scope, source: bytes) -> Definition | None:
    wrapper = scope.wrapper
    if wrapper is None or wrapper.type != "export_statement" or wrapper.child_by_field_name("value") != node:
        return None
    function = function_of(node, source)
    if function is None:
        return None
    own_name = function.child_by_field_name("name")
    name = plain_name(source, own_name) if own_name is not None else "default"
    kind = "class" if function.type == "class" else "function"
    return Definition(name, kind, node, scope, (), function.child_by_field_name("body"))


def _named_in_place(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    """A function or class with a name that is handed over or returned where it stands: ``use(function log() {})``."""
    own_name = node.child_by_field_name("name")
    if own_name is None or (node.parent is not None and node.parent.type in _ASSIGNING):
        return None
    name = plain_name(source, own_name)
    if scope.names[-1:] == (name,):  # const log = wrap(function log() {})
        return None
    kind = "class" if node.type == "class" else "function"
    return Definition(name, kind, node, scope.unwrapped(), leading, node.child_by_field_name("body"))


def _route(node: Node, scope: Scope, source: bytes) -> Definition | None:
    route = route_of(node, source)
    if route is None:
        return None
    if route.link is None:
        return Definition(route.name, "route", node, scope, (), route.body)
    # One link of router.route("/x").get(…).post(…): the call node starts where the whole chain does.
    return Definition(route.name, "route", route.link, Scope(scope.names), (), route.body, end=node)


def _equals(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "="), None)
