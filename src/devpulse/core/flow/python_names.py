"""What a Python expression is called: kept apart, since rules ask it of files whose data flow nobody follows."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import MAX_KEY, field_of, node_text
from devpulse.core.lazy_pattern import lazy

_CHAIN = lazy(r"[\w.]+")
_DOTTED = lazy(r"[A-Za-z_]\w*(?:\.\w+)+")


def callee_text(function: Node) -> str:
    """The dotted text of what is called; of a chain over calls only the last name, with a leading dot."""
    dotted = key_of(function)
    if dotted is not None:
        return dotted
    if function.type == "attribute":
        return "." + node_text(function.child_by_field_name("attribute"))
    return _named_function(function) if function.type == "subscript" else ""


def _named_function(node: Node) -> str:
    """A function taken out of a table by its dotted name: ``__salt__["cmd.run"]``."""
    table, key = key_of(field_of(node, "value")), node.child_by_field_name("subscript")
    if table is None or key is None or key.type != "string":
        return ""
    name = "".join(node_text(child) for child in key.named_children if child.type != "string_start")
    name = name.removesuffix(node_text(key.children[-1]))
    return f"{table}.{name}" if _DOTTED.fullmatch(name) else ""


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or member chain."""
    kind = node.type
    if kind == "identifier":
        return node_text(node) or None
    if kind == "attribute" and node.end_byte - node.start_byte <= MAX_KEY:
        text = node_text(node)
        return text if _CHAIN.fullmatch(text) else None
    return None
