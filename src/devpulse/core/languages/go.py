"""Go: functions, methods by receiver type, types, interface methods, package constants and variables, routes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.braces import Found, repair
from devpulse.core.languages.captures import nodes_of
from devpulse.core.languages.go_imports import IMPORTS
from devpulse.core.languages.go_lines import heads, may_register, route_name, scan
from devpulse.core.languages.routes import Route, route_symbols
from devpulse.core.languages.walk import Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_LISTS = frozenset({"const_declaration", "var_declaration", "type_declaration", "var_spec_list"})
_SPECS = frozenset({"const_spec", "var_spec", "type_spec", "type_alias"})
_LEAVES = frozenset({"identifier", "import_declaration", "package_clause", "field_declaration", "parameter_list"})
SPEC_NAMES = 100
"""Names read from one line of constants or variables: each costs a look at the whole of it."""

_TYPE_KINDS = {"struct_type": "struct", "interface_type": "interface"}


_DEFINING = frozenset(
    {"function_declaration", "method_declaration", "type_spec", "type_alias", "method_elem", "const_spec", "var_spec"}
)


@cache
def _grammar() -> Language:
    import tree_sitter_go  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_go.language())


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Go file, in source order."""
    found: list[Found] = []
    routes: list[Route] = []

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind in _LEAVES:
            return None
        if kind in _LISTS:
            single = node.named_child_count == 1 and node.named_children[0].type in _SPECS
            return scope.wrapped_in(node, leading) if single else scope.unwrapped()
        if kind == "call_expression":
            route = _route(node, source)
            if route is not None:
                routes.append(route)
            return scope.unwrapped()
        definitions = _definitions(node, leading, scope, source)
        for definition, name in definitions:
            symbol = make_symbol(path, source, definition)
            found.append(Found(symbol, name.start_point.row, node.has_error))
        if not definitions:
            return scope.unwrapped()
        first = definitions[0][0]
        return Scope(first.qualified or joined(scope.names, (first.name,)), first.kind)

    kinds = _DEFINING | {"call_expression"} if may_register(source) else _DEFINING
    walk(root, visit, nodes_of(root, _grammar(), kinds))
    symbols = [item.symbol for item in found]
    if root.has_error:
        symbols = repair(found, root, source, heads(source), path)
    symbols = [*route_symbols(routes, symbols, source, path), *symbols]
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _definitions(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[tuple[Definition, Node]]:  # noqa: PLR0911  (one return for each kind of node)
    kind = node.type
    if kind in {"const_spec", "var_spec"}:
        return _values(node, leading, scope, source)
    name = node.child_by_field_name("name")
    if name is None:
        return []
    text = node_text(source, name)
    if kind == "function_declaration":
        return [(Definition(text, "function", node, scope, leading, node.child_by_field_name("body")), name)]
    if kind == "method_declaration":
        owner = _receiver(node, source)
        body = node.child_by_field_name("body")
        return [(Definition(text, "method", node, scope, leading, body, qualified=(*owner, text)), name)]
    if kind in {"type_spec", "type_alias"}:
        return [(_type(text, node, leading, scope), name)]
    if kind == "method_elem" and scope.holder == "interface":
        return [(Definition(text, "method", node, scope, leading, None), name)]
    return []


def _type(name: str, node: Node, leading: Sequence[Node], scope: Scope) -> Definition:
    value = node.child_by_field_name("type")
    kind = _TYPE_KINDS.get(value.type, "type") if value is not None else "type"
    # The last child is what stands between the braces.
    body = value.named_children[-1] if value is not None and kind != "type" and value.named_child_count else None
    if kind == "interface" and value is not None:
        body = next((child for child in value.children if child.type == "{"), None)
    return Definition(name, kind, node, scope, leading, body)


def _values(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[tuple[Definition, Node]]:
    """The names of one line of a group; only those of the package."""
    if scope.holder:
        return []
    kind = "constant" if node.type == "const_spec" else "variable"
    # The value is the body: it may be long, and a secret in it must not travel with every search row.
    equals = next((child for child in node.children if child.type == "="), None)
    listed = node.children_by_field_name("name")[:SPEC_NAMES]
    names = [child for child in listed if child.type == "identifier"]
    return [
        (Definition(node_text(source, name), kind, node, scope, leading, equals), name)
        for name in names
        if name.text != b"_"
    ]


def _receiver(node: Node, source: bytes) -> tuple[str, ...]:
    """The type a method belongs to, without pointer and type parameters."""
    receiver = node.child_by_field_name("receiver")
    pending = [receiver] if receiver is not None else []
    while pending:
        at = pending.pop(0)
        if at.type == "type_identifier":
            return (node_text(source, at),)
        pending += at.named_children[:4]
    return ()


def _route(call: Node, source: bytes) -> Route | None:
    """``mux.HandleFunc("GET /x", h)``, ``r.GET("/x", …, h)``, ``r.Handle("GET", "/x", h)``."""
    callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if callee is None or arguments is None or callee.type != "selector_expression":
        return None
    field = callee.child_by_field_name("field")
    called = node_text(source, field) if field is not None else ""
    given = [child for child in arguments.named_children if child.type != "comment"]
    texts = [node_text(source, child)[1:-1] for child in given[:2] if child.type.endswith("string_literal")]
    name = route_name(called, texts) if len(given) > len(texts) > 0 else ""
    if not name:
        return None
    handler = given[-1]
    while handler.type == "call_expression" and (inner := _only_argument(handler)) is not None:
        handler = inner  # http.HandlerFunc(show), requireLogin(show)
    return Route(name, call, handler)


def _only_argument(call: Node) -> Node | None:
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return given[-1] if given else None


SUPPORT = LanguageSupport(
    name="go",
    extensions=(".go",),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
)
