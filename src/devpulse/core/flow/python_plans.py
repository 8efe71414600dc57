"""How Python's branching statements run."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import Bind, Branch, Plan, Visit
from devpulse.core.flow.syntax_nodes import field_of, node_text

_EXITS = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_EXIT_CALL = re.compile(
    r"(?:(?:flask\.|self\.)?abort|sys\.exit|os\._exit|exit|quit|self\.fail|pytest\.fail|self\.send_error)\("
)


def _exits(body: Node) -> bool:
    for child in body.named_children:
        if child.type in _EXITS:
            return True
        if child.type == "expression_statement" and _EXIT_CALL.match(node_text(child)[:40]):
            return True
    return False


def _if_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    exhaustive = False
    for clause in (node, *node.children_by_field_name("alternative")):
        if clause.type == "else_clause":
            exhaustive = True
            body, condition = field_of(clause, "body"), None
        else:
            condition, body = field_of(clause, "condition"), field_of(clause, "consequence")
            steps.append(Visit(condition))
        steps.append(Branch((body,), condition, _exits(body)))
    return Plan(tuple(steps), exhaustive)


def _loop_plan(node: Node) -> Plan:
    body = field_of(node, "body")
    if node.type == "for_statement":
        steps = (Visit(field_of(node, "right")), Bind(node), Branch((body,), None, exits=False))
        return Plan(steps, exhaustive=False, loops=True)
    condition = field_of(node, "condition")
    until = condition if b"break" not in (body.text or b"") else None
    return Plan((Visit(condition), Branch((body,), condition, exits=False)), exhaustive=False, loops=True, until=until)


def _try_plan(node: Node) -> Plan:
    """What went wrong may have done so anywhere in the body; ``else`` runs after it, ``finally`` in any case."""
    body = [field_of(node, "body"), *(child for child in node.named_children if child.type == "else_clause")]
    steps: list[Visit | Bind | Branch] = [Branch(tuple(body), None, exits=False, attempt=True)]
    last: list[Node] = []
    for child in node.named_children:
        if child.type.startswith("except"):
            blocks = [c for c in child.named_children if c.type == "block"]
            steps.append(Branch((child,), None, any(map(_exits, blocks)), rescues=True))
        elif child.type == "finally_clause":
            last.append(child)
    return Plan(tuple(steps), exhaustive=True, last=tuple(last))


def _match_plan(node: Node) -> Plan:
    body = field_of(node, "body")
    cases = [child for child in body.named_children if child.type == "case_clause"]
    branches = tuple(
        Branch((case,), None, _exits(case.child_by_field_name("consequence") or case), cases=_cases_of(case))
        for case in cases
    )
    subjects = node.children_by_field_name("subject")
    exhaustive = any(branch.cases == () for branch in branches)
    subject = subjects[0] if len(subjects) == 1 else None
    return Plan((*map(Visit, subjects), *branches), exhaustive, subject=subject)


def _cases_of(case: Node) -> tuple[Node, ...] | None:
    """The constants that a case stands for, none for the one that takes what is left; ``None`` for other patterns."""
    if case.child_by_field_name("guard") is not None:
        return None
    patterns = [child for child in case.named_children if child.type == "case_pattern"]
    if len(patterns) != 1:
        return None
    if node_text(patterns[0]) == "_":
        return ()
    inner = patterns[0].named_children
    listed = inner[0].named_children if len(inner) == 1 and inner[0].type == "union_pattern" else inner
    literals = ("string", "integer", "float", "true", "false", "none")
    return tuple(listed) if listed and all(child.type in literals for child in listed) else None


PLANS: dict[str, Callable[[Node], Plan]] = {
    "if_statement": _if_plan,
    "for_statement": _loop_plan,
    "while_statement": _loop_plan,
    "try_statement": _try_plan,
    "match_statement": _match_plan,
}
"""By the type of the statement."""
