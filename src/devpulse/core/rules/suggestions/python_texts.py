"""Texts that Python code puts together: f-strings, ``%``, ``str.format`` and ``+``, read as parts and written again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import node_text, parts_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.suggestions.built_texts import Part

_SIMPLE = frozenset({"identifier", "attribute", "subscript", "call"})
_FORMATTED = lazy(r"%%|%[sd]|%")
_FIELD = lazy(r"\{\{|\}\}|\{\d*\}|[{}]")
_PREFIX = lazy(r"[fF]?['\"]{1,3}")


def parts_of_text(node: Node) -> list[Part] | None:
    """The parts of an expression that is a text with values in it; ``None`` for any other, and where writing it again
    could change its meaning."""
    operands = _operands(node)
    parts: list[Part] = []
    for operand in operands:
        found = _of_operand(operand, alone=len(operands) == 1)
        if found is None:
            return None
        parts += found
    return parts


def _operands(node: Node) -> list[Node]:
    """What is put together by ``+`` or by standing side by side, from left to right."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        added = current.type == "binary_operator" and node_text(current.child_by_field_name("operator")) == "+"
        if added or current.type in ("concatenated_string", "parenthesized_expression"):
            waiting += reversed(parts_of(current)[:1] + parts_of(current)[-1:] if added else parts_of(current))
        else:
            found.append(current)
    return found


def _of_operand(node: Node, *, alone: bool) -> list[Part] | None:
    """A text, or, beside others, a value that must be one."""
    if node.type == "string":
        return _of_string(node)
    if node.type == "binary_operator":
        return _of_percent(node)
    if _is_format(node):
        return _of_format(node)
    if alone or node.type not in _SIMPLE:
        return None
    inner = _converted(node)
    return [Part(node_text(node), value=True, joined=True)] if inner is None else [Part(inner, value=True)]


def _converted(node: Node) -> str | None:
    """What ``str(...)`` is called with."""
    arguments = parts_of(node.child_by_field_name("arguments"))
    is_text = node.type == "call" and node_text(node.child_by_field_name("function")) == "str"
    return node_text(arguments[0]) if is_text and len(arguments) == 1 and arguments[0].type in _SIMPLE else None


def _of_string(node: Node) -> list[Part] | None:
    if not _PREFIX.fullmatch(node_text(node.children[0])):
        return None
    parts: list[Part] = []
    for child in node.children[1:-1]:
        if child.type == "string_content" and not child.named_children:
            parts.append(Part(node_text(child)))
        elif child.type == "interpolation" and _is_plain(child):
            parts.append(Part(node_text(child.named_children[0]), value=True))
        else:
            return None
    return parts


def _is_plain(interpolation: Node) -> bool:
    """Whether an interpolation is a simple expression without conversion, format or ``=``."""
    inner = interpolation.named_children
    return len(inner) == 1 and inner[0].type in _SIMPLE and len(interpolation.children) == 3


def _constant(node: Node) -> str | None:
    texts = [_of_string(operand) if operand.type == "string" else None for operand in _operands(node)]
    parts = [part for text in texts for part in text or ()]
    return None if None in texts or any(part.value for part in parts) else "".join(part.text for part in parts)


def _of_percent(node: Node) -> list[Part] | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or node_text(node.child_by_field_name("operator")) != "%":
        return None
    given = parts_of(right) if right.type == "tuple" else [right]
    return _filled(_constant(left), given, _FORMATTED, {"%%": "%"}, ("%s", "%d"))


def _of_format(node: Node) -> list[Part] | None:
    function = node.child_by_field_name("function")
    if function is None or not _is_format(node):
        return None
    given = parts_of(node.child_by_field_name("arguments"))
    owner = function.child_by_field_name("object")
    text = _constant(owner) if owner is not None else None
    numbered = re.findall(r"\{(\d+)\}", text or "")
    if numbered and numbered != [str(number) for number in range(len(given))]:
        return None
    fields = ("{}", *(f"{{{number}}}" for number in numbered))
    return _filled(text, given, _FIELD, {"{{": "{", "}}": "}"}, fields)


def _is_format(node: Node) -> bool:
    function = node.child_by_field_name("function")
    return (
        node.type == "call"
        and function is not None
        and node_text(function.child_by_field_name("attribute")) == "format"
        and (function.child_by_field_name("object") or function).type in ("string", "concatenated_string")
    )


def _filled(
    text: str | None, given: Sequence[Node], marks: re.Pattern[str], escaped: dict[str, str], fields: Sequence[str]
) -> list[Part] | None:
    """The constant parts of a format with the values of its fields between them."""
    if text is None or any(value.type not in _SIMPLE for value in given):
        return None
    parts, place, used = [], 0, 0
    for mark in marks.finditer(text):
        parts.append(Part(text[place : mark.start()]))
        place = mark.end()
        if mark.group() in escaped:
            parts.append(Part(escaped[mark.group()]))
        elif mark.group() in fields and used < len(given):
            parts.append(Part(node_text(given[used]), value=True))
            used += 1
        else:
            return None
    return [*parts, Part(text[place:])] if used == len(given) else None


def literal(text: str) -> str | None:
    """A string literal of a text without backslashes; ``None`` when no quotes fit it."""
    if "\\" in text or "\r" in text:
        return None
    quotes = ('"""', "'''") if "\n" in text else ('"', "'")
    return next((f"{quote}{text}{quote}" for quote in quotes if quote[0] not in text), None)


def expression(parts: Sequence[Part], *, text: bool) -> str | None:
    """An expression for one value with constant text around it; ``text`` asks for a text, whatever the value is."""
    if len(parts) == 1 and parts[0].value:
        return f"str({parts[0].text})" if text and not parts[0].joined else parts[0].text
    if not any(part.value for part in parts):
        return literal("".join(part.text for part in parts))
    if any(set(part.text) & set("\"'\\{}\n") for part in parts if not part.value):
        return None
    if any(set(part.text) & set('"\\{}\n#') for part in parts if part.value):
        return None
    return 'f"' + "".join(f"{{{part.text}}}" if part.value else part.text for part in parts) + '"'
