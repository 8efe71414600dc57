"""Routes of Laravel's route files with the middleware in their chain and in the groups around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, Guard

MAX_CHAIN = 20
MAX_CLIMB = 60
_WORDS = access_words("php")
_VERBS = {
    "get": "GET", "view": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "any": "POST",
    "resource": "POST", "apiResource": "POST",
}  # fmt: skip
_CALLS = frozenset({"member_call_expression", "scoped_call_expression"})
_GUARDING = frozenset({"middleware", "can", "group"})
_TEXTS = re.compile(r"""['"]([^'"]+)['"]|(\w+)::class""")
_READS = re.compile(r"^\W*(?:index|show)\W*(?:(?:index|show)\W*)?$")


def route_of(call: Node) -> Endpoint | None:
    """``Route::post("/orders", …)->middleware("auth")``; its group is the closure it stands in."""
    verb = node_text(call.child_by_field_name("name"))
    if verb not in _VERBS or not _begins_with_route(call):
        return None
    given = parts_of(call.child_by_field_name("arguments"))
    path = node_text(given[0]).strip("'\"") if given else ""
    if not given or not node_text(given[0]).startswith(("'", '"')):
        return None
    chain = list(_chain(call))
    names = {
        node_text(link.child_by_field_name("name")): node_text(link.child_by_field_name("arguments")) for link in chain
    }
    around = _around(call)
    guards = [guard for link in chain for guard in _guards(link)]
    guards += [guard for group in around for link in _chain(group) for guard in _guards(link)]
    reads = "only" in names and _READS.match(names["only"])
    return Endpoint(
        name=f"{verb} {path}",
        route=path,
        methods=frozenset({"GET" if reads else _VERBS[verb]}),
        start_line=line_of(call),
        end_line=line_of(call),
        guards=tuple(guards),
        group=f"routes {around[0].start_byte}" if around else "routes",
        excused=any(_WORDS.open.search(text) for text in names.values()) or "withoutMiddleware" in names,
        single="{" in path,
    )


def _begins_with_route(call: Node) -> bool:
    node: Node | None = call
    for _ in range(MAX_CHAIN):
        if node is None:
            return False
        if node.type == "scoped_call_expression":
            return node_text(node.child_by_field_name("scope")).rpartition("\\")[2] == "Route"
        node = node.child_by_field_name("object")
    return False


def _chain(call: Node) -> Iterator[Node]:
    """The calls of a chain, those before and those after one of them."""
    top = call
    for _ in range(MAX_CHAIN):
        if top.parent is None or top.parent.type not in _CALLS or top.parent.child_by_field_name("object") != top:
            break
        top = top.parent
    link: Node | None = top
    for _ in range(MAX_CHAIN):
        if link is None or link.type not in _CALLS:
            return
        yield link
        link = link.child_by_field_name("object")


def _around(call: Node) -> list[Node]:
    """The ``group`` calls whose closures it stands in, from the inside."""
    found: list[Node] = []
    node = call.parent
    for _ in range(MAX_CLIMB):
        if node is None:
            break
        if node.type in _CALLS and node_text(node.child_by_field_name("name")) == "group":
            found.append(node)
        node = node.parent
    return found


def _guards(link: Node) -> Iterator[Guard]:
    """``->middleware(["auth", Admin::class])``, ``->can("edit")``, ``group(["middleware" => "auth"], …)``."""
    name = node_text(link.child_by_field_name("name"))
    if name not in _GUARDING:
        return
    for part in parts_of(link.child_by_field_name("arguments")):
        text = node_text(part)
        if "function" in text or "fn" in text.split("(")[0] or (name == "group" and "middleware" not in text):
            continue
        for quoted, named in _TEXTS.findall(text):
            word = quoted or named
            if name == "can" or _WORDS.marks.fullmatch(word):
                login = _WORDS.logins.fullmatch(word) is not None
                yield Guard(word, line_of(part), end_line_of(part), personal=not login)
