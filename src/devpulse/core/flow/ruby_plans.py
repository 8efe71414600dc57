"""How the branching statements of Ruby run, and where they leave. They have values, too."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.conditional_plans import conditional_plan
from devpulse.core.flow.operations import Bind, Branch, Iterate, Plan, Visit
from devpulse.core.flow.ruby_calls import ITERATING, argument_nodes, block_body, block_of, is_route, method_of
from devpulse.core.flow.ruby_functions import ARCHIVES
from devpulse.core.flow.ruby_texts import constant_text
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of

HOLDERS = frozenset(
    {
        "then",
        "else",
        "do",
        "block_body",
        "body_statement",
        "begin",
        "parenthesized_statements",
        "ensure",
        "interpolation",
    }
)
"""Nodes that hold statements; their value is that of the last one."""

_EXITS = frozenset({"return", "break", "next", "redo", "retry"})
_EXIT_CALLS = frozenset({"raise", "fail", "abort", "exit", "exit!", "halt", "throw"})
_AND, _OR = frozenset({"and", "&&"}), frozenset({"or", "||"})
_CLAUSES = frozenset({"rescue", "else", "ensure"})


def is_exit(node: Node) -> bool:
    """Whether a statement leaves the method, block or loop."""
    if node.type == "call" and node.child_by_field_name("receiver") is None:
        return method_of(node) in _EXIT_CALLS
    if node.type == "binary":  # ``render(:x) and return``
        right = node.child_by_field_name("right")
        return right is not None and right.type in _EXITS
    return node.type in _EXITS or (node.type == "identifier" and node_text(node) in _EXIT_CALLS)


def _exits(body: Node | None) -> bool:
    if body is None:
        return False
    return any(map(is_exit, parts_of(body))) if body.type in HOLDERS else is_exit(body)


def _nodes(*nodes: Node | None) -> tuple[Node, ...]:
    return tuple(node for node in nodes if node is not None)


def _if_plan(node: Node) -> Plan:
    condition = field_of(node, "condition")
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    otherwise = node.child_by_field_name("alternative")
    if node.type.startswith("unless"):
        body, otherwise = otherwise, body
    steps: list[Visit | Bind | Branch] = [Visit(condition), Branch(_nodes(body), condition, _exits(body))]
    leaves = otherwise is not None and otherwise.type != "elsif" and _exits(otherwise)
    return Plan((*steps, Branch(_nodes(otherwise), None, leaves)), exhaustive=True, valued=True)


def _loop_plan(node: Node) -> Plan:
    body = node.child_by_field_name("body")
    if node.type == "for":
        steps = (Visit(field_of(node, "value")), Bind(node), Branch(_nodes(body), None, exits=False))
        return Plan(steps, exhaustive=False, loops=True)
    condition = field_of(node, "condition")
    held = condition if node.type.startswith("while") else None
    until = condition if held is not None else None
    again = (Visit(condition), Branch(_nodes(body), held, exits=False))
    return Plan(again, exhaustive=False, loops=True, until=until)


def _case_plan(node: Node) -> Plan:
    """Without a subject each ``when`` is a condition."""
    subject = node.child_by_field_name("value")
    steps: list[Visit | Bind | Branch] = [Visit(subject)] if subject is not None else []
    exhaustive = False
    for clause in parts_of(node):
        body = clause.child_by_field_name("body")
        if clause.type == "else":
            exhaustive = True
            steps.append(Branch((clause,), None, _exits(clause)))
        elif clause.type == "in_clause":
            steps.append(Branch(_nodes(body), None, _exits(body)))
        elif clause.type == "when":
            patterns = [part for part in clause.children_by_field_name("pattern") if part.named_children]
            steps.extend(map(Visit, patterns))
            condition = patterns[0] if subject is None and len(patterns) == 1 else None
            cases = tuple(patterns) if subject is not None and all(map(_is_literal, patterns)) else None
            steps.append(Branch(_nodes(body), condition, _exits(body), cases=cases or None))
    return Plan(tuple(steps), exhaustive, valued=True, subject=subject)


def _is_literal(pattern: Node) -> bool:
    return constant_text(pattern.named_children[0]) is not None


def _rescue_plan(node: Node) -> Plan | None:
    parts = parts_of(node)
    if not any(part.type in ("rescue", "ensure") for part in parts):
        return None
    main = tuple(part for part in parts if part.type not in ("rescue", "ensure"))
    steps = [Branch(main, None, exits=False, attempt=True)]
    for part in parts:
        if part.type == "rescue":
            body = part.child_by_field_name("body")
            steps.append(Branch(_nodes(body), None, _exits(body), rescues=True))
    last = tuple(part for part in parts if part.type == "ensure")
    return Plan(tuple(steps), exhaustive=True, valued=True, last=last)


def results_of(node: Node) -> tuple[Node, ...]:
    """What the value of a body may be: its last statement, or that of a rescue."""
    parts = parts_of(node)
    main = [part for part in parts if part.type not in _CLAUSES] if len(parts) > 1 else parts
    rescues = [part.child_by_field_name("body") for part in parts if part.type == "rescue"]
    return _nodes(main[-1] if main else None, *rescues)


def _logic_plan(node: Node) -> Plan | None:
    """``allowed or raise``, ``render(:x) and return``: the right side leaves."""
    operator, right = node_text(node.child_by_field_name("operator")), field_of(node, "right")
    if operator not in _AND | _OR or not is_exit(right):
        return None
    left = field_of(node, "left")
    if operator in _AND:
        return Plan((Visit(left), Branch((right,), left, exits=True)), exhaustive=False)
    way_on = Branch((), left, exits=False)
    return Plan((Visit(left), way_on, Branch((right,), None, exits=True)), exhaustive=True, valued=True)


def _block_plan(node: Node) -> Plan | None:
    """A call with a block that runs within it."""
    block = block_of(node)
    if block is None:
        return None
    receiver = node.child_by_field_name("receiver")
    steps: list[Visit | Bind | Branch] = [*map(Visit, _nodes(receiver)), *map(Visit, argument_nodes(node))]
    parameters = block.child_by_field_name("parameters")
    if parameters is not None and parameters.named_children:
        if is_route(node):  # its parameters come from the address
            receiver = block.children[0]
            steps.append(Visit(receiver))
        elif receiver is not None and f"{node_text(receiver)}.{method_of(node)}" in ARCHIVES:
            receiver = block.children[0]  # what the block is given has the members of the archive
            steps.append(Visit(receiver))
        first = method_of(node).endswith("_with_index")
        target = parameters.named_children[0] if first else parameters
        steps.extend([Bind(block, Iterate(target, receiver))] if receiver is not None else [])
    steps.append(Branch(_nodes(block_body(block)), None, exits=False))
    loops = method_of(node) in ITERATING
    return Plan(tuple(steps), exhaustive=not loops, valued=True, loops=loops)


PLANS: dict[str, Callable[[Node], Plan | None]] = {
    **dict.fromkeys(("if", "elsif", "unless", "if_modifier", "unless_modifier"), _if_plan),
    **dict.fromkeys(("while", "until", "for", "while_modifier", "until_modifier"), _loop_plan),
    **dict.fromkeys(("case", "case_match"), _case_plan),
    **dict.fromkeys(("body_statement", "begin"), _rescue_plan),
    "binary": _logic_plan,
    "conditional": conditional_plan,
    "call": _block_plan,
}
