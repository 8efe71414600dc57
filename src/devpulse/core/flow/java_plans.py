"""How Java's branching statements run."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import Bind, Branch, Plan, Visit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of

_EXITS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement"})
_EXIT_CALL = re.compile(r"(?:System\.exit|fail|Assert\.fail)\(")


def _exits(body: Node, kinds: frozenset[str] = _EXITS) -> bool:
    statements = [body] if body.type in _EXITS or body.type == "expression_statement" else body.named_children
    return any(
        statement.type in kinds
        or (statement.type == "expression_statement" and _EXIT_CALL.match(node_text(statement)[:30]) is not None)
        for statement in statements
    )


def _if_plan(node: Node) -> Plan:
    condition, consequence = field_of(node, "condition"), field_of(node, "consequence")
    steps: list[Visit | Bind | Branch] = [Visit(condition), Branch((consequence,), condition, _exits(consequence))]
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        leaves = otherwise.type != "if_statement" and _exits(otherwise)
        steps.append(Branch((otherwise,), None, leaves))
    return Plan(tuple(steps), otherwise is not None)


def _loop_plan(node: Node) -> Plan:
    body = field_of(node, "body")
    if node.type == "enhanced_for_statement":
        return Plan((Visit(field_of(node, "value")), Bind(node), Branch((body,), None, exits=False)), exhaustive=False)
    before = [child for child in node.named_children if child != body]
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    return Plan((*map(Visit, before), Branch((body,), condition, exits=False)), exhaustive=False)


def _try_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    for child in node.named_children:
        if child.type == "catch_clause":
            steps.append(Branch((child,), None, _exits(field_of(child, "body"))))
        else:
            steps.append(Visit(child))
    return Plan(tuple(steps), exhaustive=False)


def _switch_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = [Visit(field_of(node, "condition"))]
    exhaustive = False
    for rule in parts_of(node.child_by_field_name("body")):
        labels = [child for child in rule.named_children if child.type == "switch_label"]
        parts = tuple(child for child in parts_of(rule) if child.type != "switch_label")
        default = any(not child.named_children or node_text(child).startswith("default") for child in labels)
        exhaustive = exhaustive or default
        steps.extend(map(Visit, labels))
        condition = labels[0] if labels and not default else None
        leaves = any(part.type in _LEAVES or (part.type == "block" and _exits(part, _LEAVES)) for part in parts)
        steps.append(Branch(parts, condition, leaves))
    return Plan(tuple(steps), exhaustive, valued=True)


PLANS: dict[str, Callable[[Node], Plan]] = {
    "if_statement": _if_plan,
    **dict.fromkeys(("enhanced_for_statement", "for_statement", "while_statement", "do_statement"), _loop_plan),
    **dict.fromkeys(("try_statement", "try_with_resources_statement"), _try_plan),
    "switch_expression": _switch_plan,
}
