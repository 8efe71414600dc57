"""Rewriting the lines of a hit: edits of single places inside them, everything else kept as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, walk
from devpulse.core.source import Source
from devpulse.core.syntax import parse
from devpulse.core.text import lines_of


@dataclass(frozen=True, slots=True)
class Edit:
    """A syntax node and the text that stands in its place afterwards."""

    node: Node
    text: str


def nodes_of(source: Source, hit: Hit, *types: str) -> Iterator[Node]:
    """The nodes of some types that lie wholly in the lines of a hit, in source order."""
    if source.language is None:
        return
    for node in walk(_around(parse(source.language, source.text).root_node, source.text, hit)):
        if node.type in types and hit.start_line <= line_of(node) and end_line_of(node) <= hit.end_line:
            yield node


def outermost_lines(source: Source, hit: Hit) -> tuple[int, int]:
    """The first and last line of the statement around a hit that stands in no other; of the file if there is none."""
    if source.language is None:
        return 1, source.text.count("\n") + 1
    root = parse(source.language, source.text).root_node
    node = _around(root, source.text, hit)
    while node.parent is not None and node.parent != root:
        node = node.parent
    return (line_of(node), end_line_of(node)) if node != root else (1, source.text.count("\n") + 1)


def _around(root: Node, text: str, hit: Hit) -> Node:
    """The smallest node that has all code of a hit's lines in it; what is between it and them belongs to no node."""
    rows = lines_of(text)[hit.start_line - 1 : hit.end_line]
    if not rows:
        return root
    start, end = len(rows[0]) - len(rows[0].lstrip()), len(rows[-1].rstrip().encode())
    return root.named_descendant_for_point_range((hit.start_line - 1, start), (hit.end_line - 1, end)) or root


def replaced_lines(source: Source, hit: Hit, edits: Sequence[Edit]) -> str | None:
    """The lines of a hit after edits that do not overlap; ``None`` when one of them reaches outside of the lines."""
    rows = [line.encode() for line in lines_of(source.text)[hit.start_line - 1 : hit.end_line]]
    for edit in sorted(edits, key=lambda item: item.node.start_byte, reverse=True):
        (first, column), (last, end) = edit.node.start_point, edit.node.end_point
        first, last = first + 1 - hit.start_line, last + 1 - hit.start_line
        if first < 0 or last >= len(rows):
            return None
        rows[first : last + 1] = [rows[first][:column] + edit.text.encode() + rows[last][end:]]
    return b"\n".join(rows).decode()


def has_comment(node: Node) -> bool:
    """Whether a comment stands inside a node: rewriting the node would lose it."""
    return any(inner.type == "comment" for inner in walk(node))


def only(found: Sequence[str]) -> str | None:
    """The one text there is; ``None`` when there is none, or a choice."""
    return found[0] if len(found) == 1 else None
