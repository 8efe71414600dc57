"""How a conditional expression runs whose options set something: ``$ok ? $name = $given : $name = ""``."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.flow.operations import Branch, Plan, Visit

_SETS = frozenset({"assignment_expression", "augmented_assignment_expression", "assignment", "operator_assignment"})
_AROUND = frozenset({"parenthesized_expression", "parenthesized_statements"})


def conditional_plan(node: Node) -> Plan | None:
    """The plan of PHP's, Javascript's and Ruby's conditional; ``None`` for one that only chooses a value."""
    condition, other = node.child_by_field_name("condition"), node.child_by_field_name("alternative")
    first = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is None or first is None or other is None or not (_sets(first) or _sets(other)):
        return None
    steps = (Visit(condition), Branch((first,), condition, exits=False), Branch((other,), None, exits=False))
    return Plan(steps, exhaustive=True, valued=True)


def _sets(option: Node) -> bool:
    inner = option.named_children[0] if option.type in _AROUND and option.named_children else option
    return inner.type in _SETS
