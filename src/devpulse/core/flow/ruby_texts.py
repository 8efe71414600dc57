"""Names and texts of Ruby: keys of variables and members, strings with values in them, heredocs."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import MAX_KEY, node_text

_NAMES = frozenset(
    {"identifier", "constant", "instance_variable", "class_variable", "global_variable", "self", "hash_key_symbol"}
)
_CHAIN = re.compile(r"(?:@{0,2}|\$)\w+(?:(?:\.|::)\w+)*")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\'": "'", '\\"': '"', "\\\\": "\\"}
_LITERAL_PARTS = frozenset({"string_content", "heredoc_content"})
_MAX_CLIMB = 24
_MAX_HEREDOCS = 5


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a variable or a chain of methods without arguments, ``A::B`` for a constant."""
    if node.type in _NAMES:
        return node_text(node)
    chain = node.type == "scope_resolution" or (
        node.type == "call"
        and node.child_by_field_name("arguments") is None
        and node.child_by_field_name("block") is None
    )
    if chain and node.end_byte - node.start_byte <= MAX_KEY:
        text = node_text(node).replace("&.", ".").removeprefix("::")
        return text if _CHAIN.fullmatch(text) else None
    return None


def constant_text(node: Node) -> str | None:
    """The text of a literal: a string, a symbol, a key of a hash, a number."""
    if node.type in ("integer", "hash_key_symbol", "bare_symbol"):
        return node_text(node)
    if node.type == "simple_symbol":
        return node_text(node)[1:]
    if node.type not in ("string", "delimited_symbol", "bare_string"):
        return None
    parts = text_parts(node)
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def text_parts(node: Node | None) -> list[str | Node]:
    """What a string, symbol, heredoc, regular expression or shell command consists of."""
    parts: list[str | Node] = []
    for child in node.named_children if node is not None else []:
        if child.type in _LITERAL_PARTS:
            parts.append(node_text(child))
        elif child.type == "escape_sequence":
            text = node_text(child)
            plain = node is not None and node.type == "regex"
            parts.append(text if plain else _ESCAPES.get(text, text))
        elif child.type not in ("heredoc_end", "comment"):
            parts.append(child)
    return parts


def pattern_parts(node: Node) -> list[str | Node]:
    """A regular expression. ``^`` and ``$`` are the ends of any line, which says nothing of the text."""
    parts = text_parts(node)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].removeprefix("^")
    if parts and isinstance(parts[-1], str) and not parts[-1].endswith("\\$"):
        parts[-1] = parts[-1].removesuffix("$")
    return parts


def body_of_heredoc(beginning: Node) -> Node | None:
    """The body that a ``<<~TEXT`` begins: it stands below the line, outside of the expression."""
    around: Node | None = beginning
    row = beginning.start_point[0]
    for _ in range(_MAX_CLIMB):
        if around is None or around.end_point[0] > row:
            break
        around = around.parent
    if around is None:
        return None
    name = node_text(beginning).lstrip("<~-").strip("'\"`")
    for _ in range(_MAX_HEREDOCS):
        point = (row + 1, 0)
        body: Node | None = around.descendant_for_point_range(point, point)
        for _ in range(_MAX_CLIMB):
            if body is None or body.type == "heredoc_body":
                break
            body = body.parent
        if body is None or body.type != "heredoc_body":
            return None
        if body.named_children and node_text(body.named_children[-1]).strip() == name:
            return body
        row = body.end_point[0]
    return None
