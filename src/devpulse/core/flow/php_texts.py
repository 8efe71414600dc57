"""Names and texts of PHP: keys of variables and members, and the parts of strings with values in them."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import MAX_KEY, node_text

_CHAINS = frozenset(
    {
        "member_access_expression", "nullsafe_member_access_expression", "scoped_property_access_expression",
        "class_constant_access_expression",
    }
)  # fmt: skip
_CALLS = frozenset({"member_call_expression", "scoped_call_expression"})
_GETTERS = (
    ("->getRequest()", "$request"),
    ("Drupal::request()", "$request"),
    ("Factory::getApplication()", "$app"),
)
"""Calls that give the request or the application, by their ends, with what they give."""

_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\$": "$"}
_LITERAL_PARTS = frozenset({"string_content", "nowdoc_string"})


def key_of(node: Node) -> str | None:
    """``$a.b.c`` for a variable or member chain, ``Foo.$b`` for a static one; classes go by their last name."""
    kind = node.type
    if kind in ("variable_name", "name", "relative_scope"):
        return node_text(node)
    if kind == "qualified_name":
        return node_text(node).rpartition("\\")[2]
    if kind in _CALLS:
        text = node_text(node) if node.end_byte - node.start_byte <= MAX_KEY else ""
        return next((key for ending, key in _GETTERS if text.endswith(ending)), None)
    if kind == "dynamic_variable_name":
        inner = node.named_children
        return f"${node_text(inner[0])}" if inner and inner[0].type == "name" else None
    if kind in _CHAINS and node.end_byte - node.start_byte <= MAX_KEY:
        text = (
            node_text(node)
            .replace("Factory::getApplication()", "$app")
            .replace("\\Drupal::request()", "$request")
            .replace("?->", ".")
            .replace("->", ".")
            .replace("::", ".")
            .rpartition("\\")[2]
        )
        return text if re.fullmatch(r"\$?\w+(?:\.\$?\w+)*", text) else None
    return None


def constant_text(node: Node) -> str | None:
    """The text of a literal: a string, a number, the bare key of ``"$row[key]"``."""
    if node.type in ("integer", "name"):
        return node_text(node)
    if node.type not in ("string", "encapsed_string"):
        return None
    parts = text_parts(node)
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def text_parts(node: Node) -> list[str | Node]:
    """What a string, heredoc or shell command consists of."""
    holder = node.child_by_field_name("value") or node
    source, start, position = holder.text or b"", holder.start_byte, holder.start_byte
    quoted = holder is node
    parts: list[str | Node] = []
    for child in holder.children:
        between = source[position - start : child.start_byte - start].decode("utf-8", errors="replace")
        if between:
            parts.append(between)
        if child.type in _LITERAL_PARTS:
            parts.append(node_text(child))
        elif child.type == "escape_sequence":
            text = node_text(child)
            parts.append(_ESCAPES.get(text, text))
        elif child.is_named and child.type not in ("heredoc_start", "heredoc_end", "comment"):
            parts.append(child)
        position = child.end_byte
    if not quoted:
        parts.append(source[position - start :].decode("utf-8", errors="replace"))
    return parts


def expressions_of(node: Node) -> list[Node]:
    """The values in a string."""
    return [part for part in text_parts(node) if not isinstance(part, str)]
