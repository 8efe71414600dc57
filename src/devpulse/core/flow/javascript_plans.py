"""How the branching statements of Javascript and Typescript run."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.conditional_plans import conditional_plan
from devpulse.core.flow.operations import Bind, Branch, Iterate, Plan, Visit
from devpulse.core.flow.syntax_nodes import field_of, node_text

_EXITS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_EXIT_CALL = re.compile(r"(?:process\.exit|res\.end|reply\.code)\(")

_EACH = re.compile(r"^(?:\$|jQuery|_|lodash|angular)\.(?:each|forEach)$")
_GATHERS = re.compile(rb"\+=|\.push\(")
_LEAVES = b"return"
_QUOTED = re.compile(rb"['\"`]")
_MAX_BODY = 4_000
"""Bytes of a function that is run for each item, to be walked as a loop."""

_MAX_CLIMB = 30
_ANONYMOUS = frozenset({"arrow_function", "function_expression"})


def _exits(body: Node) -> bool:
    statements = body.named_children if body.type in ("statement_block", "switch_case", "switch_default") else [body]
    for statement in statements:
        if statement.type in _EXITS:
            return True
        if statement.type == "expression_statement" and _EXIT_CALL.match(node_text(statement)[:30]):
            return True
    return False


def _if_plan(node: Node) -> Plan:
    condition, consequence = field_of(node, "condition"), field_of(node, "consequence")
    steps: list[Visit | Bind | Branch] = [Visit(condition), Branch((consequence,), condition, _exits(consequence))]
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        inner = otherwise.named_children
        steps.append(Branch((otherwise,), None, bool(inner) and _exits(inner[0])))
    return Plan(tuple(steps), otherwise is not None)


def _loop_plan(node: Node) -> Plan:
    body = field_of(node, "body")
    if node.type == "for_in_statement":
        steps = (Visit(field_of(node, "right")), Bind(node), Branch((body,), None, exits=False))
        return Plan(steps, exhaustive=False, loops=True)
    before = [child for child in node.named_children if child != body]
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    until = condition if b"break" not in (body.text or b"") else None
    branch = Branch((body,), condition, exits=False)
    return Plan((*map(Visit, before), branch), exhaustive=False, loops=True, until=until)


def _try_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = [Branch((field_of(node, "body"),), None, exits=False, attempt=True)]
    last: list[Node] = []
    for child in node.named_children:
        if child.type == "catch_clause":
            steps.append(Branch((child,), None, _exits(field_of(child, "body")), rescues=True))
        elif child.type == "finally_clause":
            last.append(child)
    return Plan(tuple(steps), exhaustive=True, last=tuple(last))


def _switch_plan(node: Node) -> Plan:
    cases = field_of(node, "body").named_children
    value = field_of(node, "value")
    branches: list[Branch] = []
    waiting: list[Node] = []  # cases that fall through to the next
    for case in cases:
        constant = case.child_by_field_name("value")
        waiting.extend([constant] if constant is not None else [])
        statements = [child for child in case.named_children if child != constant and child.type != "comment"]
        if not statements:
            continue
        exits = any(child.type in ("return_statement", "throw_statement") for child in statements)
        told = tuple(waiting) if exits or statements[-1].type == "break_statement" or case == cases[-1] else None
        branches.append(Branch((case,), None, exits, cases=() if case.type == "switch_default" else told))
        waiting = waiting if told is None else []
    subject = value if all(branch.cases is not None for branch in branches) else None
    subject = subject if not any(branch.cases == () for branch in branches[:-1]) else None
    exhaustive = any(case.type == "switch_default" for case in cases)
    return Plan((Visit(value), *branches), exhaustive, subject=subject)


def _each_plan(node: Node) -> Plan | None:
    """``items.forEach((item) => { text += item; })`` is a loop: what its function gathers is known after it."""
    mapped = mapped_text(node)
    if mapped is not None:
        items, item, before, given = mapped
        parts = (*map(Visit, before), Visit(given))
        return Plan((Visit(items), Bind(node, Iterate(item, items)), *parts), exhaustive=True, valued=True)
    each = _each(node)
    if each is None:
        return None
    items, callback, position = each
    body = field_of(callback, "body")
    if body.end_byte - body.start_byte > _MAX_BODY or not _GATHERS.search(body.text or b""):
        return None
    single = callback.child_by_field_name("parameter")
    listed = [single] if single is not None else field_of(callback, "parameters").named_children
    if len(listed) <= position:
        return None
    item = listed[position].child_by_field_name("pattern") or listed[position]
    steps = (Visit(items), Bind(node, Iterate(item, items)), Branch((body,), None, exits=False))
    return Plan(steps, exhaustive=False, valued=True, loops=True)


def mapped_text(node: Node) -> tuple[Node, Node, list[Node], Node] | None:
    """``items.map((item) => `<li>${item}</li>`)``: what is run over, the item, what comes first, and the text made.

    Functions that leave early, or give back something else than a text put together in place, are walked as others.
    """
    function = field_of(node, "function")
    if function.type != "member_expression" or field_of(function, "property").text != b"map":
        return None
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) != 1 or given[0].type not in _ANONYMOUS:
        return None
    callback = given[0]
    body, single = field_of(callback, "body"), callback.child_by_field_name("parameter")
    before: list[Node] = []
    if body.type == "statement_block":
        *before, last = [child for child in body.named_children if child.type != "comment"] or [body]
        if (
            last.type != "return_statement"
            or not last.named_children
            or any(_LEAVES in (n.text or b"") for n in before)
        ):
            return None
        body = last.named_children[0]
    while body.type == "parenthesized_expression" and body.named_children:
        body = body.named_children[0]
    listed = [single] if single is not None else field_of(callback, "parameters").named_children
    made = body.type == "template_string" or (body.type == "binary_expression" and _QUOTED.search(body.text or b""))
    if not made or not listed or body.end_byte - body.start_byte > _MAX_BODY:
        return None
    item = listed[0].child_by_field_name("pattern") or listed[0]
    return field_of(function, "object"), item, before, body


def _each(node: Node) -> tuple[Node, Node, int] | None:
    """What a call runs a function over that has no name, that function, and which of its parameters is the item."""
    function, arguments = field_of(node, "function"), node.child_by_field_name("arguments")
    if function.type != "member_expression" or arguments is None:
        return None
    name, given = field_of(function, "property").text, arguments.named_children
    if name == b"on":
        return _chunks(function, given)
    callback = given[-1] if given and name in (b"forEach", b"each") else None
    if callback is None or callback.type not in _ANONYMOUS or callback.child_by_field_name("name") is not None:
        return None
    if len(given) == 1 and name == b"forEach":
        return field_of(function, "object"), given[0], 0
    if len(given) == 2 and _EACH.match(node_text(function)[:40]):
        return given[0], given[1], 0 if function.text in (b"_.each", b"_.forEach", b"angular.forEach") else 1
    return None


def _chunks(function: Node, given: list[Node]) -> tuple[Node, Node, int] | None:
    """``req.on("data", (chunk) => { body += chunk; })`` runs over the parts of what was sent."""
    event = given[0].text if len(given) == 2 else None
    if event not in (b'"data"', b"'data'") or given[1].type not in _ANONYMOUS:
        return None
    return (function, given[1], 0) if field_of(function, "object").text in (b"req", b"request", b"ctx.req") else None


def leaves_item(node: Node) -> bool:
    """Whether a ``return`` ends the turn of one item, as ``_each_plan`` walks it."""
    around = node.parent
    for _ in range(_MAX_CLIMB):
        if around is None or around.type in ("function_declaration", "method_definition"):
            return False
        if around.type in _ANONYMOUS:
            call = around.parent.parent if around.parent is not None else None
            return call is not None and call.type == "call_expression" and _each_plan(call) is not None
        around = around.parent
    return False


PLANS: dict[str, Callable[[Node], Plan | None]] = {
    "call_expression": _each_plan,
    "if_statement": _if_plan,
    "ternary_expression": conditional_plan,
    "for_in_statement": _loop_plan,
    "for_statement": _loop_plan,
    "while_statement": _loop_plan,
    "do_statement": _loop_plan,
    "try_statement": _try_plan,
    "switch_statement": _switch_plan,
}
