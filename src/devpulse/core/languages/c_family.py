"""What C and C++ share: how their definitions look in the syntax tree.

Prototypes and forward declarations are left out: they would hide the definitions behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tree_sitter import Node

from devpulse.core.languages.braces import Found, repair
from devpulse.core.languages.c_declarators import Declared, declared, scope_names
from devpulse.core.languages.c_lines import KEYWORDS, heads
from devpulse.core.languages.c_macros import MACRO_KINDS, MACRO_NODES, macro_places, more_macros
from devpulse.core.languages.c_masking import masked, unannotated
from devpulse.core.languages.c_namespaces import with_lost_namespaces
from devpulse.core.languages.walk import Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

FAMILY = "c"

_TYPES = {
    "struct_specifier": "struct",
    "class_specifier": "class",
    "union_specifier": "union",
    "enum_specifier": "enum",
}
_WRAPPERS = frozenset({"template_declaration", "friend_declaration", "export_declaration"})
_DECLARATIONS = frozenset({"declaration", "field_declaration"})
_LEAVES = frozenset(
    {"identifier", "type_identifier", "preproc_include", "preproc_call", "parameter_list", "initializer_list"}
    | {"enumerator_list", "field_initializer_list", "template_parameter_list", "using_declaration"}
)
DECLARED_NAMES = 100
"""Names read from one declaration: each costs a look at the whole of it."""

_TOP = frozenset({"ERROR", "translation_unit"})
_HOLDERS = frozenset({"struct", "class", "union"})
_LOCAL_TYPE = re.compile(rb"\b(?:(?:struct|class|union|enum)\b[^;{}()]{0,200}\{|typedef\b|using[ \t]++\w++[ \t]*+=)")
_MACRO_HEAD = re.compile(rb"(?:\A|\n)[A-Z_][A-Z0-9_]*+\([^()\n]*+\)[ \t\r\n]*+\{")
"""A function whose whole head is a macro's: ``TEST(suite, name) {``. C's grammar sees a call and a block."""

_CONSTANT = re.compile(rb"\b(?:const|constexpr|constinit)\b")

Parse = Callable[[bytes], Node]
"""Parses a changed copy of the source, of the same length, in the language of the file."""

Place = tuple[Definition, Node]
"""A definition and the node of its name."""


def extract_with(parse: Parse, path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a C or C++ file, in source order.

    Macros and conditional compilation are no part of the grammar: where they break a tree, the source is
    parsed once more with them blanked out, which keeps every offset.
    """
    broken = root.has_error
    plain = masked(source, broken=broken)
    if plain != source:
        root = parse(plain)
    found = _found(path, root, source)
    symbols = [item.symbol for item in found]
    if broken or _MACRO_HEAD.search(source):
        found = with_lost_namespaces(found, source, path) if broken else found
        symbols = repair(found, root, source, heads(unannotated(source)), path)
    symbols += more_macros(path, root, source, {item.row for item in found if item.symbol.kind in MACRO_KINDS})
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _found(path: str, root: Node, source: bytes) -> list[Found]:
    found: list[Found] = []

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind in _LEAVES:
            return None
        places = _places(node, leading, scope, source)
        for definition, name in places:
            symbol = make_symbol(path, source, definition)
            if symbol.signature.endswith("\\"):  # a macro whose value starts on the next line
                symbol = replace(symbol, signature=symbol.signature.rstrip(" \\"))
            found.append(Found(symbol, name.start_point.row, node.has_error))
        return _inside(node, leading, scope, places, source)

    walk(root, visit)
    return found


def _inside(node: Node, leading: Sequence[Node], scope: Scope, places: Sequence[Place], source: bytes) -> Scope | None:  # noqa: PLR0911  (one return for each kind of node)
    """The scope for a node's children, or ``None`` where nothing can be defined."""
    kind = node.type
    if kind == "function_definition":
        body = node.child_by_field_name("body")
        holds = body is not None and _LOCAL_TYPE.search(source, body.start_byte, body.end_byte)
        return Scope(scope.names, "function") if node.has_error or holds else None
    if kind == "namespace_definition":
        return Scope(joined(scope.names, tuple(_space(node, source))), "namespace")
    if kind in _TYPES:
        if not places:
            return Scope(scope.names, _TYPES[kind]) if node.child_by_field_name("body") is not None else None
        definition = places[0][0]
        return Scope(definition.qualified or joined(scope.names, (definition.name,)), definition.kind)
    if kind in _WRAPPERS or kind in _DECLARATIONS or kind == "type_definition":
        return scope.wrapped_in(node, leading)
    if kind == "linkage_specification":
        body = node.child_by_field_name("body")
        single = body is not None and body.type != "declaration_list"
        return scope.wrapped_in(node, leading) if single else scope.unwrapped()
    if kind in MACRO_NODES or kind.endswith(("_expression", "_literal")):
        return None
    return scope.unwrapped()


