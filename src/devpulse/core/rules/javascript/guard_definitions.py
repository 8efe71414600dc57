"""The access checks a Javascript file brings to others: middleware, and what it registers for all routes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.flow.javascript import FUNCTIONS, key_of
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text, walk
from devpulse.core.rules.access import is_guard
from devpulse.core.rules.deleted_guards import DeletedGuard
from devpulse.core.syntax import parse

_REFUSES = re.compile(r"\b40[13]\b|Forbidden|Unauthori[sz]ed|redirect\(")
_REGISTERING = frozenset({"use", "addHook"})
_NO_MIDDLEWARE = re.compile(r"(?i)rout")
_MAX_TEXT = 4_000


def guards_of(language: str, text: str) -> Iterator[DeletedGuard]:
    """The checks, in source order."""
    inside = 0
    for node in walk(parse(language, text)):
        if node.type == "call_expression":
            yield from _registered(node, text)
        name = _function_name(node)
        if not name or node.start_byte < inside or not is_guard(name):
            continue
        if _REFUSES.search(short_text(node, _MAX_TEXT)):
            yield DeletedGuard(name, line_of(node), end_line_of(node))
            inside = node.end_byte


def _function_name(node: Node) -> str:
    """The name of a function that can be handed to others: declared, or put into a variable or the exports."""
    if node.type == "function_declaration":
        return node_text(node.child_by_field_name("name"))
    fields = {"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right")}.get(node.type)
    value = node.child_by_field_name(fields[1]) if fields is not None else None
    target = node.child_by_field_name(fields[0]) if fields is not None else None
    if value is None or target is None or value.type not in FUNCTIONS:
        return ""
    return (key_of(target) or "").rpartition(".")[2]


def _registered(node: Node, text: str) -> Iterator[DeletedGuard]:
    """``router.use(requireAuth)``, also under a path."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    callee = key_of(function) if function is not None else None
    if callee is None or arguments is None:
        return
    owner, _, word = callee.rpartition(".")
    if word not in _REGISTERING or not owner or _made_here(owner, text):
        return
    for child in arguments.named_children:
        name = (key_of(child) or "").rpartition(".")[2]
        if name and is_guard(name) and not _NO_MIDDLEWARE.search(name):
            yield DeletedGuard(name, line_of(node), end_line_of(node), owner=owner, call=word, defined=False)


def _made_here(owner: str, text: str) -> bool:
    """Whether the router went with the file: it was made here, not imported or passed in."""
    made = re.search(rf"\b(?:const|let|var)\s+{re.escape(owner)}\b[^=\n]{{0,80}}=\s*([^\n]{{0,80}})", text)
    return made is not None and "require(" not in made.group(1)
