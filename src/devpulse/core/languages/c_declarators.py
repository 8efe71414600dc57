"""The names in C's inside-out declarators: ``int (*signal(int n))(int)`` declares the function ``signal``."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.languages.c_lines import operator_name
from devpulse.core.languages.walk import node_text

_NAMES = frozenset({"identifier", "field_identifier", "type_identifier", "namespace_identifier", "primitive_type"})
_TEMPLATES = frozenset({"template_function", "template_method", "template_type"})
_TRANSPARENT = frozenset({"parenthesized_declarator", "attributed_declarator", "init_declarator"})


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared name with the classes and namespaces before it, its node, and whether it is a function's."""

    names: tuple[str, ...]
    node: Node
    is_function: bool


def declared(declarator: Node, source: bytes) -> Declared | None:
    """What a declarator declares; ``None`` when it has no plain name."""
    node: Node | None = declarator
    owners: list[str] = []
    around = ""
    while node is not None:
        kind = node.type
        if kind == "operator_cast":
            return Declared((*owners, _cast(node, source)), node, is_function=True)
        name = _name(node, source)
        if name is not None:
            return Declared((*owners, name), node, is_function=around == "function_declarator")
        if kind == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            owners += scope_names(scope, source) if scope is not None else ()
            node = node.child_by_field_name("name")
        elif kind in _TEMPLATES or kind == "dependent_name":
            node = node.child_by_field_name("name") or _first(node)
        else:
            around = around if kind in _TRANSPARENT else kind
            node = node.child_by_field_name("declarator") or _inner(node)
    return None


def scope_names(node: Node, source: bytes) -> tuple[str, ...]:
    """The names of a class or scope, without template arguments: ``a::b::C<T>`` is a, b, C."""
    names: list[str] = []
    pending: Node | None = node
    while pending is not None:
        if pending.type in _NAMES:
            return (*names, node_text(source, pending))
        scope = pending.child_by_field_name("scope")
        if scope is not None:
            plain = scope if scope.type in _NAMES else scope.child_by_field_name("name")
            names += [node_text(source, plain)] if plain is not None else []
        pending = pending.child_by_field_name("name")
    return tuple(names)


def _name(node: Node, source: bytes) -> str | None:
    if node.type in _NAMES:
        return node_text(source, node)
    if node.type == "destructor_name":
        return "".join(node_text(source, node).split())
    if node.type == "operator_name":
        return operator_name(node_text(source, node))
    return None


def _cast(node: Node, source: bytes) -> str:
    """``operator const char*`` without its brackets."""
    end: Node | None = node.child_by_field_name("declarator")
    while end is not None and end.type != "abstract_function_declarator":
        inner = (child for child in end.named_children if child.type.endswith("_declarator"))
        end = next(inner, None)
    parameters = end.child_by_field_name("parameters") if end is not None else None
    stop = parameters.start_byte if parameters is not None else node.end_byte
    return operator_name(source[node.start_byte : stop].decode("utf-8", errors="replace"))


def _inner(node: Node) -> Node | None:
    """The declarator in brackets or behind a reference sign."""
    if not node.type.endswith("_declarator"):
        return None
    named = (child for child in reversed(node.named_children))
    return next((child for child in named if child.type in _NAMES or child.type.endswith(_ENDS)), None)


_ENDS = ("_declarator", "_identifier", "_name", "_function")


def _first(node: Node) -> Node | None:
    return node.named_children[0] if node.named_child_count else None
