"""Java: types, methods, constructors, constants, lambdas with a name, routes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Query

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.declarations import Declared, Dialect, Owner, extract_declared, qualified
from devpulse.core.languages.java_lines import definitions, kind_of_line, scan
from devpulse.core.languages.jvm import FAMILY, annotations_of, documented, is_route, standalone
from devpulse.core.languages.jvm_imports import IMPORTS
from devpulse.core.languages.walk import node_text
from devpulse.core.symbols import Symbol

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
    "method_declaration": "method",
    "annotation_type_element_declaration": "method",
    "constructor_declaration": "constructor",
    "compact_constructor_declaration": "constructor",
    "enum_constant": "constant",
}
_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "catch", "try", "synchronized", "return", "new", "else", "throw", "do", "case"}
)
"""Names that error recovery takes from a statement."""

_FIELDS = ("field_declaration", "constant_declaration")


@cache
def _grammar() -> Language:
    import tree_sitter_java  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_java.language())


@cache
def _query() -> Query:
    nodes = " ".join(f"({name})" for name in (*_KINDS, *_FIELDS))
    return Query(_grammar(), f"[{nodes}] @definition [(line_comment) (block_comment)] @comment")


def _describe(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    if node.type in _FIELDS:
        yield from _fields(node, owner, source)
        return
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return
    own = node_text(source, name)
    if own in _KEYWORDS:
        return
    annotations = annotations_of(node)
    kind = _KINDS[node.type]
    if kind == "method" and is_route(annotations, source):
        kind = "route"
    body = node.child_by_field_name("body")
    yield Declared(kind, node, qualified(owner, own), body, cut=annotations)


def _fields(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    """Constants, static variables, and lambdas with a name; other fields are no symbols."""
    annotations = annotations_of(node)
    words = _modifiers(node, source)
    constant = node.type == "constant_declaration" or {b"static", b"final"} <= words
    declarators = node.children_by_field_name("declarator")
    for declarator in declarators:
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is None or name.start_byte == name.end_byte:
            continue
        is_lambda = value is not None and value.type == "lambda_expression"
        if not is_lambda and not constant and b"static" not in words:
            continue
        kind = "method" if is_lambda else "constant" if constant else "variable"
        # The value is the body: it may be long, and a secret in it must not travel with every search row.
        equals = next((child for child in declarator.children if child.type == "="), None)
        names = qualified(owner, node_text(source, name))
        yield Declared(
            kind, node, names, equals, cut=[*annotations, (declarators[0].start_byte, declarator.start_byte)]
        )


def _modifiers(node: Node, source: bytes) -> set[bytes]:
    first = node.children[0]
    if first.type != "modifiers":
        return set()
    return {source[child.start_byte : child.end_byte] for child in first.children if not child.is_named}


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Java file, in source order."""
    return extract_declared(path, root, source, _DIALECT)


_DIALECT = Dialect(_query, _describe, definitions, kind_of_line, documented)

SUPPORT = LanguageSupport(
    name="java",
    extensions=(".java",),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
    family=FAMILY,
    standalone=standalone,
)
