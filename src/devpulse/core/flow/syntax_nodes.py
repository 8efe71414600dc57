"""Small questions about syntax nodes, asked without recursion: code may be nested thousands deep."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node, Tree

MAX_KEY = 120
MAX_BREAK_DEPTH = 30
"""Levels of syntax between a ``break`` and its loop."""

_LOOP = re.compile(r"(?:for|foreach|while|until|do|enhanced_for|for_in)(?:_statement)?$")


def node_text(node: Node | None) -> str:
    """The source text of a node; empty for none."""
    return node.text.decode("utf-8", errors="replace") if node is not None and node.text is not None else ""


def short_text(node: Node | None, limit: int = 60) -> str:
    """The source text of a node on one line, cut at ``limit`` characters: for matching, never shown."""
    if node is None or node.text is None:
        return ""
    whole = node.text[: limit * 4].decode("utf-8", errors="replace")
    line = " ".join(whole.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def field_of(node: Node, name: str) -> Node:
    """A field that valid syntax always has; the node itself in broken code, which evaluates to nothing."""
    return node.child_by_field_name(name) or node


def parts_of(node: Node | None) -> list[Node]:
    """The named children that are no comments; nothing for no node."""
    return [child for child in node.named_children if not child.type.endswith("comment")] if node is not None else []


def line_of(node: Node) -> int:
    """The first line of a node, from 1."""
    return node.start_point[0] + 1


def end_line_of(node: Node) -> int:
    """The last line of a node, from 1."""
    return node.end_point[0] + 1


def breaks_loop(node: Node) -> bool:
    """Whether a ``break`` without a label leaves a loop, not the cases of a ``switch``."""
    around = node.parent if not node.named_children else None
    for _ in range(MAX_BREAK_DEPTH):
        if around is None or around.type.startswith("switch") or around.type.endswith("switch_statement"):
            return False
        if _LOOP.match(around.type):
            return True
        around = around.parent
    return False


def walk(root: Node | Tree) -> Iterator[Node]:
    """Every node below and including ``root``, in source order, with a cursor instead of recursion."""
    cursor = root.walk()
    depth = 0
    while True:
        node = cursor.node
        if node is not None:
            yield node
        if cursor.goto_first_child():
            depth += 1
            continue
        while depth and not cursor.goto_next_sibling():
            cursor.goto_parent()
            depth -= 1
        if not depth:
            return
