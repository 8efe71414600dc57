"""Broken access control in Javascript and Typescript: Express routes without the guard of their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.javascript import FUNCTIONS
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text
from devpulse.core.rules.access import Endpoint, Guard, is_guard, missing_guards, removed_guards
from devpulse.core.rules.deleted_guards import deleted_guards
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.javascript.guard_definitions import guards_of
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import nodes_in

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "all"})
_ROUTER = re.compile(r"(?i)(?:app|router|routes?|server|api|fastify|\w*Router|\w*Routes)$")
_CHECK = re.compile(
    r"(?i)is_?admin|is_?authenticated|req(?:uest)?\.user\b|\.role\b|has_?(?:role|permission|access)|can_?(?:access|edit|delete|view)|"
    r"authori[sz]e|check_?(?:access|perm|admin|auth|role|owner)|require_?(?:auth|admin|role|login|user)|assert_?(?:admin|owner|auth)|"
    r"session\.(?:user|admin|logged)|ownerId|owner_id|userId\s*!==?|verify_?(?:token|session|jwt)|ensure\w+|status\(\s*40[13]|sendStatus\(\s*40[13]|Forbidden|Unauthorized"
)


_TELLING = frozenset({"call_expression", "function_declaration", "method_definition", "variable_declarator"})


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """Routes that lack the guard of their neighbours, and guards the change removed, also with a whole file."""
    if source.language is None:
        return
    after, guarded = endpoints_of(source.language, source.text)
    yield from missing_guards(after, guarded_as_a_whole=guarded)
    if source.before is not None and source.before.language is not None:
        before, was_guarded = endpoints_of(source.before.language, source.before.text)
        if not (guarded and not was_guarded):  # a guard for all of them may have come instead
            yield from removed_guards(source, before, after)
        yield from deleted_guards(source, guards_of(source.before.language, source.before.text), resolver)


def endpoints_of(language: str, text: str) -> tuple[list[Endpoint], bool]:
    """Every route and named function with its guards, and whether a guard stands before all routes."""
    found: list[Endpoint] = []
    whole = False
    for node in nodes_in(language, text, _TELLING):
        if node.type == "call_expression":
            endpoint = _route(node)
            if endpoint is not None:
                found.append(endpoint)
            whole = whole or _guards_all(node)
        elif node.type in ("function_declaration", "method_definition"):
            name = node_text(node.child_by_field_name("name"))
            found.append(_plain(name, node, node.child_by_field_name("body"), _decorators(node)))
        elif node.type == "variable_declarator":
            value = node.child_by_field_name("value")
            if value is not None and value.type in FUNCTIONS:
                name = node_text(node.child_by_field_name("name"))
                found.append(_plain(name, node, value.child_by_field_name("body"), []))
    return found, whole


def _plain(name: str, node: Node, body: Node | None, decorators: list[Guard]) -> Endpoint:
    return Endpoint(name, "", frozenset(), line_of(node), line_of(node), (*decorators, *_body_guards(body)))


def _decorators(node: Node) -> list[Guard]:
    """Decorators of a method stand before it as its siblings."""
    guards: list[Guard] = []
    sibling = node.prev_named_sibling
    while sibling is not None and sibling.type == "decorator":
        text = short_text(sibling, 120)
        if is_guard(text):
            guards.append(Guard(text, line_of(sibling), end_line_of(sibling)))
        sibling = sibling.prev_named_sibling
    return guards


def _route(node: Node) -> Endpoint | None:
    """``router.delete("/users/:id", requireAuth, handler)``."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or function.type != "member_expression":
        return None
    verb = node_text(function.child_by_field_name("property"))
    given = [child for child in arguments.named_children if child.type != "comment"]
    if verb not in _VERBS or len(given) < 2 or given[0].type not in ("string", "template_string"):
        return None
    if not _ROUTER.search(short_text(function.child_by_field_name("object"), 40)):
        return None
    route = short_text(given[0], 200).strip("'\"`")
    guards: list[Guard] = []
    for argument in given[1:]:
        if argument.type not in FUNCTIONS:
            guards += _middleware(argument, last=argument == given[-1])
    handler = given[-1]
    body = handler.child_by_field_name("body") if handler.type in FUNCTIONS else None
    methods = frozenset({"POST" if verb == "all" else verb.upper()})
    line = line_of(node)
    return Endpoint(f"{verb.upper()} {route}", route, methods, line, line, (*guards, *_body_guards(body)))


def _middleware(argument: Node, *, last: bool) -> list[Guard]:
    parts = argument.named_children if argument.type == "array" else [argument]
    guards = []
    for part in parts:
        text = short_text(part, 120)
        # The last one is the handler itself, unless it wraps one: requireAuth(handler).
        if is_guard(text) and not (last and part.type in ("identifier", "member_expression")):
            guards.append(Guard(text, line_of(part), end_line_of(part)))
    return guards


def _guards_all(node: Node) -> bool:
    """``router.use(requireAuth)``, also under a path."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or function.type != "member_expression":
        return False
    if node_text(function.child_by_field_name("property")) not in ("use", "addHook"):
        return False
    guards = [
        child
        for child in arguments.named_children
        if child.type in ("identifier", "member_expression", "call_expression")
    ]
    return any(
        is_guard(short_text(child, 80)) and not re.search(r"(?i)rout|require\(", short_text(child, 80))
        for child in guards
    )


def _body_guards(body: Node | None) -> list[Guard]:
    """Checks among the statements of a body."""
    if body is None or body.type != "statement_block":
        return []
    guards = []
    for statement in body.named_children[:40]:
        if statement.type == "if_statement":
            condition = short_text(statement.child_by_field_name("condition"), 200)
            refusal = short_text(statement.child_by_field_name("consequence"), 200)
            if _CHECK.search(condition) or re.search(r"40[13]\b|Forbidden|Unauthori", refusal):
                guards.append(Guard(condition, line_of(statement), end_line_of(statement)))
        elif statement.type == "expression_statement":
            text = short_text(statement, 120)
            if _CHECK.search(text.split("(")[0]):
                guards.append(Guard(text, line_of(statement), end_line_of(statement)))
    return guards


RULE = Rule(id="javascript-broken-access-control", category="broken-access-control", languages=LANGUAGES, check=check)
