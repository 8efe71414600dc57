"""PHP, with inline HTML: functions, classes and their like, members, constants, routes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.damage import repair
from devpulse.core.languages.php_calls import CALLS, FUNCTIONS, defined_constant, route_of
from devpulse.core.languages.php_imports import IMPORTS
from devpulse.core.languages.php_lines import definitions, kind_of_line, scan
from devpulse.core.languages.php_words import is_route_attribute, is_route_comment
from devpulse.core.languages.walk import Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_KINDS = {
    "function_definition": "function",
    "method_declaration": "method",
    "class_declaration": "class",
    "interface_declaration": "interface",
    "trait_declaration": "trait",
    "enum_declaration": "enum",
    "enum_case": "constant",
    "namespace_definition": "namespace",
}
_LISTS = {"const_declaration": ("const_element", "constant"), "property_declaration": ("property_element", "property")}
_TYPES = frozenset({"class", "interface", "trait", "enum"})
_VALUES = frozenset({"constant", "property", "variable"})
_LEAVES = frozenset(
    {"string", "encapsed_string", "heredoc", "nowdoc", "text", "attribute_list", "formal_parameters"}
    | {"namespace_use_declaration", "use_declaration", "base_clause", "class_interface_clause", "text_interpolation"}
)
_MEMBER = re.compile(r"\s*(?:#\[[^\n]*\]\s*)*(?:public|protected|private|static|final|abstract)\b")
_NAME_LIMIT = 200


@cache
def _grammar() -> Language:
    import tree_sitter_php  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_php.language_php())


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a PHP file, in source order."""
    found: list[Symbol] = []
    damaged: set[int] = set()

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind in _LEAVES:
            return None
        if kind == "expression_statement":
            return scope.wrapped_in(node, leading)
        if kind == "anonymous_class":
            return Scope(scope.names, "class")
        definitions = _definitions(node, leading, scope, source)
        for definition in definitions:
            if node.has_error:
                damaged.add(len(found))
            found.append(make_symbol(path, source, definition))
        if kind in CALLS and not definitions:
            return scope  # a route may be a link of the statement's chain of calls
        return _within(definitions[0] if definitions else None, scope)

    walk(root, visit)
    symbols = repair(found, damaged, source, definitions(), kind_of_line, path) if root.has_error else found
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def standalone(kind: str, text: str) -> str:
    """A definition cut out of a file such that it parses by itself: a method needs a class around it."""
    if kind == "method" or _MEMBER.match(text):
        return f"<?php class Of {{\n{text}\n}}"
    return f"<?php {textwrap.dedent(text)}"


def _within(definition: Definition | None, scope: Scope) -> Scope:
    if definition is None or definition.kind == "namespace" or definition.kind in _VALUES:
        return scope.unwrapped()
    if definition.node.type in CALLS and definition.body is None:
        return Scope(scope.names, scope.holder)
    names = joined(scope.names, (definition.name,))
    return Scope(names, "class" if definition.kind in _TYPES else "function")


def _definitions(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Definition]:
    kind = node.type
    if kind in _KINDS:
        name = node.child_by_field_name("name")
        if name is None or name.end_byte - name.start_byte > _NAME_LIMIT:
            return []
        return [_declared(node, name, leading, scope, source)]
    if kind in _LISTS:
        return _listed(node, leading, scope, source)
    if kind == "assignment_expression":
        definition = _assigned(node, scope, source)
    elif kind == "function_call_expression":
        constant = defined_constant(node, source)
        definition = Definition(constant, "constant", node, scope, (), _value(node)) if constant else None
    elif kind in CALLS:
        definition = _route(node, scope, source)
    else:
        definition = None
    return [definition] if definition is not None else []


def _declared(node: Node, name: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition:
    text, kind = node_text(source, name), _KINDS[node.type]
    if kind in {"function", "method"} and _is_route(node, leading, source):
        kind = "route"
    if kind == "namespace":
        return Definition(text, kind, node, scope, leading, node.child_by_field_name("body"), qualified=(text,))
    body = _equals(node) if node.type == "enum_case" else node.child_by_field_name("body")
    return Definition(text, kind, node, scope, leading, body)


def _listed(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Definition]:
    """The constants or properties of one declaration; of several each is its own node."""
    element, kind = _LISTS[node.type]
    elements = [child for child in node.named_children if child.type == element]
    found: list[Definition] = []
    for child in elements:
        name = child.child_by_field_name("name") or next(iter(child.named_children), None)
        if name is None or name.end_byte - name.start_byte > _NAME_LIMIT:
            continue
        # The value is the body: it may be long, and a secret in it must not travel with every search row.
        at = node if len(elements) == 1 else child
        found.append(Definition(node_text(source, name).lstrip("$"), kind, at, scope, leading, _equals(child)))
    return found


def _assigned(node: Node, scope: Scope, source: bytes) -> Definition | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "variable_name" or left.end_byte - left.start_byte > _NAME_LIMIT:
        return None
    name = node_text(source, left).lstrip("$")
    if right.type in FUNCTIONS:
        return Definition(name, "function", node, scope, (), right.child_by_field_name("body"))
    statement = scope.wrapper
    if scope.names or scope.holder or statement is None or statement.start_point.column:
        return None
    if statement.start_byte != node.start_byte:
        return None
    return Definition(name, "variable", node, scope, (), _equals(node))


def _route(call: Node, scope: Scope, source: bytes) -> Definition | None:
    route = route_of(call, source)
    if route is None:
        return None
    return Definition(route.name, "route", call, scope, (), route.body)


def _is_route(node: Node, leading: Sequence[Node], source: bytes) -> bool:
    if leading and is_route_comment(node_text(source, leading[-1])):
        return True
    attributes = node.child_by_field_name("attributes")
    if attributes is None:
        return False
    listed = (attribute for group in attributes.named_children for attribute in group.named_children)
    names = (attribute.named_children[0] for attribute in listed if attribute.named_child_count)
    return any(is_route_attribute(node_text(source, name)) for name in names)


def _value(call: Node) -> Node | None:
    """What follows the first argument of a call."""
    arguments = call.child_by_field_name("arguments")
    return next((child for child in arguments.children if child.type == ","), None) if arguments is not None else None


def _equals(node: Node) -> Node | None:
    return next((child for child in node.children if child.type == "="), None)


SUPPORT = LanguageSupport(
    name="php",
    extensions=(".php", ".phtml", ".inc"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
    standalone=standalone,
)
