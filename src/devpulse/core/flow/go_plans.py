"""How Go's branching statements run."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import Bind, Branch, Plan, Visit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of

_EXITS = frozenset({"return_statement", "continue_statement", "break_statement", "goto_statement"})
_LEAVES = frozenset({"return_statement", "continue_statement", "goto_statement"})
_EXIT_CALL = re.compile(r"(?:panic|log\.(?:Fatal|Panic)\w*|os\.Exit|t\.(?:Fatal|Skip)\w*|runtime\.Goexit)\(")


def _statements(node: Node) -> list[Node]:
    """The statements of a block or case."""
    inner = next((child for child in node.named_children if child.type == "statement_list"), node)
    return inner.named_children


def _exits(body: Node, kinds: frozenset[str] = _EXITS) -> bool:
    return any(
        statement.type in kinds
        or (statement.type == "expression_statement" and _EXIT_CALL.match(node_text(statement)[:30]) is not None)
        for statement in _statements(body)
    )


def _if_plan(node: Node) -> Plan:
    condition, consequence = field_of(node, "condition"), field_of(node, "consequence")
    before = node.child_by_field_name("initializer")
    steps: list[Visit | Bind | Branch] = [Visit(before)] if before is not None else []
    steps += [Visit(condition), Branch((consequence,), condition, _exits(consequence))]
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        steps.append(Branch((otherwise,), None, otherwise.type == "block" and _exits(otherwise)))
    return Plan(tuple(steps), otherwise is not None)


def _loop_plan(node: Node) -> Plan:
    body = field_of(node, "body")
    steps: list[Visit | Bind | Branch] = []
    for child in parts_of(node):
        if child.type == "range_clause":
            steps.append(Visit(field_of(child, "right")))
            steps += [Bind(child)] if child.child_by_field_name("left") is not None else []
        elif child != body:
            steps.append(Visit(child))
    return Plan((*steps, Branch((body,), None, exits=False)), exhaustive=False)


def _switch_plan(node: Node) -> Plan:
    before = (node.child_by_field_name("initializer"), node.child_by_field_name("value"))
    steps: list[Visit | Bind | Branch] = [Visit(part) for part in before if part is not None]
    if node.type == "type_switch_statement":
        steps.append(Bind(node))
    cases = [child for child in node.named_children if child.type.endswith("_case")]
    for case in cases:
        condition = case.child_by_field_name("value") if case.type == "expression_case" else None
        steps += [Visit(condition)] if condition is not None else []
        nodes = tuple(child for child in parts_of(case) if child != condition)
        steps.append(Branch(nodes, condition, _exits(case, _LEAVES)))
    return Plan(tuple(steps), any(case.type == "default_case" for case in cases))


PLANS: dict[str, Callable[[Node], Plan]] = {
    "if_statement": _if_plan,
    "for_statement": _loop_plan,
    **dict.fromkeys(("expression_switch_statement", "type_switch_statement", "select_statement"), _switch_plan),
}
