"""How the branching statements of PHP run, and where they leave."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.conditional_plans import conditional_plan
from devpulse.core.flow.operations import Bind, Branch, Plan, Visit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of

_EXITS = frozenset({"return_statement", "exit_statement", "continue_statement", "break_statement", "throw_expression"})
_LEAVES = frozenset({"return_statement", "exit_statement", "throw_expression"})
_EXIT_CALLS = frozenset(
    {"die", "exit", "abort", "wp_die", "wp_send_json", "wp_send_json_error", "wp_send_json_success"}
)
_BLOCKS = frozenset({"compound_statement", "colon_block", "case_statement", "default_statement"})


def _exits(body: Node, kinds: frozenset[str] = _EXITS) -> bool:
    for statement in parts_of(body) if body.type in _BLOCKS else [body]:
        if statement.type in kinds:
            return True
        if statement.type == "expression_statement":
            inner = next(iter(statement.named_children), None)
            if inner is not None and (inner.type in kinds or _is_exit_call(inner)):
                return True
    return False


def _is_exit_call(node: Node) -> bool:
    """``die(…)``, also as a bare word."""
    name = node.child_by_field_name("function") if node.type == "function_call_expression" else node
    return name is not None and name.type == "name" and node_text(name).lower() in _EXIT_CALLS


def _if_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    exhaustive = False
    for clause in (node, *node.children_by_field_name("alternative")):
        body = field_of(clause, "body")
        condition = None if clause.type == "else_clause" else clause.child_by_field_name("condition")
        exhaustive = condition is None
        if condition is not None:
            steps.append(Visit(condition))
        steps.append(Branch((body,) if body is not clause else (), condition, _exits(body)))
    return Plan(tuple(steps), exhaustive)


def _loop_plan(node: Node) -> Plan:
    bodies = node.children_by_field_name("body")
    before = [child for child in parts_of(node) if child not in bodies]
    if node.type == "foreach_statement":
        steps: tuple[Visit | Bind | Branch, ...] = (
            *map(Visit, before[:1]),
            Bind(node),
            Branch(tuple(bodies), None, exits=False),
        )
        return Plan(steps, exhaustive=False, loops=True)
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    again: tuple[Visit | Bind | Branch, ...] = (*map(Visit, before), Branch(tuple(bodies), condition, exits=False))
    return Plan(again, exhaustive=node.type == "do_statement", loops=True)


def _try_plan(node: Node) -> Plan:
    """What went wrong may have done so anywhere in the body; ``finally`` runs in any case."""
    steps = [Branch((field_of(node, "body"),), None, exits=False, attempt=True)]
    last: list[Node] = []
    for child in parts_of(node):
        if child.type == "catch_clause":
            body = field_of(child, "body")
            steps.append(Branch((body,), None, _exits(body), rescues=True))
        elif child.type == "finally_clause":
            last.append(child)
    return Plan(tuple(steps), exhaustive=True, last=tuple(last))


def _switch_plan(node: Node) -> Plan:
    """A case without statements shares those of the next; one that does not leave runs on into it."""
    subject = field_of(node, "condition")
    clauses = [
        part for part in parts_of(field_of(node, "body")) if part.type in ("case_statement", "default_statement")
    ]
    steps: list[Visit | Bind | Branch] = [Visit(subject)]
    labels: list[Node] = []
    known = True
    for clause in clauses:
        value = clause.child_by_field_name("value")
        labels.extend([value] if value is not None else [])
        known = known and value is not None
        if len(parts_of(clause)) == (value is not None) and clause is not clauses[-1]:
            continue
        steps.append(Branch((clause,), None, _exits(clause, _LEAVES), cases=tuple(labels) if known else None))
        known = _exits(clause)
        labels = []
    exhaustive = any(clause.type == "default_statement" for clause in clauses)
    return Plan(tuple(steps), exhaustive, subject=subject)


def _logic_plan(node: Node) -> Plan | None:
    """``check() or die()``: the right side leaves."""
    operator, right = node_text(node.child_by_field_name("operator")).lower(), field_of(node, "right")
    if operator not in ("or", "||", "and", "&&", "??"):
        return None
    if right.type not in _LEAVES and not _is_exit_call(right):
        return None
    left = field_of(node, "left")
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
    "conditional_expression": conditional_plan,
}
