"""What a Python expression is called: kept apart, since rules ask it of files whose data flow nobody follows."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import MAX_KEY, node_text


def callee_text(function: Node) -> str:
    """The dotted text of what is called; of a chain over calls only the last name, with a leading dot."""
    dotted = key_of(function)
    if dotted is not None:
        return dotted
    if function.type == "attribute":
        return "." + node_text(function.child_by_field_name("attribute"))
    if function.type != "subscript":
        return ""
    from devpulse.core.flow.python import named_function  # noqa: PLC0415  (rare, and slow to import)

    return named_function(function)


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or member chain."""
    if node.type == "identifier" or (node.type == "attribute" and node.end_byte - node.start_byte <= MAX_KEY):
        text = node_text(node)
        return text if re.fullmatch(r"[\w.]+", text) else None
    return None
