"""Rust: functions, methods by the type of their impl, types, traits, constants, statics, macros, modules, routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.braces import Found, repair
from devpulse.core.languages.folding import fold
from devpulse.core.languages.routes import Route, route_symbols
from devpulse.core.languages.rust_imports import IMPORTS
from devpulse.core.languages.rust_lines import heads, scan
from devpulse.core.languages.walk import DECORATORS, Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_KINDS = {
    "function_item": "function",
    "function_signature_item": "function",
    "struct_item": "struct",
    "union_item": "union",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "associated_type": "type",
    "const_item": "constant",
    "static_item": "variable",
    "macro_definition": "macro",
    "mod_item": "module",
}
_VALUES = frozenset({"constant", "variable"})
_LEAVES = frozenset({"identifier", "use_declaration", "token_tree", "attribute_item", "parameters", "string_literal"})

_ROUTE_ATTRIBUTE = re.compile(
    rb"#\[\s*(?:\w+::)*(?:get|post|put|patch|delete|head|options|connect|trace|route)\s*\(\s*\""
)
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace", "any", "to"})


@cache
def _grammar() -> Language:
    import tree_sitter_rust  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_rust.language())


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Rust file, in source order."""
    found: list[Found] = []
    routes: list[Route] = []

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind in _LEAVES:
            return None
        if kind == "impl_item":
            return Scope(joined(scope.names, _implementer(node, source)), "impl")
        if kind == "call_expression":
            routes.extend(_routes(node, source))
            return scope
        definition = _definition(node, leading, scope, source) if kind in _KINDS else None
        if definition is None:
            return scope
        name = node.child_by_field_name("name") or node
        found.append(Found(make_symbol(path, source, definition), name.start_point.row, node.has_error))
        return scope if definition.kind in _VALUES else scope.enter(definition.name, definition.kind)

    walk(root, visit)
    symbols = [item.symbol for item in found]
    if root.has_error:
        symbols = repair(found, root, source, heads(source), path)
    symbols = [*route_symbols(routes, symbols, source, path), *symbols]
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _definition(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    kind, body = _KINDS[node.type], node.child_by_field_name("body")
    if node.type == "mod_item" and body is None:
        return None  # ``mod x;`` only names another file
    if kind in _VALUES:
        if scope.holder in {"function", "method", "route"}:
            return None
        # The value is the body: it may be long, and a secret in it must not travel with every search row.
        body = next((child for child in node.children if child.type == "="), None)
    if kind == "function":
        attributes = (child for child in leading if child.type in DECORATORS)
        if any(_ROUTE_ATTRIBUTE.match(source, child.start_byte, child.end_byte) for child in attributes):
            kind = "route"
        elif scope.holder in {"impl", "trait"}:
            kind = "method"
    if kind == "macro":
        body = next((child for child in node.children if child.type in {"{", "(", "["}), None)
    return Definition(node_text(source, name).removeprefix("r#"), kind, node, scope, leading, body)


def _implementer(node: Node, source: bytes) -> tuple[str, ...]:
    """The name of the type an implementation is for, without its module, references and type parameters."""
    named = node.child_by_field_name("type")
    while named is not None and named.type not in {"type_identifier", "primitive_type"}:
        inner = named.child_by_field_name("type")
        if inner is None:
            inner = named.child_by_field_name("name") or named.child_by_field_name("element")
        if inner is None:
            return (fold(node_text(source, named), 60).replace(".", ""),)
        named = inner
    return (node_text(source, named),) if named is not None else ()


def _routes(call: Node, source: bytes) -> list[Route]:
    """``.route("/x", get(show).post(|form| …))`` of axum and actix; actix puts ``web::`` before the verb."""
    callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if callee is None or arguments is None or callee.type != "field_expression":
        return []
    field = callee.child_by_field_name("field")
    given = [child for child in arguments.named_children if "comment" not in child.type]
    if field is None or field.text != b"route" or len(given) != 2 or given[0].type != "string_literal":
        return []
    target = node_text(source, given[0])[1:-1]
    routes: list[Route] = []
    link: Node | None = given[1]
    while link is not None and link.type == "call_expression":
        inner, listed = link.child_by_field_name("function"), link.child_by_field_name("arguments")
        verb = _last_name(inner, source) if inner is not None else ""
        if verb in _VERBS and listed is not None and listed.named_child_count == 1:
            label = _verb_below(inner, source) if verb == "to" else verb
            routes.append(Route(f"{label.upper()} {target}", link, listed.named_children[0]))
        link = inner.child_by_field_name("value") if inner is not None and inner.type == "field_expression" else None
    return routes


def _last_name(callee: Node, source: bytes) -> str:
    last = callee.child_by_field_name("field") or callee.child_by_field_name("name") or callee
    return node_text(source, last)[:20]


def _verb_below(callee: Node | None, source: bytes) -> str:
    """The verb of ``web::get().to``."""
    below = callee.child_by_field_name("value") if callee is not None else None
    inner = below.child_by_field_name("function") if below is not None else None
    verb = _last_name(inner, source) if inner is not None else ""
    return verb if verb in _VERBS else "any"


SUPPORT = LanguageSupport(
    name="rust",
    extensions=(".rs",),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
)
