"""What WordPress runs for a request: handlers of ``admin-ajax.php``, and routes of its REST interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of, short_text, walk
from devpulse.core.rules.access import Endpoint, Guard
from devpulse.core.rules.access_control.actions import changes

_HOOK = re.compile(
    r"add_action\(\s*+['\"](?:wp_ajax|admin_post)_(nopriv_)?([\w-]*+)['\"]\s*+,\s*+(?:array\s*+\(|\[)?\s*+(?:[^,'\"()\[\]]++,\s*+)?['\"](\w+)['\"]"
)
_METHODS = re.compile(r"(?:EDITABLE|CREATABLE|DELETABLE|ALLMETHODS|POST|PUT|PATCH|DELETE)\b")


@dataclass(frozen=True, slots=True)
class Hooked:
    """A function that answers requests. ``public``: also those of people who are not logged in, on purpose."""

    action: str
    methods: frozenset[str]
    public: bool


def hooked_functions(text: str) -> dict[str, Hooked]:
    """The handlers by the names of their functions."""
    found: dict[str, Hooked] = {}
    for nopriv, action, function in _HOOK.findall(text) if "add_action" in text else ():
        before = found.get(function)
        public = bool(nopriv) or (before is not None and before.public)
        methods = frozenset({"POST" if changes(function) or changes(action) else "GET"})
        found[function] = Hooked(action or function, methods, public)
    return found


def rest_routes(root: Node, text: str) -> Iterator[Endpoint]:
    """The routes with their ``permission_callback``; one that lets everybody in says so on purpose."""
    for call in walk(root) if "register_rest_route" in text else ():
        if node_text(call.child_by_field_name("function")) != "register_rest_route":
            continue
        given = parts_of(call.child_by_field_name("arguments"))
        path = node_text(given[1]) if len(given) > 1 else ""
        for array in walk(call):
            if array.type == "array_creation_expression" and "callback" in _options(array):
                yield _rest_route(array, path)


def _options(array: Node) -> dict[str, Node]:
    found = {}
    for element in parts_of(array):
        key, *values = parts_of(element)
        if values:
            found[node_text(key).strip("'\"")] = element
    return found


def _rest_route(array: Node, path: str) -> Endpoint:
    options = _options(array)
    permission = options.get("permission_callback")
    said = short_text(permission, 200)
    guards = (
        (Guard(said, line_of(permission), end_line_of(permission)),)
        if permission is not None and "__return_true" not in said
        else ()
    )
    verbs = _METHODS.search(node_text(options.get("methods")))
    line = line_of(array)
    return Endpoint(
        name=f"{path} {short_text(parts_of(options['callback'])[-1], 80)}",
        route=path,
        methods=frozenset({"POST" if verbs else "GET"}),
        start_line=line,
        end_line=line,
        guards=guards,
        group="rest",
        excused=permission is not None,
        single="?P<" in path,
        mentions=len(guards),
    )
