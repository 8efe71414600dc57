"""Comparisons of Javascript that prove something of a text: where another one is in it, and what it begins with."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.flow.operations import Argument, Call, Not, Operation, Same
from devpulse.core.flow.syntax_nodes import field_of, node_text


def of_index(operator: str, left: Node, right: Node) -> Operation | None:
    """What a comparison says of where one text is in another: nowhere, somewhere, or at its begin."""
    called = method_of(left, "indexOf")
    if called is None:
        return None
    place = f"{operator.rstrip('=') or '='}{'=' if operator in ('<=', '>=') else ''}{node_text(right)}"
    if place in ("!-1", ">-1", ">=0"):
        return Same(left)
    if place in ("=-1", "<0"):
        return Not(left)
    return _begins(*called, negated=place == "!0") if place in ("=0", "!0") else None


def of_begin(operator: str, left: Node, right: Node) -> Operation | None:
    """``path.slice(0, root.length) === root``."""
    if operator not in ("===", "==", "!==", "!="):
        return None
    called = method_of(left, "slice", "substr", "substring")
    arguments = left.child_by_field_name("arguments") if called is not None else None
    given = arguments.named_children if arguments is not None else []
    if called is None or len(given) != 2 or node_text(given[0]) != "0":
        return None
    return _begins(called[0], right, negated=operator[0] == "!") if node_text(given[1]).endswith(".length") else None


def _begins(subject: Node, prefix: Node, *, negated: bool) -> Operation:
    callee = ".begins_elsewhere" if negated else ".startsWith"
    return Call(callee, subject, (Argument(prefix),))


def method_of(node: Node, *names: str) -> tuple[Node, Node] | None:
    """The receiver and the first argument of a call of a method with one of these names."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    arguments = node.child_by_field_name("arguments") if function is not None else None
    if function is None or arguments is None or function.type != "member_expression" or not arguments.named_children:
        return None
    if node_text(function.child_by_field_name("property")) not in names:
        return None
    return field_of(function, "object"), arguments.named_children[0]
