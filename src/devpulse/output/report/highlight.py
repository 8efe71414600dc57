"""Colours for code: the leaves of the syntax tree by what they are, in any language the product can parse.

The parser stack of the product is used and not a highlighter made of regular expressions: it is loaded already, and
hostile text cannot make it take more than time that grows with its size.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate

from tree_sitter import Node

from devpulse.core.languages import LANGUAGES
from devpulse.core.languages.parsing import parse_within_limit
from devpulse.errors import ParseLimitReached


class Look(StrEnum):
    """How a piece of code looks, as classes of the style sheet. PLAIN has none."""

    PLAIN = ""
    KEYWORD = "k"
    STRING = "s"
    COMMENT = "c"
    NUMBER = "n"
    CALL = "f"
    TYPE = "t"


Piece = tuple[str, Look]

_PREFIXES = {"php": "<?php "}
"""What a cut-out needs in front of it to be code at all."""

_COMMENT = re.compile("comment")
_STRING = re.compile("string|char_literal|character_literal|rune_literal|heredoc|nowdoc|regex|shebang")
_INSIDE = re.compile("interpolation|substitution|embedded")
_NUMBER = re.compile("integer|float|number|(?:int|decimal|hex|real|imaginary)\\w*_literal")
_WORDS = frozenset({"true", "false", "none", "null", "nil", "undefined", "this", "self", "super", "boolean_literal"})
_TYPE = re.compile("type_identifier|primitive_type|predefined_type|integral_type")
_CALLS = re.compile("call|invocation")


def highlighted(lines: Sequence[str], language: str | None) -> list[list[Piece]]:
    """Each line in pieces with their looks; plain where the language is unknown or too tangled to be parsed.

    The lines are a cut-out: what began before them, a comment say, cannot be known.
    """
    plain: list[list[Piece]] = [[(line, Look.PLAIN)] for line in lines]
    if language is None:
        return plain
    prefix = _PREFIXES.get(language, "").encode()
    encoded = [line.encode("utf-8", "replace") for line in lines]
    try:
        tree = parse_within_limit(LANGUAGES[language].grammar(), prefix + b"\n".join(encoded))
    except ParseLimitReached:
        return plain
    starts = [len(prefix), *accumulate((len(line) + 1 for line in encoded), initial=len(prefix))][1:-1]
    spans: list[list[tuple[int, int, Look]]] = [[] for _ in lines]
    for start, end, look in _looks(tree.root_node):
        _spread(spans, starts, encoded, (start, end, look))
    return [list(_pieces(line, of_line)) for line, of_line in zip(encoded, spans, strict=True)]


def _looks(root: Node) -> Iterator[tuple[int, int, Look]]:
    """Start, end and look of what has one, in order; of nested ones the inner come later."""
    pending = [(root, False)]
    while pending:
        node, in_string = pending.pop()
        kind = node.type
        if _COMMENT.search(kind):
            yield node.start_byte, node.end_byte, Look.COMMENT
            continue
        if node.is_named and _STRING.search(kind) and not in_string:
            yield node.start_byte, node.end_byte, Look.STRING
            in_string = True
        elif in_string and _INSIDE.search(kind):
            yield node.start_byte, node.end_byte, Look.PLAIN
            in_string = False
        if node.child_count:
            pending += [(child, in_string) for child in reversed(node.children)]
        elif not in_string and (look := _leaf(node)):
            yield node.start_byte, node.end_byte, look


def _leaf(node: Node) -> Look:
    kind = node.type
    if not node.is_named:
        return Look.KEYWORD if kind.replace("_", "").isalpha() else Look.PLAIN
    if kind in _WORDS:
        return Look.KEYWORD
    if _NUMBER.fullmatch(kind):
        return Look.NUMBER
    if _TYPE.fullmatch(kind):
        return Look.TYPE
    return Look.CALL if (kind == "name" or kind.endswith("identifier")) and _is_called(node) else Look.PLAIN


def _is_called(node: Node) -> bool:
    """Whether a name stands right before the arguments of a call."""
    parent = node.parent
    if parent is not None and not _CALLS.search(parent.type):  # the last name of a dotted one
        if parent.child_count and parent.children[-1].end_byte != node.end_byte:
            return False
        node, parent = parent, parent.parent
    if parent is None or not _CALLS.search(parent.type):
        return False
    after = node.next_sibling
    return after is not None and ("argument" in after.type or after.type == "(")


def _spread(
    spans: list[list[tuple[int, int, Look]]],
    starts: Sequence[int],
    lines: Sequence[bytes],
    span: tuple[int, int, Look],
) -> None:
    """Give every line its part of a span, in offsets of that line."""
    start, end, look = span
    for number in range(max(0, bisect_right(starts, start) - 1), len(starts)):
        if starts[number] >= end:
            return
        first, last = max(0, start - starts[number]), min(len(lines[number]), end - starts[number])
        if first < last:
            spans[number].append((first, last, look))


def _pieces(line: bytes, spans: Sequence[tuple[int, int, Look]]) -> Iterator[Piece]:
    looks = [Look.PLAIN] * len(line)
    for start, end, look in spans:
        looks[start:end] = [look] * (end - start)
    begin = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or looks[at] is not looks[begin]:
            yield line[begin:at].decode("utf-8", "replace"), looks[begin]
            begin = at
