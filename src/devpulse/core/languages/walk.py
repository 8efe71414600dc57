"""Walking a syntax tree without recursion, and the small text work every extractor shares."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from devpulse.core.languages.folding import fold
from devpulse.core.symbols import Symbol

SIGNATURE_LIMIT = 200
"""Characters of a signature; longer parameter lists say nothing more to a reader."""

DOCSTRING_LIMIT = 300
"""Characters of a docstring's first paragraph."""

COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
DECORATORS = frozenset({"decorator", "attribute_item", "attribute_list"})

LEADING = COMMENTS | DECORATORS
"""Nodes that belong to the definition after them."""

NESTING_LIMIT = 20
"""Names in a qualified name; deeper nesting is generated or hostile, and its names would grow with its square."""

LINE_START = 1000
"""Bytes looked back to see whether a comment stands on a line of its own."""

COMMENT_LINES = 50
"""Comments and decorators looked at above a definition; the docstring is cut far earlier."""

_PARAGRAPH_END = re.compile(r"\n[ \t]*(?:\n|@\w)|^[ \t]*@\w")
_COMMENT_FRAME = re.compile(
    r"^[ \t]*(?:/\*+!?|\*+/?(?!\S*\*)|//[/!]?|#+:?)[ \t]?|^=(?:begin|end)\b[ \t]*|[ \t]*\*+/[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the walk is: the names around it and what the innermost of them is.

    ``wrapper`` is the statement around the coming definition (an export, a decorated definition)
    whose span counts as the definition's; ``leading`` are the comments and decorators before it.
    """

    names: tuple[str, ...] = ()
    holder: str = ""
    wrapper: Node | None = None
    leading: tuple[Node, ...] = ()

    def enter(self, name: str, holder: str) -> Scope:
        """The scope inside a definition called ``name``."""
        return Scope(joined(self.names, (name,)), holder)

    def wrapped_in(self, node: Node, leading: Sequence[Node]) -> Scope:
        """The scope for the definition inside a wrapping statement; an outer wrapper stays the outermost."""
        if self.wrapper is not None:
            return self
        return replace(self, wrapper=node, leading=tuple(leading))

    def unwrapped(self) -> Scope:
        """The same place without the wrapping statement."""
        return self if self.wrapper is None else Scope(self.names, self.holder)


def joined(names: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Qualified name parts, the outermost ``NESTING_LIMIT`` of the enclosing ones."""
    return (*names[:NESTING_LIMIT], *more)


@dataclass(frozen=True, slots=True)
class Definition:
    """What an extractor knows about one definition.

    ``body`` ends the signature (``None``: nothing follows it). ``end`` is the node whose end counts, when
    it is not ``node``. ``qualified`` replaces the names of the scope and ``name``.
    """

    name: str
    kind: str
    node: Node
    scope: Scope
    leading: Sequence[Node]
    body: Node | None
    docstring: str | None = None
    qualified: tuple[str, ...] | None = None
    end: Node | None = None


Visitor = Callable[[Node, Sequence[Node], Scope], Scope | None]
"""``visit(node, leading, scope)`` gives the scope for the node's children, or ``None`` to skip them."""


def walk(root: Node, visit: Visitor, telling: Sequence[Node] | None = None) -> None:
    """Visit all named nodes below ``root``. Depth is bounded by memory, not by the interpreter's stack.

    ``telling``: the nodes that a visitor makes something of, in the order of the text; what has none is passed over.
    """
    starts = [node.start_byte for node in telling or ()]

    def tells(node: Node) -> bool:
        nearest = bisect_left(starts, node.start_byte)
        return nearest < len(starts) and starts[nearest] < node.end_byte

    pending = [(root, Scope())]
    while pending:
        node, scope = pending.pop()
        leading: list[Node] = []
        for child in node.named_children:
            if child.type in LEADING:
                leading.append(child)
                continue
            if telling is None or tells(child):
                inner = visit(child, leading, scope)
                if inner is not None and child.named_child_count:
                    pending.append((child, inner))
            if leading:
                leading = []


def make_symbol(path: str, source: bytes, definition: Definition) -> Symbol:
    """Turn what was found into a symbol: span from its first decorator, one-line signature, docstring."""
    outer = definition.scope.wrapper or definition.node
    leading = definition.scope.leading if definition.scope.wrapper else definition.leading
    start = min([outer, *(node for node in leading if node.type in DECORATORS)], key=lambda node: node.start_byte)
    docstring = definition.docstring or comment_before(source, start, leading)
    qualified = definition.qualified or joined(definition.scope.names, (definition.name,))
    return Symbol(
        name=definition.name,
        qualified_name=".".join(qualified),
        kind=definition.kind,
        path=path,
        start_line=start.start_point.row + 1,
        end_line=last_row(definition.end or outer) + 1,
        signature=_signature(source, outer, definition),
        docstring=docstring,
    )


def last_row(node: Node) -> int:
    """The last row (from 0) with text of the node; an end at column 0 belongs to the row before."""
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


def node_text(source: bytes, node: Node) -> str:
    """The text of a node."""
    return source[node.start_byte : node.end_byte].decode("utf-8", errors="replace")


def fold_signature(text: str) -> str:
    """A signature on one line, without the gaps and the last comma of a parameter list over several lines."""
    folded = " ".join(text.split())
    folded = re.sub(r"([(\[]) ", r"\1", folded)
    folded = re.sub(r",? ([)\]])", r"\1", folded)
    return fold(folded.rstrip(" {:;"), SIGNATURE_LIMIT)


def first_paragraph(text: str) -> str:
    """The first paragraph of documentation, folded; it ends at a blank line or a ``@tag``."""
    body = text.strip("\n \t\r").replace("\r\n", "\n")
    found = _PARAGRAPH_END.search(body)
    return fold(body[: found.start()] if found else body, DOCSTRING_LIMIT)


def comment_before(source: bytes, node: Node, leading: Sequence[Node]) -> str:
    """The first paragraph of the comment directly above ``node``, or empty."""
    block: list[str] = []
    below = node
    for comment in reversed(leading[-COMMENT_LINES:]):
        if comment.type not in COMMENTS or comment.end_byte > node.start_byte:
            continue
        gap = source[comment.end_byte : below.start_byte]
        # A documentation comment still belongs to the code after one blank line; any other comment may not.
        line_feeds = 2 if source.startswith(b"/**", comment.start_byte) else 1
        # Only the near part of a long line is looked at; indentation is never that deep.
        line_start = source.rfind(b"\n", max(0, comment.start_byte - LINE_START), comment.start_byte) + 1
        before = source[line_start or max(0, comment.start_byte - LINE_START) : comment.start_byte]
        own_line = not before.strip(b" \t\xef\xbb\xbf")
        if gap.strip() or gap.count(b"\n") > line_feeds or not own_line:
            break
        text = node_text(source, comment).rstrip()
        block.insert(0, text)
        below = comment
        if text.startswith("/*"):
            break
    return first_paragraph(_COMMENT_FRAME.sub("", "\n".join(block)))


def _signature(source: bytes, outer: Node, definition: Definition) -> str:
    decorators = [
        child for node in (outer, definition.node) for child in node.named_children if child.type in DECORATORS
    ]
    start = max([outer.start_byte, *(node.end_byte for node in decorators)])
    end = definition.body.start_byte if definition.body else definition.node.end_byte
    # A long body is cut before it is decoded; four bytes make at most one character.
    end = min(end, start + SIGNATURE_LIMIT * 40)
    parameters = definition.node.child_by_field_name("parameters")
    kept, at = [], start
    for child in parameters.named_children if parameters else ():
        if child.type in COMMENTS and at <= child.start_byte < end:
            kept.append(source[at : child.start_byte])
            at = child.end_byte
    kept.append(source[at:end])
    return fold_signature(b"".join(kept).decode("utf-8", errors="replace"))
