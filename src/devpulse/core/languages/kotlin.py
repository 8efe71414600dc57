"""Kotlin: types, objects, functions, extensions, properties, constants, lambdas with a name, routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Query

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.declarations import Declared, Dialect, Owner, extract_declared, qualified
from devpulse.core.languages.folding import fold
from devpulse.core.languages.jvm import FAMILY, TYPES, annotations_of, documented, is_route, standalone
from devpulse.core.languages.jvm_imports import IMPORTS
from devpulse.core.languages.kotlin_lines import definitions, kind_of_line, scan
from devpulse.core.languages.walk import node_text
from devpulse.core.symbols import Symbol

_TYPES = ("class_declaration", "object_declaration", "companion_object", "type_alias", "enum_entry", "object_literal")
_FUNCTIONS = ("function_declaration", "secondary_constructor")
_BODIES = frozenset({"class_body", "enum_class_body", "function_body", "block"})
_PROPERTY_ENDS = frozenset({"=", "getter", "setter", "property_delegate", "by"})
_LAMBDAS = frozenset({"lambda_literal", "anonymous_function"})
_RECEIVERS = frozenset({"user_type", "nullable_type", "parenthesized_type"})

_KTOR_VERBS = frozenset({b"get", b"post", b"put", b"patch", b"delete", b"head", b"options", b"webSocket"})
_RECEIVER_NAME = re.compile(rb"\(*([\w.]+)")

_MISREAD = "annotated_expression"
"""What the grammar takes ``@Deprecated("x") fun f()`` and ``@Target(X) annotation class A`` for."""


@cache
def _grammar() -> Language:
    import tree_sitter_kotlin  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_kotlin.language())


def _pattern(more: str) -> str:
    nodes = " ".join(f"({name})" for name in (*_TYPES, *_FUNCTIONS))
    # A property of an object on one line stands in an error of the grammar; local variables stand in neither.
    held = "(property_declaration) @definition"
    properties = f"(source_file {held}) (class_body [{held} (ERROR {held})]) (enum_class_body [{held} (ERROR {held})])"
    return f"[{nodes}] @definition {properties} {more} [(line_comment) (block_comment)] @comment"


@cache
def _query() -> Query:
    return Query(_grammar(), _pattern(""))


@cache
def _ktor_query() -> Query:
    return Query(_grammar(), _pattern("(call_expression (annotated_lambda)) @definition"))


def _describe(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    if node.type == "call_expression":
        yield from _ktor_route(node, owner, source)
    elif node.type == "object_literal":
        yield Declared("", node, owner.names)
    elif node.type == "property_declaration":
        yield from _property(node, owner, source)
    elif node.type == "function_declaration":
        yield from _function(node, owner, source)
    elif node.type == "secondary_constructor":
        last = owner.names[-1] if owner.names else "constructor"
        yield Declared("constructor", node, qualified(owner, last), _body(node), cut=annotations_of(node))
    else:
        yield from _type(node, owner, source)


def _type(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    name = node.child_by_field_name("type" if node.type == "type_alias" else "name")
    if node.type == "companion_object":
        own = _plain(name, source) if name is not None else "Companion"
        # Its members are called as those of the class around it.
        yield Declared("object", node, qualified(owner, own), _body(node), owner.names, annotations_of(node))
        return
    if node.type == "enum_entry":
        name = next((child for child in node.named_children if child.type == "identifier"), None)
    if name is None or name.start_byte == name.end_byte:
        return
    kind, body = _kind(node, source), _body(node)
    yield Declared(kind, node, qualified(owner, _plain(name, source)), body, cut=annotations_of(node))


def _kind(node: Node, source: bytes) -> str:
    if node.type == "enum_entry":
        return "constant"
    if node.type == "type_alias":
        return "type"
    if node.type == "object_declaration":
        return "object"
    first = node.named_children[0]
    words = source[first.start_byte : first.end_byte].split() if first.type == "modifiers" else []
    if any(child.type == "interface" for child in node.children):
        return "interface"
    return "enum" if b"enum" in words else "annotation" if b"annotation" in words else "class"


def _function(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return
    annotations = annotations_of(node)
    kind = "method" if owner.kind in TYPES or owner.kind == "constant" else "function"
    if is_route(annotations, source):
        kind = "route"
    names = qualified(owner, *_receiver(node, name, source), _plain(name, source))
    yield Declared(kind, node, names, _body(node), cut=annotations)


def _property(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    """A property or constant; its value is its body, for a secret in it must not travel with every search row."""
    variable = next((child for child in node.named_children if child.type == "variable_declaration"), None)
    name = variable.named_children[0] if variable is not None and variable.named_child_count else None
    while name is not None and name.type != "identifier":
        name = name.next_named_sibling
    if variable is None or name is None or name.start_byte == name.end_byte:
        return
    own = _plain(name, source)
    end = next((child for child in node.children if child.type in _PROPERTY_ENDS), None)
    kind = _property_kind(node, owner, own, source)
    names = qualified(owner, *_receiver(node, variable, source), own)
    yield Declared(kind, node, names, end, cut=annotations_of(node))


def _property_kind(node: Node, owner: Owner, name: str, source: bytes) -> str:
    top_level = not owner.names
    if any(child.type in _LAMBDAS for child in node.named_children):
        return "function" if top_level else "method"
    first = node.named_children[0]
    words = source[first.start_byte : first.end_byte].split() if first.type == "modifiers" else []
    if b"const" in words or (name.isupper() and (top_level or owner.kind == "object")):
        return "constant"
    plain = top_level and not any(child.type in {"getter", "setter"} for child in node.named_children)
    return "variable" if plain else "property"


def _receiver(node: Node, name: Node, source: bytes) -> tuple[str, ...]:
    """The type that an extension extends, without its arguments."""
    for child in node.named_children:
        if child.start_byte >= name.start_byte:
            return ()
        if child.type in _RECEIVERS:
            found = _RECEIVER_NAME.match(source, child.start_byte, child.end_byte)
            return tuple(found.group(1).decode(errors="replace").strip(".").split(".")) if found else ()
    return ()


def _ktor_route(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    """``get("/x") { … }`` of Ktor, called like the routes of Express: ``GET /x``."""
    inner, body = node.named_children[0], node.named_children[-1]
    if inner.type != "call_expression" or inner.named_child_count < 2 or inner.named_children[0].type != "identifier":
        return
    verb = source[inner.named_children[0].start_byte : inner.named_children[0].end_byte]
    arguments = inner.named_children[-1]
    first = arguments.named_children[0] if arguments.named_child_count else None
    if verb not in _KTOR_VERBS or arguments.type != "value_arguments" or first is None:
        return
    path = node_text(source, first)
    if path.startswith('"/') and path.endswith('"'):
        route = f"{verb.decode().upper()} {fold(path.strip(chr(34)), 100)}"
        yield Declared("route", node, qualified(owner, route), body)


def _body(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type in _BODIES), None)


def _plain(name: Node, source: bytes) -> str:
    return node_text(source, name).strip("`")


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Kotlin file, in source order."""
    return extract_declared(path, root, source, _KTOR if b"io.ktor" in source else _DIALECT)


_DIALECT = Dialect(_query, _describe, definitions, kind_of_line, documented, _MISREAD)
_KTOR = Dialect(_ktor_query, _describe, definitions, kind_of_line, documented, _MISREAD)

SUPPORT = LanguageSupport(
    name="kotlin",
    extensions=(".kt", ".kts"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    imports=IMPORTS,
    family=FAMILY,
    standalone=standalone,
)
