"""PHP's definitions made by calls: routes of Laravel, Slim and their like, ``define()``."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.languages.php_words import FACADES, ROUTE_WORDS, ROUTERS, VERBS_FIRST, route_name
from devpulse.core.languages.walk import node_text

FUNCTIONS = frozenset({"anonymous_function", "arrow_function", "anonymous_function_creation_expression"})
CALLS = frozenset({"scoped_call_expression", "member_call_expression", "nullsafe_member_call_expression"})

_MEMBER_CALLS = CALLS - {"scoped_call_expression"}

CHAIN_LINKS = 20
"""Calls looked through from the end of a chain to its start; each link is asked, so the cost grows with both."""

_NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered route: ``GET /x``, and the body of its function if it has one."""

    name: str
    body: Node | None


def route_of(call: Node, source: bytes) -> Registered | None:
    """The route that a call registers, or ``None``."""
    word = _short(call.child_by_field_name("name"), source)
    given = _arguments(call)
    if word not in ROUTE_WORDS or len(given) < 2:
        return None
    at = 1 if word in VERBS_FIRST and given[0].type == "array_creation_expression" else 0
    path = literal(given[at], source) if at + 1 < len(given) else None
    if path is None or " " in path or not _registers(call, path, source):
        return None
    handler = given[-1]
    body = handler.child_by_field_name("body") if handler.type in FUNCTIONS else None
    return Registered(route_name(word, path), body)


def defined_constant(call: Node, source: bytes) -> str | None:
    """The name in ``define("NAME", …)``."""
    given = _arguments(call)
    if len(given) < 2 or _short(call.child_by_field_name("function"), source).lower() != "define":
        return None
    return literal(given[0], source)


def literal(node: Node, source: bytes) -> str | None:
    """The text of a string without variables."""
    if node.type not in {"string", "encapsed_string"} or node.end_byte - node.start_byte > _NAME_LIMIT:
        return None
    parts = node.named_children
    if any(part.type != "string_content" for part in parts):
        return None
    return "".join(node_text(source, part) for part in parts)


def _registers(call: Node, path: str, source: bytes) -> bool:
    """Whether the object of a call registers routes; that of a chain stands at its start."""
    owner = call.child_by_field_name("object")
    links = 0
    while owner is not None and owner.type in _MEMBER_CALLS and links < CHAIN_LINKS:
        owner, links = owner.child_by_field_name("object"), links + 1
    if owner is None or owner.type == "scoped_call_expression":
        scope = (owner or call).child_by_field_name("scope")
        return _short(scope, source).rpartition("\\")[2] in FACADES
    named = owner.child_by_field_name("name") if owner.type == "member_access_expression" else owner
    return links == 0 and path[:1] in {"", "/", "{", "["} and ROUTERS.search(_short(named, source)) is not None


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    given = (child for child in arguments.named_children if child.type == "argument") if arguments is not None else ()
    return [child.named_children[-1] for child in given if child.named_child_count]


def _short(node: Node | None, source: bytes) -> str:
    return node_text(source, node) if node is not None and node.end_byte - node.start_byte <= _NAME_LIMIT else ""
