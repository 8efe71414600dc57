"""Half-edited files of languages with braces: definitions that error recovery lost or stretched, found by their lines.

A missing brace makes a parser read the definitions below as part of the broken one. Their first lines still
stand where people put them, and a brace under a first line ends its body, so lines and indentation repair
what the tree says. Brace styles differ: an opening brace may stand on a line of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from tree_sitter import Node

from devpulse.core.languages.heads import Head
from devpulse.core.languages.walk import fold_signature
from devpulse.core.symbols import Symbol

SALVAGE_LIMIT = 2000
"""Definition lines looked at in one file; more means the file is not source code."""

_HOLDERS = frozenset({"class", "struct", "union", "trait", "interface", ""})
"""Kinds whose functions are methods; an implementation block has no kind of its own."""

_NO_HEADS = ("comment", "string", "preproc_arg")
_NO_CODE = (b"//", b"/*", b"*", b"#", b"[[", b"template")
"""How lines begin that belong to what stands below them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A symbol of the tree, the row (from 0) of its name, and whether its syntax has errors inside."""

    symbol: Symbol
    row: int
    damaged: bool


@dataclass(slots=True)
class _Block:
    head: Head
    row: int
    indent: int
    line: bytes
    owner: _Block | None
    last: int = 0
    next_row: int | None = None
    names: tuple[str, ...] = field(default=())


def repair(found: Sequence[Found], root: Node, source: bytes, heads: Iterable[Head], path: str) -> list[Symbol]:
    """Add what is missing, shorten what swallowed its neighbours, and give both their owners."""
    blocks = _blocks(source, list(islice(heads, SALVAGE_LIMIT)))
    at_row = {(item.row, item.symbol.name): item for item in found}
    kept: dict[int, Symbol] = {id(item): item.symbol for item in found}
    added: list[Symbol] = []
    spaces = [item.symbol for item in found if item.symbol.kind == "namespace"]
    for block in blocks:
        item = at_row.get((block.row, block.head.names[-1]))
        if item is not None:
            kept[id(item)] = _mended(item, block, spaces)
        elif block.head.kind and not is_within(root, block.head.offset, _NO_HEADS):
            added.append(_salvaged(block, path, spaces))
    owners = _moved(found, kept)
    return [*(_with_owner(item, kept[id(item)], owners) for item in found), *added]


def _blocks(source: bytes, heads: Sequence[Head]) -> list[_Block]:
    """The heads with the rows they cover. One pass over the lines: each row opens and closes what it must."""
    lines = source.split(b"\n")
    rows = _rows(lines, heads)
    blocks: list[_Block] = []
    open_blocks: list[_Block] = []
    unanswered: list[_Block] = []
    last_text = last_code = 0
    for row, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        head, indent = rows.get(row), _indent(line)
        if head is not None:
            _close(open_blocks, indent, last_code)
            while unanswered and unanswered[-1].indent >= indent:
                unanswered.pop().next_row = row
            block = _Block(head, row, indent, line, open_blocks[-1] if open_blocks else None, last=row)
            block.names = (*(block.owner.names if block.owner else ()), *head.names)
            blocks.append(block)
            unanswered.append(block)
            if not _is_whole(text):
                open_blocks.append(block)
        elif text.startswith(b"}"):
            _close(open_blocks, indent + 1, last_text)
            if open_blocks and open_blocks[-1].indent == indent:
                open_blocks.pop().last = row
        last_text = row
        if not text.startswith(_NO_CODE):
            last_code = row
    _close(open_blocks, 0, last_text)
    return blocks


def _close(open_blocks: list[_Block], indent: int, last: int) -> None:
    """End the blocks that are indented at least so far."""
    while open_blocks and open_blocks[-1].indent >= indent:
        open_blocks.pop().last = last


def _rows(lines: Sequence[bytes], heads: Sequence[Head]) -> dict[int, Head]:
    """The heads by row, the first of each row."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    rows: dict[int, Head] = {}
    for head in heads:
        rows.setdefault(bisect_right(starts, head.offset) - 1, head)
    return rows


def _indent(line: bytes) -> int:
    expanded = line[:200].expandtabs(8)
    return len(expanded) - len(expanded.lstrip(b" "))


def _is_whole(text: bytes) -> bool:
    """Whether a definition ends on its first line."""
    return text.endswith((b";", b"}")) and text.count(b"{") == text.count(b"}")


def is_within(root: Node, offset: int, kinds: Sequence[str]) -> bool:
    """Whether an offset is in a node whose type contains one of the words, as a comment or a string."""
    node = root.named_descendant_for_byte_range(offset, offset + 1)
    return node is not None and any(word in node.type for word in kinds)


def _salvaged(block: _Block, path: str, spaces: Sequence[Symbol]) -> Symbol:
    return Symbol(
        name=block.head.names[-1],
        qualified_name=_qualified(block, spaces),
        kind=_kind(block),
        path=path,
        start_line=block.row + 1,
        end_line=block.last + 1,
        signature=fold_signature(block.line[:4000].decode("utf-8", errors="replace")),
        docstring="",
    )


def _kind(block: _Block) -> str:
    inside = block.owner is not None and block.owner.head.kind in _HOLDERS
    return "method" if block.head.kind == "function" and inside else block.head.kind


def _qualified(block: _Block, spaces: Sequence[Symbol]) -> str:
    """The names of the lines around a line, below the namespace of the tree around it."""
    outer = block.names
    around = [space for space in spaces if space.start_line <= block.row < space.end_line]
    if around:
        # Of several that start on one line the inner ones come later.
        innermost = max(reversed(around), key=lambda space: space.start_line)
        outer = (innermost.qualified_name, *outer)
    return ".".join(outer)


def _mended(item: Found, block: _Block, spaces: Sequence[Symbol]) -> Symbol:
    symbol = item.symbol
    swallows = block.next_row is not None and block.next_row < symbol.end_line
    if item.damaged and swallows and symbol.start_line <= block.last + 1 < symbol.end_line:
        symbol = replace(symbol, end_line=block.last + 1)
    if block.owner is None and block.indent == 0:
        # What stands at the margin is in nothing but a namespace, whatever was left open above it.
        kind = "function" if symbol.kind == "method" and len(block.names) == 1 else symbol.kind
        return replace(symbol, qualified_name=_qualified(block, spaces), kind=kind)
    return symbol


def _moved(found: Sequence[Found], kept: Mapping[int, Symbol]) -> dict[str, tuple[int, str]]:
    """The shortened or moved symbols by their old qualified name: their last line, their new qualified name."""
    pairs = [(item.symbol, kept[id(item)]) for item in found]
    return {
        old.qualified_name: (new.end_line, new.qualified_name)
        for old, new in pairs
        if new.end_line < old.end_line or new.qualified_name != old.qualified_name
    }


def _with_owner(item: Found, symbol: Symbol, owners: Mapping[str, tuple[int, str]]) -> Symbol:
    """The symbol below its owner's new name, or below the owner's owner when it no longer stands in it."""
    names = item.symbol.qualified_name.split(".")
    if symbol.qualified_name != item.symbol.qualified_name:
        return symbol
    for cut in range(len(names) - 1, 0, -1):
        owner = ".".join(names[:cut])
        if owner in owners:
            last, renamed = owners[owner]
            base = renamed if symbol.start_line <= last else renamed.rpartition(".")[0]
            return replace(symbol, qualified_name=".".join(part for part in (base, *names[cut:]) if part))
    return symbol
