"""Definitions of languages whose declarations carry their annotations: found by a tree query, in one pass.

A query runs over the whole tree without recursion and gives only the nodes that matter, so expressions cost
nothing here, and what stands inside a broken part of a file is found as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from tree_sitter import Node, Query, QueryCursor

from devpulse.core.languages.damage import KindOf, repair
from devpulse.core.languages.walk import (
    COMMENT_LINES,
    SIGNATURE_LIMIT,
    comment_before,
    fold_signature,
    joined,
    last_row,
)
from devpulse.core.symbols import Symbol

DEPTH_LIMIT = 1000
"""Open brackets; a query takes time with the square of the depth, so what is deeper is only searched by line."""

_BRACKETS = b"([{)]}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)

_TEXTS = re.compile(rb'"""(?:[^"]|"(?!""))*+"""|@"(?:[^"]|"")*+"')
"""Strings that may stand on several lines: Java's and Kotlin's text blocks, C#'s raw and verbatim strings."""

_NOT_A_LINE_FEED = re.compile(rb"[^\n]")


@dataclass(frozen=True, slots=True)
class Owner:
    """The innermost definition around others: the names it lends them, its kind, the byte behind it."""

    names: tuple[str, ...] = ()
    kind: str = ""
    end: int = 0


@dataclass(frozen=True, slots=True)
class Declared:
    """One definition. ``body`` ends the signature (``None``: the node does); ``span`` counts as its place.

    An empty ``kind`` is no definition but a place for others, as an object without a name is.

    ``names`` are the qualified name, ``lent`` what stands before the names of those inside (``None``: ``names``).
    ``cut`` are bytes that are no part of the signature: annotations, other names of the same declaration.
    ``reach`` is the byte behind what stands inside, if that is not the node's end.
    """

    kind: str
    span: Node
    names: tuple[str, ...]
    body: Node | None = None
    lent: tuple[str, ...] | None = None
    cut: Sequence[tuple[int, int]] = ()
    reach: int | None = None


Describe = Callable[[Node, Owner, bytes], Iterable[Declared]]
"""``describe(node, owner, source)``: what a node defines; nothing, one thing, or several (``int a, b;``)."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one language declares. ``query`` captures ``@definition`` and ``@comment`` nodes.

    ``lines`` finds definition lines where the tree is broken, ``kind_of_line`` their kinds; ``documented``
    cleans a documentation comment; ``misread`` is a
    node that the grammar makes of some definitions at the top of a file, without an error.
    """

    query: Callable[[], Query]
    describe: Describe
    lines: Callable[[], re.Pattern[bytes]]
    kind_of_line: KindOf
    documented: Callable[[str], str]
    misread: str = ""


def extract_declared(path: str, root: Node, source: bytes, dialect: Dialect) -> tuple[Symbol, ...]:
    """The definitions in a tree, in source order."""
    if _depth(source) > DEPTH_LIMIT:
        return tuple(repair([], frozenset(), source, dialect.lines(), dialect.kind_of_line, path))
    captured = QueryCursor(dialect.query()).captures(root)
    comments = sorted(captured.get("comment", ()), key=attrgetter("start_byte"))
    starts = [comment.start_byte for comment in comments]
    found: list[Symbol] = []
    damaged: set[int] = set()
    around = [Owner(end=len(source) + 1)]
    for node in sorted(captured.get("definition", ()), key=lambda node: (node.start_byte, -node.end_byte)):
        while around[-1].end <= node.start_byte:
            around.pop()
        owner = around[-1]
        for declared in dialect.describe(node, owner, source):
            lent = declared.names if declared.lent is None else declared.lent
            around.append(Owner(lent, declared.kind or "object", declared.reach or node.end_byte))
            if not declared.kind:
                continue
            before = bisect_left(starts, declared.span.start_byte)
            leading = comments[max(0, before - COMMENT_LINES) : before]
            if node.has_error:
                damaged.add(len(found))
            documentation = dialect.documented(comment_before(source, declared.span, leading))
            found.append(_symbol(path, source, declared, _inside(declared, comments, starts), documentation))
    if root.has_error or any(child.type == dialect.misread for child in root.named_children):
        found = repair(found, damaged, _code(source, comments), dialect.lines(), dialect.kind_of_line, path)
    return tuple(sorted(found, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _depth(source: bytes) -> int:
    """How many brackets are open at most, those in strings included."""
    steps = (1 if byte in b"([{" else -1 for byte in source.translate(None, _OTHERS))
    return max(accumulate(steps), default=0)


def qualified(owner: Owner, *names: str) -> tuple[str, ...]:
    """The qualified name of a definition inside ``owner``."""
    return joined(owner.names, names)


def span_of(node: Node) -> tuple[int, int]:
    """The bytes of a node."""
    return node.start_byte, node.end_byte


def _symbol(path: str, source: bytes, declared: Declared, comments: Sequence[Node], documentation: str) -> Symbol:
    span = declared.span
    return Symbol(
        name=declared.names[-1],
        qualified_name=".".join(declared.names),
        kind=declared.kind,
        path=path,
        start_line=span.start_point.row + 1,
        end_line=last_row(span) + 1,
        signature=_signature(source, declared, comments),
        docstring=documentation,
    )


def _inside(declared: Declared, comments: Sequence[Node], starts: Sequence[int]) -> Sequence[Node]:
    """The comments within the signature."""
    end = declared.body.start_byte if declared.body is not None else declared.span.end_byte
    first = bisect_left(starts, declared.span.start_byte)
    return comments[first : bisect_left(starts, end, lo=first, hi=min(len(starts), first + COMMENT_LINES))]


def _signature(source: bytes, declared: Declared, comments: Sequence[Node]) -> str:
    """What stands before the body, on one line, without annotations and comments."""
    at = declared.span.start_byte
    end = declared.body.start_byte if declared.body is not None else declared.span.end_byte
    kept: list[bytes] = []
    for cut_from, cut_to in sorted([*declared.cut, *map(span_of, comments)]):
        if at <= cut_from < end:
            kept.append(source[at:cut_from])
            at = cut_to
    # A long rest is cut before it is decoded; four bytes make at most one character.
    kept.append(source[at : min(end, at + SIGNATURE_LIMIT * 40)])
    return fold_signature(b" ".join(kept).decode("utf-8", errors="replace"))


def _code(source: bytes, comments: Iterable[Node]) -> bytes:
    """The source with blank comments and long strings: prose must not look like a definition line."""
    kept: list[bytes] = []
    at = 0
    for comment in comments:
        if comment.start_byte >= at:
            kept += [source[at : comment.start_byte], _blank(source[comment.start_byte : comment.end_byte])]
            at = comment.end_byte
    kept.append(source[at:])
    return _TEXTS.sub(lambda match: _blank(match[0]), b"".join(kept))


def _blank(text: bytes) -> bytes:
    return _NOT_A_LINE_FEED.sub(b" ", text)
