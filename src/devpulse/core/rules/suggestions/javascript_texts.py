"""Texts that JavaScript code puts together: template strings and ``+``, read as parts and written again."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import node_text, parts_of
from devpulse.core.rules.suggestions.built_texts import Part

_SIMPLE = frozenset({"identifier", "member_expression", "subscript_expression", "call_expression"})


def parts_of_text(node: Node) -> list[Part] | None:
    """The parts of an expression that is a text with values in it; ``None`` for any other, and where writing it again
    could change its meaning."""
    found: list[Part] = []
    for operand in _operands(node):
        if operand.type in ("string", "template_string"):
            parts = _of_string(operand)
            if parts is None:
                return None
            found += parts
        elif operand.type in _SIMPLE and operand.id != node.id and found:
            found.append(Part(node_text(operand), value=True))
        else:
            return None
    return found


def _operands(node: Node) -> list[Node]:
    """What is put together by ``+``, from left to right."""
    operands: list[Node] = []
    while node.type == "binary_expression" and node_text(node.child_by_field_name("operator")) == "+":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            break
        operands.append(right)
        node = left
    return [node, *reversed(operands)]


def _of_string(node: Node) -> list[Part] | None:
    parts = []
    for child in node.named_children:
        inner = parts_of(child)
        if child.type == "string_fragment":
            parts.append(Part(node_text(child)))
        elif child.type == "template_substitution" and len(inner) == 1 and inner[0].type in _SIMPLE:
            parts.append(Part(node_text(inner[0]), value=True))
        else:
            return None
    return parts


def literal(text: str) -> str | None:
    """A string literal of a text without backslashes; ``None`` when no quotes fit it."""
    if "\\" in text or "\r" in text:
        return None
    if "\n" in text:
        return None if "`" in text or "${" in text else f"`{text}`"
    return next((f"{quote}{text}{quote}" for quote in ('"', "'") if quote not in text), None)


def expression(parts: Sequence[Part], *, text: bool) -> str | None:
    """An expression for one value with constant text around it; ``text`` asks for a text, whatever the value is."""
    if len(parts) == 1 and parts[0].value:
        return f"String({parts[0].text})" if text else parts[0].text
    if not any(part.value for part in parts):
        return literal("".join(part.text for part in parts))
    if any(set(part.text) & set("`\\$\n") for part in parts if not part.value):
        return None
    if any(set(part.text) & set("`\\\n") for part in parts if part.value):
        return None
    return "`" + "".join(f"${{{part.text}}}" if part.value else part.text for part in parts) + "`"
