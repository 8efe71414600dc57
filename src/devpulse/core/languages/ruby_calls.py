"""Ruby's definitions without a keyword, read from single calls: accessors, dynamic methods, routes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.languages.ruby_words import (
    ATTRIBUTES,
    DEFINING,
    RESOURCES,
    ROUTE_OPTIONS,
    ROUTE_VERBS,
    route_name,
)
from devpulse.core.languages.walk import node_text

_METHODS = frozenset({"method", "singleton_method"})
_BLOCKS = frozenset({"do_block", "block", "lambda"})
_LAMBDAS = frozenset({"lambda", "proc"})
_CLASS_MAKERS = re.compile(r"(?:::)?(?:Class|Module|Struct|Data|OpenStruct)\.(?:new|define)")
_MODIFIERS = frozenset({"private", "protected", "public", "module_function", "private_class_method", "memoize"})
_MAY_BE_MODIFIED = ATTRIBUTES | DEFINING | _MODIFIERS
_NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Called:
    """What a call defines: names of one kind, and the block that is their body."""

    kind: str
    names: tuple[str, ...]
    body: Node | None = None


def called(node: Node, source: bytes) -> Called | None:
    """The names that a call defines, or ``None``."""
    method, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
    if method is None or arguments is None or method.end_byte - method.start_byte > _NAME_LIMIT:
        return None
    word = node_text(source, method)
    given = [child for child in arguments.named_children if child.type != "comment"]
    own = node.child_by_field_name("receiver") is None
    if not given or not (own or word in DEFINING):
        return None
    block = node.child_by_field_name("block")
    return _defined(word, given, block, source) or _route(word, given, block, source)


def _defined(word: str, given: list[Node], block: Node | None, source: bytes) -> Called | None:
    if word in ATTRIBUTES:
        return _named("property", given, source, None)
    if word == "alias_method":
        return _named("alias", given[:1], source, None)
    value = _last_block(given)
    if word in DEFINING:
        return _named("method", given[:1], source, block or value)
    # ``scope :recent, -> { … }`` defines a method; the routes' ``scope "/api" do`` does not.
    return _named("method", given[:1], source, value) if word == "scope" and value is not None else None


def modifies_definition(node: Node) -> bool:
    """Whether a call is a modifier in front of a definition: ``private def x``, ``memoize attr_reader :x``."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or node.child_by_field_name("receiver") is not None or arguments.named_child_count != 1:
        return False
    inner = arguments.named_children[0]
    if inner.type in _METHODS:
        return True
    word = inner.child_by_field_name("method") if inner.type == "call" else None
    if word is None or word.end_byte - word.start_byte > _NAME_LIMIT or word.text is None:
        return False
    return word.text.decode("utf-8", errors="replace") in _MAY_BE_MODIFIED


def class_body(value: Node, source: bytes) -> Node | None:
    """The call of ``Class.new`` and its like, whose result is a class; ``None`` for any other value."""
    if value.type != "call":
        return None
    start = value.start_byte
    return value if _CLASS_MAKERS.match(source[start : start + 30].decode("utf-8", errors="replace")) else None


def lambda_body(value: Node, source: bytes) -> Node | None:
    """The block of ``->(x) { }``, ``lambda { }`` or ``proc { }``."""
    if value.type == "lambda":
        return value.child_by_field_name("body")
    method = value.child_by_field_name("method") if value.type == "call" else None
    if method is None or value.child_by_field_name("receiver") is not None:
        return None
    return value.child_by_field_name("block") if node_text(source, method) in _LAMBDAS else None


def literal(node: Node, source: bytes) -> str | None:
    """The text of a symbol or a string without interpolation."""
    if node.end_byte - node.start_byte > _NAME_LIMIT:
        return None
    if node.type == "simple_symbol":
        return node_text(source, node)[1:]
    if node.type not in {"string", "delimited_symbol"}:
        return None
    parts = node.named_children
    if any(part.type != "string_content" for part in parts):
        return None
    return "".join(node_text(source, part) for part in parts)


def _named(kind: str, nodes: list[Node], source: bytes, body: Node | None) -> Called | None:
    names = [literal(node, source) for node in nodes]
    kept = tuple(name for name in names if name)
    return Called(kind, kept, body) if kept else None


def _last_block(given: list[Node]) -> Node | None:
    last = given[-1]
    if last.type == "lambda":
        return last.child_by_field_name("body")
    return last.child_by_field_name("block") if last.type == "call" else None


def _route(word: str, given: list[Node], block: Node | None, source: bytes) -> Called | None:
    if word in RESOURCES:
        names = [literal(node, source) for node in given if node.type in {"simple_symbol", "string"}]
        kept = tuple(route_name(word, name) for name in names if name)
        return Called("route", kept, block) if kept else None
    options = {_key(node, source) for node in given if node.type == "pair"}
    if word == "root":
        target = literal(given[0], source) or ""
        return Called("route", ("GET /",)) if "#" in target or "to" in options else None
    if word not in ROUTE_VERBS:
        return None
    first = given[0]
    targeted = first.type == "pair"
    key = first.child_by_field_name("key") if targeted else None
    path = literal(key or first, source)
    if path is None or " " in path or not (targeted or block is not None or options & ROUTE_OPTIONS):
        return None
    return Called("route", (route_name(word, path),), block)


def _key(pair: Node, source: bytes) -> str:
    key = pair.child_by_field_name("key")
    text = node_text(source, key) if key is not None and key.end_byte - key.start_byte < _NAME_LIMIT else ""
    return text.strip(":")
