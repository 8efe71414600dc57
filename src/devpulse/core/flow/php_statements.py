"""How the branching statements of PHP run, and where they leave."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import Bind, Branch, Plan, Visit
from devpulse.core.flow.syntax_nodes import node_text

_EXITS = frozenset({"return_statement", "exit_statement", "continue_statement", "break_statement", "throw_expression"})
_LEAVES = frozenset({"return_statement", "exit_statement", "throw_expression"})
_EXIT_CALL = re.compile(r"(?i)\\?(?:die|exit|abort|wp_die|wp_send_json\w*|throw_error)\b\s*(?:\(|;|$)")
_BLOCKS = frozenset({"compound_statement", "colon_block", "case_statement", "default_statement"})


def field(node: Node, name: str) -> Node:
    """A field that valid syntax always has; the node itself in broken code, which evaluates to nothing."""
    return node.child_by_field_name(name) or node


def parts_in(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if child.type != "comment"]


def _exits(body: Node, kinds: frozenset[str] = _EXITS) -> bool:
    for statement in parts_in(body) if body.type in _BLOCKS else [body]:
        if statement.type in kinds:
            return True
        if statement.type == "expression_statement":
            inner = next(iter(statement.named_children), None)
            if inner is not None and (inner.type in kinds or _EXIT_CALL.match(node_text(inner)[:40])):
                return True
    return False


def _if_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    exhaustive = False
    for clause in (node, *node.children_by_field_name("alternative")):
        body = field(clause, "body")
        condition = None if clause.type == "else_clause" else clause.child_by_field_name("condition")
        exhaustive = condition is None
        if condition is not None:
            steps.append(Visit(condition))
        steps.append(Branch((body,) if body is not clause else (), condition, _exits(body)))
    return Plan(tuple(steps), exhaustive)


def _loop_plan(node: Node) -> Plan:
    bodies = node.children_by_field_name("body")
    before = [child for child in parts_in(node) if child not in bodies]
    if node.type == "foreach_statement":
        return Plan((*map(Visit, before[:1]), Bind(node), Branch(tuple(bodies), None, exits=False)), exhaustive=False)
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    return Plan((*map(Visit, before), Branch(tuple(bodies), condition, exits=False)), exhaustive=False)


def _try_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    for child in parts_in(node):
        if child.type == "catch_clause":
            body = field(child, "body")
            steps.append(Branch((body,), None, _exits(body)))
        else:
            steps.append(Visit(child))
    return Plan(tuple(steps), exhaustive=False)


def _switch_plan(node: Node) -> Plan:
    cases = [case for case in parts_in(field(node, "body")) if case.type in ("case_statement", "default_statement")]
    branches = tuple(Branch((case,), None, _exits(case, _LEAVES)) for case in cases)
    exhaustive = any(case.type == "default_statement" for case in cases)
    return Plan((Visit(field(node, "condition")), *branches), exhaustive)


def _logic_plan(node: Node) -> Plan | None:
    """``check() or die()``: the right side leaves."""
    operator, right = node_text(node.child_by_field_name("operator")).lower(), field(node, "right")
    if operator not in ("or", "||", "and", "&&", "??") or right.type in ("variable_name", "binary_expression"):
        return None
    if right.type not in _LEAVES and not _EXIT_CALL.match(node_text(right)[:40]):
        return None
    left = field(node, "left")
    if operator in ("and", "&&"):
        return Plan((Visit(left), Branch((right,), left, exits=True)), exhaustive=False)
    way_on = Branch((), left, exits=False)
    return Plan((Visit(left), way_on, Branch((right,), None, exits=True)), exhaustive=True, valued=operator == "??")


PLANS: dict[str, Callable[[Node], Plan | None]] = {
    "if_statement": _if_plan,
    **dict.fromkeys(("foreach_statement", "for_statement", "while_statement", "do_statement"), _loop_plan),
    "try_statement": _try_plan,
    "switch_statement": _switch_plan,
    "binary_expression": _logic_plan,
}