def _places(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Place]:  # noqa: PLR0911  (one return for each kind of node)
    kind = node.type
    if kind == "function_definition":
        return _function(node, leading, scope, source)
    if kind in _TYPES:
        return _type(node, leading, scope, source)
    if kind == "type_definition":
        return _typedef(node, leading, scope, source)
    if kind in _DECLARATIONS:
        return _variables(node, leading, scope, source)
    if kind in MACRO_NODES:
        return macro_places(node, leading, scope, source)
    name = node.child_by_field_name("name")
    if name is None:
        return []
    if kind in {"alias_declaration", "concept_definition"}:
        word = "type" if kind == "alias_declaration" else "concept"
        return [(Definition(node_text(source, name), word, node, scope, leading, None), name)]
    if kind == "namespace_definition":
        names = joined(scope.names, tuple(_space(node, source)))
        body = node.child_by_field_name("body")
        return [(Definition(names[-1], "namespace", node, scope, leading, body, qualified=names), name)]
    return []


def _space(node: Node, source: bytes) -> list[str]:
    """The names of a namespace; none when it is anonymous."""
    name = node.child_by_field_name("name")
    return [part.strip() for part in node_text(source, name).split("::")] if name is not None else []


def _function(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Place]:
    declarator = node.child_by_field_name("declarator")
    target = declared(declarator, source) if declarator is not None else None
    if target is None or not target.is_function or target.names[-1] in KEYWORDS:
        return []
    if node.has_error and scope.holder in _HOLDERS and _is_initialiser(node, target, scope):
        return []
    method = scope.holder in _HOLDERS or len(target.names) > 1
    body = node.child_by_field_name("body")
    initialisers = next((child for child in node.named_children if child.type == "field_initializer_list"), None)
    return [_place(target, "method" if method else "function", node, leading, scope, initialisers or body)]


def _is_initialiser(node: Node, target: Declared, scope: Scope) -> bool:
    """Whether a damaged constructor's ``member(value) {}`` was taken for a method: it has no type."""
    name = target.names[-1]
    return node.child_by_field_name("type") is None and name.isidentifier() and name not in scope.names[-1:]


def _place(target: Declared, kind: str, node: Node, leading: Sequence[Node], scope: Scope, body: Node | None) -> Place:
    # What stands inside a function was swallowed by it: C has no functions in functions.
    names = joined(scope.names, target.names)
    return Definition(target.names[-1], kind, node, scope, leading, body, qualified=names), target.node


def _type(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Place]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    names = scope_names(name, source) if name is not None else ()
    if name is None or body is None or not names or not names[-1]:
        return []
    qualified = joined(scope.names, names)
    return [(Definition(names[-1], _TYPES[node.type], node, scope, leading, body, qualified=qualified), name)]


def _typedef(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Place]:
    aliased = node.child_by_field_name("type")
    body = aliased.child_by_field_name("body") if aliased is not None else None
    unnamed = body is not None and aliased is not None and aliased.child_by_field_name("name") is None
    kind = _TYPES.get(aliased.type, "type") if unnamed and aliased is not None else "type"
    targets = [declared(child, source) for child in node.children_by_field_name("declarator")[:DECLARED_NAMES]]
    return [
        (Definition(target.names[-1], kind, node, scope, leading, body), target.node)
        for target in targets
        if target is not None and target.names[-1] not in KEYWORDS
    ]


def _variables(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Place]:
    """Variables of the file, a namespace, or constants of a class; a method that is only declared to be overridden."""
    places: list[Place] = []
    if scope.holder == "function" or _is_adrift(node):
        return places
    declarators = node.children_by_field_name("declarator")[:DECLARED_NAMES]
    aliased = node.child_by_field_name("type")
    first = next((value for child in declarators if (value := child.child_by_field_name("value"))), None)
    end = (aliased.child_by_field_name("body") if aliased is not None else None) or _before(first)
    before = source[node.start_byte : declarators[0].start_byte] if declarators else b""
    for child in declarators:
        target = declared(child, source)
        if target is None or target.names[-1] in KEYWORDS:
            continue
        value = child.child_by_field_name("value") or node.child_by_field_name("default_value")
        if target.is_function:
            if scope.holder in _HOLDERS and value is not None:
                places.append(_place(target, "method", node, leading, scope, None))
            continue
        constant = _CONSTANT.search(before) is not None
        if scope.holder in _HOLDERS and not (constant and b"static" in before):
            continue
        if value is None and (node.has_error or before.lstrip().startswith(b"extern")):
            continue
        kind = "constant" if constant else "variable"
        if value is not None and value.type == "lambda_expression":
            kind, end = "function", value.child_by_field_name("body")
        places.append(_place(target, kind, node, leading, scope, end or _before(value)))
    return places


def _is_adrift(node: Node) -> bool:
    """Whether an indented declaration stands at the top of the tree: a broken function's body does."""
    parent = node.parent
    return node.start_point.column > 0 and (node.has_error or parent is None or parent.type in _TOP)


def _before(value: Node | None) -> Node | None:
    """Where a signature ends: at the equals sign, for a value may be long, and a secret in it must not travel."""
    if value is None or value.prev_sibling is None or value.prev_sibling.type != "=":
        return value
    return value.prev_sibling
