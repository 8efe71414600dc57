"""C#: types, methods, properties, events, constants, local functions, lambdas with a name, routes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Query

from devpulse.core.languages.base import LanguageSupport, dedented
from devpulse.core.languages.csharp_imports import IMPORTS
from devpulse.core.languages.csharp_lines import definitions, kind_of_line, scan
from devpulse.core.languages.declarations import Declared, Dialect, Owner, extract_declared, qualified, span_of
from devpulse.core.languages.folding import fold
from devpulse.core.languages.walk import node_text
from devpulse.core.symbols import Symbol

_KINDS = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "record_declaration": "record",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "enum_member_declaration": "constant",
    "delegate_declaration": "type",
    "method_declaration": "method",
    "constructor_declaration": "constructor",
    "destructor_declaration": "method",
    "property_declaration": "property",
    "event_declaration": "event",
    "local_function_statement": "function",
    "namespace_declaration": "namespace",
    "file_scoped_namespace_declaration": "namespace",
}
_NAMELESS = {
    "operator_declaration": "method",
    "conversion_operator_declaration": "method",
    "indexer_declaration": "property",
}
_FIELDS = {"field_declaration": "", "event_field_declaration": "event"}
_TYPES = frozenset({"class", "struct", "record", "interface", "enum", "type", "namespace"})
_KEYWORDS = frozenset(
    {
        "if",
        "for",
        "foreach",
        "while",
        "switch",
        "catch",
        "using",
        "lock",
        "return",
        "new",
        "else",
        "throw",
        "get",
        "set",
    }
)
"""Names that error recovery takes from a statement."""

_LAMBDAS = frozenset({"lambda_expression", "anonymous_method_expression"})
_BODIES = frozenset(
    {"block", "arrow_expression_clause", "accessor_list", "declaration_list", "enum_member_declaration_list"}
)

_ROUTE = re.compile(
    rb"[\[,]\s*(?:[\w.]+\.)?(?:Http(?:Get|Post|Put|Delete|Patch|Head|Options)|Route|AcceptVerbs)(?:Attribute)?\s*[(,\]]"
)
"""Attributes of a method that make it a web entry point."""

_MAPPED = re.compile(rb"\.Map(?:Get|Post|Put|Delete|Patch)\s*\(")
_MAP_VERBS = {f"Map{verb.title()}": verb for verb in ("GET", "POST", "PUT", "DELETE", "PATCH")}
_CHAIN_LINKS = 30
"""Calls behind a mapped route that are followed back to it: ``app.MapGet(…).WithName(…)``."""

_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|$)", re.DOTALL)
_REFERENCE = re.compile(r"<\w+\s+\w+=\"(?:[A-Z]:)?([^\"]*)\"\s*/>")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


@cache
def _grammar() -> Language:
    import tree_sitter_c_sharp  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_c_sharp.language())


def _pattern(more: str) -> str:
    nodes = " ".join(f"({name})" for name in (*_KINDS, *_NAMELESS, *_FIELDS))
    return f"[{nodes} {more}] @definition (comment) @comment"


@cache
def _query() -> Query:
    return Query(_grammar(), _pattern(""))


@cache
def _mapping_query() -> Query:
    return Query(_grammar(), _pattern("(expression_statement)"))


def _describe(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    if node.type in _FIELDS:
        yield from _fields(node, owner, source)
    elif node.type == "expression_statement":
        yield from _mapped_route(node, owner, source)
    elif node.type in _NAMELESS:
        body = _body(node)
        own = "this" if node.type == "indexer_declaration" else _operator(node, source)
        yield Declared(_NAMELESS[node.type], node, qualified(owner, own), body, cut=_attributes(node))
    else:
        yield from _named(node, owner, source)


def _named(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    name = node.child_by_field_name("name")
    if name is None or name.start_byte == name.end_byte:
        return
    kind, attributes = _KINDS[node.type], _attributes(node)
    if kind == "method" and any(_ROUTE.search(source[start:end]) for start, end in attributes):
        kind = "route"
    own = node_text(source, name)
    if own in _KEYWORDS:
        return
    own = own.removeprefix("@")
    if node.type == "destructor_declaration":
        own = f"~{own}"
    parts = own.split(".") if kind == "namespace" else (own,)
    # A namespace without braces holds the rest of its file.
    reach = len(source) if node.type == "file_scoped_namespace_declaration" else None
    yield Declared(kind, node, qualified(owner, *parts), _body(node), cut=attributes, reach=reach)


def _fields(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    """Constants, static fields, events, and lambdas with a name; other fields are no symbols."""
    words = {source[child.start_byte : child.end_byte] for child in node.children if child.type == "modifier"}
    declaration = next((child for child in node.named_children if child.type == "variable_declaration"), None)
    listed = declaration.named_children if declaration is not None else []
    declarators = [child for child in listed if child.type == "variable_declarator"]
    attributes = _attributes(node)
    for declarator in declarators:
        name = declarator.child_by_field_name("name")
        if name is None or name.start_byte == name.end_byte:
            continue
        kind = _FIELDS[node.type] or _field_kind(declarator, words)
        if kind:
            # The value is the body: it may be long, and a secret in it must not travel with every search row.
            equals = next((child for child in declarator.children if child.type == "="), None)
            names = qualified(owner, node_text(source, name).removeprefix("@"))
            cut = [*attributes, (declarators[0].start_byte, declarator.start_byte)]
            yield Declared(kind, node, names, equals, cut=cut)


def _field_kind(declarator: Node, words: set[bytes]) -> str:
    if any(child.type in _LAMBDAS for child in declarator.named_children):
        return "method"
    if b"const" in words or {b"static", b"readonly"} <= words:
        return "constant"
    return "variable" if b"static" in words else ""


def _operator(node: Node, source: bytes) -> str:
    target = node.child_by_field_name("operator") or node.child_by_field_name("type")
    return f"operator {node_text(source, target)}" if target is not None else "operator"


def _mapped_route(node: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    """``app.MapGet("/x", () => …)``, also at the start of a chain; called like the routes of Express: ``GET /x``."""
    call = node.named_children[0] if node.named_child_count else node
    for _ in range(_CHAIN_LINKS):
        target = call.child_by_field_name("function") if call.type == "invocation_expression" else None
        link = target.child_by_field_name("name") if target is not None else None
        if target is None or link is None:
            return
        verb = _MAP_VERBS.get(node_text(source, link))
        if verb is not None:
            yield from _route(call, verb, node, owner, source)
            return
        below = target.child_by_field_name("expression")
        if below is None:
            return
        call = below


def _route(call: Node, verb: str, span: Node, owner: Owner, source: bytes) -> Iterator[Declared]:
    arguments = call.child_by_field_name("arguments")
    given = (
        [child.named_children[0] for child in arguments.named_children if child.named_child_count] if arguments else []
    )
    if len(given) > 1 and given[0].type == "string_literal" and given[-1].type in _LAMBDAS:
        path = fold(node_text(source, given[0]).strip('"'), 100) or "/"
        yield Declared("route", span, qualified(owner, f"{verb} {path}"), given[-1].child_by_field_name("body"))


def _attributes(node: Node) -> list[tuple[int, int]]:
    return [span_of(child) for child in node.named_children if child.type == "attribute_list"]


def _body(node: Node) -> Node | None:
    """What ends the signature: a block, ``=> …``, accessors, or an initial value."""
    return next((child for child in node.children if child.type in _BODIES or child.type == "="), None)


def _documented(text: str) -> str:
    """The summary of an XML documentation comment, without its markup."""
    if "<" not in text:
        return text
    summary = _SUMMARY.search(text)
    plain = _MARKUP.sub("", _REFERENCE.sub(r"\1", summary.group(1) if summary else text))
    return " ".join(plain.split())


def standalone(kind: str, text: str) -> str:
    """A definition cut out of a file such that it parses by itself: what is no type needs a class around it."""
    return dedented(kind, text) if kind in _TYPES else f"class Of {{\n{text}\n}}"


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a C# file, in source order."""
    return extract_declared(path, root, source, _MAPPING if _MAPPED.search(source) else _DIALECT)


_DIALECT = Dialect(_query, _describe, definitions, kind_of_line, _documented)
_MAPPING = Dialect(_mapping_query, _describe, definitions, kind_of_line, _documented)

SUPPORT = LanguageSupport(
    name="csharp",
    extensions=(".cs",),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
    standalone=standalone,
)
