"""Half-edited files: definitions that error recovery lost or stretched, found again by line and indentation.

A missing bracket makes a parser read the following definitions as part of the broken one. People
still indent such code, so the indentation tells where each definition ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from devpulse.core.languages.walk import fold_signature
from devpulse.core.symbols import Symbol

SALVAGE_LIMIT = 2000
"""Definitions salvaged in one file; more means the file is not source code."""

_CLOSERS = (b")", b"]", b"}")
_DECORATOR = re.compile(rb"\s*(?:@(?!@?\w+[ \t]*(?:[|&+*/-]{0,2}=|<<))|#\[|\[[\w.]+(?:\(.*\))?\]\s*$)")
"""A line above a definition that belongs to it; one in square brackets is C#'s,
``@x = 1`` is no decorator but a variable of Ruby's."""

_ENDS = re.compile(rb"(?:end|ensure|else)$|rescue(?:$|[ ](?!=[^>]))")
"""Ruby's lines under the first row of a block that still belong to it."""

_VALUES = frozenset({"constant", "variable", "property", "alias"})
_TYPES = frozenset({"class", "module", "interface", "enum", "record", "struct", "object", "annotation", "trait"})


@dataclass(frozen=True, slots=True)
class Block:
    """A definition line and the rows (from 0) that its indentation covers; ``top`` is its first decorator's."""

    name: str
    top: int
    first: int
    last: int
    line: bytes


KindOf = Callable[[bytes], str]
"""The kind of a definition, from its first line."""


def repair(
    symbols: Sequence[Symbol],
    damaged: AbstractSet[int],
    source: bytes,
    names: re.Pattern[bytes],
    kind_of: KindOf,
    path: str,
) -> list[Symbol]:
    """Add what is missing and shorten what swallowed its neighbours; only for trees with errors.

    ``damaged`` are the positions in ``symbols`` whose syntax has errors inside; the others keep their spans.
    """
    by_name: dict[str, list[tuple[int, int]]] = {}
    for at, symbol in sorted(enumerate(symbols), key=lambda pair: pair[1].start_line):
        by_name.setdefault(symbol.name, []).append((symbol.start_line - 1, at))
    repaired = list(symbols)
    added: list[Symbol] = []
    previous = -1
    for block in _blocks(source, names):
        named = by_name.get(block.name, [])
        last = bisect_right(named, (block.first, len(symbols))) - 1
        # Its decorators may stand above the line, but no other definition's line stands between.
        if last < 0 or named[last][0] <= previous:
            added.append(_salvaged(block, path, kind_of(block.line)))
        elif (at := named[last][1]) in damaged:
            repaired[at] = _trimmed(symbols[at], block)
        previous = block.first
    lines = source.split(b"\n")

    def place(symbol: Symbol) -> tuple[int, int, int]:
        # Of definitions on one line the outer one comes first.
        word = re.escape(symbol.name.encode("utf-8", errors="replace"))
        found = re.search(rb"(?<!\w)" + word + rb"(?!\w)", lines[symbol.start_line - 1])
        return symbol.start_line, -symbol.end_line, found.start() if found else -1

    ordered = sorted([*repaired, *added], key=place)
    return _with_owners(ordered, {id(symbol) for symbol in added}, _new_ends(symbols, repaired))


def _new_ends(symbols: Sequence[Symbol], repaired: Sequence[Symbol]) -> dict[str, int]:
    """The last lines of shortened symbols by qualified name: what stands below is no longer theirs."""
    pairs = zip(symbols, repaired, strict=True)
    return {old.qualified_name: new.end_line for old, new in pairs if new.end_line < old.end_line}


def _trimmed(symbol: Symbol, block: Block) -> Symbol:
    line = block.line.rstrip()
    whole = line.endswith((b":", b"{"))
    return replace(
        symbol,
        end_line=min(symbol.end_line, block.last + 1),
        signature=fold_signature(line.decode("utf-8", errors="replace")) if whole else symbol.signature,
    )


def _blocks(source: bytes, names: re.Pattern[bytes]) -> list[Block]:
    lines = source.split(b"\n")
    blocks: list[Block] = []
    row, at = 0, 0
    for match in names.finditer(b"\n" + source):
        if len(blocks) >= SALVAGE_LIMIT:
            break
        group = match.lastindex
        if group is None:
            continue
        begin = match.start(group) - 1
        row += source.count(b"\n", at, begin)
        at = begin
        name = match.group(group).decode("utf-8", errors="replace")
        blocks.append(Block(name, _decorated_from(lines, row), row, block_end(lines, row), lines[row]))
    return blocks


def block_end(lines: Sequence[bytes], row: int) -> int:
    """The last row of the block that starts at ``row``: deeper rows, and brackets under its first one."""
    indent = _indent(lines[row])
    last = row
    for at in range(row + 1, len(lines)):
        text = lines[at].strip()
        if not text:
            continue
        if _indent(lines[at]) > indent:
            last = at
        elif _indent(lines[at]) == indent and (text.startswith(_CLOSERS) or text == b"{"):
            last = at
            if text.startswith(b"}"):
                break
        elif _indent(lines[at]) == indent and (end := _ENDS.match(text)):
            last = at
            if end[0] == b"end":
                break
        else:
            break
    return last


def _decorated_from(lines: Sequence[bytes], row: int) -> int:
    indent = _indent(lines[row])
    while row > 0 and _DECORATOR.match(lines[row - 1]) and _indent(lines[row - 1]) == indent:
        row -= 1
    return row


def _indent(line: bytes) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip(b" "))


def _salvaged(block: Block, path: str, kind: str) -> Symbol:
    text = block.line.decode("utf-8", errors="replace")
    return Symbol(
        name=block.name,
        qualified_name=block.name,
        kind=kind,
        path=path,
        start_line=block.top + 1,
        end_line=block.last + 1,
        signature=fold_signature(text),
        docstring="",
    )


def _with_owners(symbols: Sequence[Symbol], salvaged: AbstractSet[int], new_ends: Mapping[str, int]) -> list[Symbol]:
    """Qualify by the symbols around them, which come first: salvaged names, names without an owner inside a salvaged
    symbol, and names whose owner was shortened to end above them.
    """
    around: list[tuple[str, Symbol]] = []
    lost: set[str] = set()
    result: list[Symbol] = []
    for symbol in symbols:
        while around and around[-1][1].end_line < symbol.end_line:
            around.pop()
        old_owner = symbol.qualified_name[: -len(symbol.name) - 1]
        adrift = id(symbol) in salvaged or symbol.start_line > new_ends.get(old_owner, symbol.start_line)
        follows = bool(around) and (around[-1][0] == old_owner or (not old_owner and around[-1][0] in lost))
        owned = _owned(symbol, around[-1][1] if around else None) if adrift or follows else symbol
        result.append(owned)
        if symbol.kind not in _VALUES:
            around.append((symbol.qualified_name, owned))
            if id(symbol) in salvaged:
                lost.add(symbol.qualified_name)
    return result


def _owned(symbol: Symbol, owner: Symbol | None) -> Symbol:
    if owner is None:
        return replace(symbol, qualified_name=symbol.name)
    kind = "method" if symbol.kind == "function" and owner.kind in _TYPES else symbol.kind
    return replace(symbol, qualified_name=f"{owner.qualified_name}.{symbol.name}", kind=kind)
