"""C's macros: one definition a ``#define`` that has a value or parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from tree_sitter import Node

from devpulse.core.languages.braces import is_within
from devpulse.core.languages.walk import Definition, Scope, fold_signature, node_text
from devpulse.core.symbols import Symbol

MACRO_NODES = frozenset({"preproc_def", "preproc_function_def"})
MACRO_KINDS = frozenset({"macro", "constant"})
MACRO_LIMIT = 20_000
"""Macros of one file."""

_DEFINE = re.compile(
    rb"^[ \t]*+#[ \t]*+define[ \t]++(\w++)(?:(\([^()\n]*+\))|[ \t]++(?=[^\s]))(?:[^\\\n]|\\(?:\r?\n)?)*+", re.MULTILINE
)


def macro_places(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[tuple[Definition, Node]]:
    """The macro of a node with its name's node; a name without a value guards a header and is none."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or (value is None and node.type == "preproc_def"):
        return []
    kind = "macro" if node.type == "preproc_function_def" else "constant"
    text = node_text(source, name)
    # Macros know no namespaces, and what a constant's value is must not travel with every search row.
    return [(Definition(text, kind, node, scope.unwrapped(), leading, value, qualified=(text,)), name)]


def more_macros(path: str, root: Node, source: bytes, known: AbstractSet[int]) -> Iterator[Symbol]:
    """The macros on other rows (from 0) than ``known``: in functions, and in branches blanked out for the parser."""
    row = at = 0
    for number, match in enumerate(_DEFINE.finditer(source)):
        if number >= MACRO_LIMIT:
            return
        row += source.count(b"\n", at, match.start(1))
        at = match.start(1)
        if row not in known and not is_within(root, match.start(1), ("comment", "string")):
            yield _macro(path, match, row)


def _macro(path: str, match: re.Match[bytes], row: int) -> Symbol:
    name = match[1].decode("utf-8", errors="replace")
    head = match.string[match.start() : match.end(2) if match[2] else match.end(1)]
    return Symbol(
        name=name,
        qualified_name=name,
        kind="macro" if match[2] else "constant",
        path=path,
        start_line=row + 1,
        end_line=row + 1 + match[0].count(b"\n"),
        signature=fold_signature(head.decode("utf-8", errors="replace")),
        docstring="",
    )
