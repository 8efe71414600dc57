"""The access checks a Python file brings to others: hooks of an application, decorators and dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.flow.python_names import key_of
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text, walk
from devpulse.core.languages.python_routes import route_decorator
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.access import is_guard
from devpulse.core.rules.deleted_guards import DeletedGuard
from devpulse.core.syntax import parse

_HOOKS = frozenset({"before_request", "before_app_request"})
_HOOK = lazy(r"@([\w.]+)\.(before_request|before_app_request)\b")
_REFUSES = lazy(
    r"abort\(\s*40[13]|HTTP_40[13]|status_code\s*=\s*40[13]|,\s*40[13]\b|PermissionDenied|Forbidden|Unauthori[sz]ed|"
    r"PermissionError|redirect\("
)
_MAX_TEXT = 4_000


def guards_of(text: str) -> Iterator[DeletedGuard]:
    """The checks, in source order. A hook counts if what it is called or does is to refuse people."""
    inside = 0
    for node in walk(parse("python", text)):
        if node.type == "call":
            yield from _registered(node, text)
        if node.type != "function_definition" or node.start_byte < inside:
            continue
        name, around = node_text(node.child_by_field_name("name")), node.parent
        decorated = around is not None and around.type == "decorated_definition"
        whole = around if decorated and around is not None else node
        decorators = [node_text(child) for child in whole.named_children if child.type == "decorator"]
        refuses = _REFUSES.search(short_text(node, _MAX_TEXT)) is not None
        lines = (line_of(whole), end_line_of(node))
        hook = next((match for decorator in decorators if (match := _HOOK.match(decorator))), None)
        if hook is not None:
            if (refuses or is_guard(name)) and not _made_here(hook.group(1), hook.group(2), text):
                yield DeletedGuard(name, *lines, owner=hook.group(1), call=hook.group(2))
        elif refuses and is_guard(name) and not any(map(route_decorator, decorators)):
            yield DeletedGuard(name, *lines)
            inside = node.end_byte  # the wrapper inside a decorator is part of it


def _registered(node: Node, text: str) -> Iterator[DeletedGuard]:
    """``app.before_request(check_login)``."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    callee = key_of(function) if function is not None else None
    if callee is None or arguments is None:
        return
    owner, _, word = callee.rpartition(".")
    given = arguments.named_children
    name = key_of(given[0]) if len(given) == 1 and word in _HOOKS and owner else None
    if name is not None and is_guard(name) and not _made_here(owner, word, text):
        yield DeletedGuard(
            name.rpartition(".")[2], line_of(node), end_line_of(node), owner=owner, call=word, defined=False
        )


def _made_here(owner: str, word: str, text: str) -> bool:
    """Whether what a hook guards went with the file; a hook for the whole application never does."""
    return word == "before_request" and re.search(rf"(?m)^[ \t]*{re.escape(owner)}\s*=[^=]", text) is not None
