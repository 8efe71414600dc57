"""JavaScript's many ways to give a function a name, read from single nodes: assignments, wrappers, routes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.languages.folding import fold
from devpulse.core.languages.walk import node_text

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
FIELDS = frozenset({"public_field_definition", "field_definition"})

MODULE_EXPORTS = ("module", "exports")
"""The target of ``module.exports = …``, whose parts are not an object's name."""

_VALUE_FIELDS = ("value", "right")
_NAME_FIELDS = ("name", "property", "key", "left")
_PLAIN = re.compile(r"#?[\w$]+(?:\.#?[\w$]+)*")

_NOT_WRAPPERS = frozenset(
    {"require", "setTimeout", "setInterval", "setImmediate", "requestAnimationFrame", "useMemo", "useState", "useRef"}
)
"""Calls that take a function but whose result is something else."""

_ROUTE_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "all", "use"})
_ROUTE_DECORATOR = re.compile(
    r"@(?:Get|Post|Put|Patch|Delete|Head|Options|All|Search|Sse|SubscribeMessage|MessagePattern|EventPattern)\b"
)
"""What makes a method of a controller's class a web entry point."""

_ROUTER = re.compile(r"(?:app|router|routes?|server|api|fastify|express)$", re.IGNORECASE)
"""How the object that registers routes is called; ``cache.get("/x", () => …)`` is none."""


@dataclass(frozen=True, slots=True)
class Route:
    """A registered route: ``GET /x``, the body of its function, and its link if it stands in a chain."""

    name: str
    body: Node | None
    link: Node | None


def is_route_decorator(text: str) -> bool:
    """Whether a decorator makes a method a web entry point: ``@Get(":id")``."""
    return _ROUTE_DECORATOR.match(text) is not None


def plain_name(source: bytes, node: Node) -> str:
    """A name without the quotes of a string key."""
    return node_text(source, node).strip("'\"`")


def assigned_value(node: Node) -> Node | None:
    """The right side of a declarator, assignment, field or object entry."""
    return _first_field(node, _VALUE_FIELDS)


def target_of(node: Node, source: bytes) -> tuple[str, ...] | None:
    """The name an assignment, declarator, field or object entry gives, in parts; ``None`` when it is computed.

    ``exports.``, ``this.`` and ``prototype.`` are left out: what follows them is the name.
    """
    left = _first_field(node, _NAME_FIELDS)
    if left is None:
        return None
    if left.type == "string":
        return (plain_name(source, left),)
    text = node_text(source, left)
    inner = left.child_by_field_name("object")
    if inner is not None and inner.type == "call_expression":  # require("x").name = …
        left = left.child_by_field_name("property") or left
        text = node_text(source, left)
    if left.end_byte - left.start_byte > 200 or not _PLAIN.fullmatch(text):
        return None
    parts = tuple(text.split("."))
    if parts[:2] == MODULE_EXPORTS:
        return parts[2:] or parts
    if parts[0] in {"exports", "this"}:
        parts = parts[1:]
    return tuple(part for part in parts if part != "prototype")


def function_of(value: Node, source: bytes) -> Node | None:
    """The function or class that ``value`` is, also at the end of a chain (``a = b = function``) or inside a
    wrapping call: ``asyncHandler(async () => …)``.
    """
    while value.type == "assignment_expression" and (right := value.child_by_field_name("right")) is not None:
        value = right
    if value.type in FUNCTIONS or value.type == "class":
        return value
    if value.type != "call_expression":
        return None
    called = node_text(source, callee) if (callee := value.child_by_field_name("function")) else ""
    if called in _NOT_WRAPPERS or ("." in called and not called.startswith(("React.", "_."))):
        return None
    arguments = value.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    return first if first is not None and first.type in FUNCTIONS else None


def is_import(value: Node, source: bytes) -> bool:
    """Whether a variable only names another module or a part of it: ``require("x").y``."""
    return source.startswith(b"require(", value.start_byte)


def route_of(call: Node, source: bytes) -> Route | None:
    """The route a call registers with a function of its own, or ``None``."""
    callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if callee is None or arguments is None or callee.type != "member_expression":
        return None
    link, owner = callee.child_by_field_name("property"), callee.child_by_field_name("object")
    verb = node_text(source, link) if link is not None else ""
    given = [child for child in arguments.named_children if child.type != "comment"]
    if verb not in _ROUTE_VERBS or owner is None or not given or given[-1].type not in FUNCTIONS:
        return None
    body = given[-1].child_by_field_name("body")
    path = _path(given[0], source)
    if owner.type == "call_expression":
        path = _chain_path(owner, source)
        return Route(f"{verb.upper()} {path}", body, link) if path else None
    if path is None or not _ROUTER.search(node_text(source, owner)):
        return None
    return Route(f"{verb.upper()} {path}", body, None)


def _path(node: Node, source: bytes) -> str | None:
    text = plain_name(source, node) if node.type in {"string", "template_string"} else ""
    return fold(text, 100) if text.startswith(("/", "*")) else None


def _chain_path(owner: Node, source: bytes) -> str | None:
    """The path of ``router.route("/x")`` at the start of a chain of calls."""
    while owner.type == "call_expression":
        callee, arguments = owner.child_by_field_name("function"), owner.child_by_field_name("arguments")
        if callee is None or arguments is None or callee.type != "member_expression":
            return None
        name, below = callee.child_by_field_name("property"), callee.child_by_field_name("object")
        if name is not None and name.text == b"route" and arguments.named_child_count:
            return _path(arguments.named_children[0], source)
        if below is None:
            return None
        owner = below
    return None


def _first_field(node: Node, fields: tuple[str, ...]) -> Node | None:
    return next((found for field in fields if (found := node.child_by_field_name(field)) is not None), None)
