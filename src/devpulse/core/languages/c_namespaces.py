"""Namespaces of broken C++ that the tree has lost: found again by their lines and braces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from devpulse.core.languages.braces import Found
from devpulse.core.languages.walk import NESTING_LIMIT, fold_signature
from devpulse.core.symbols import Symbol

_NO_CODE = re.compile(rb"//[^\n]*+|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'", re.DOTALL)
_NOT_A_LINE_FEED = re.compile(rb"[^\n]")
_BRACE = re.compile(rb"\bnamespace\b[ \t]*+([\w:]*+)[ \t\r\n]*+\{|[{}]")


@dataclass(frozen=True, slots=True)
class _Space:
    """A namespace by its lines: all its names, how many its own line gives, the rows (from 0) it covers."""

    names: tuple[str, ...]
    own: int
    first: int
    last: int


def with_lost_namespaces(found: Sequence[Found], source: bytes, path: str) -> list[Found]:
    """The symbols of a broken tree, those inside lost namespaces named after them, and the namespaces themselves."""
    known = {(item.row, item.symbol.name) for item in found if item.symbol.kind == "namespace"}
    spaces = [space for space in _spaces(source) if space.own]
    lost = [space for space in spaces if (space.first, space.names[-1]) not in known]
    if not lost:
        return list(found)
    lines = source.split(b"\n")
    named = list(_named_after(sorted(found, key=lambda item: item.row), spaces, {id(space) for space in lost}))
    return [*named, *(Found(_symbol(space, lines[space.first], path), space.first, damaged=False) for space in lost)]


def _named_after(found: Sequence[Found], spaces: Sequence[_Space], lost: AbstractSet[int]) -> Iterator[Found]:
    """Symbols, in the order of their rows, with the names in front that the tree does not know around them."""
    around: list[_Space] = []
    coming = 0
    for item in found:
        while coming < len(spaces) and spaces[coming].first < item.row:
            around.append(spaces[coming])
            coming += 1
        while around and around[-1].last < item.row:
            around.pop()
        is_lost = any(id(space) in lost for space in around[-NESTING_LIMIT:])
        yield _below(item, around[-1].names) if is_lost else item


def _below(item: Found, outer: tuple[str, ...]) -> Found:
    names = tuple(item.symbol.qualified_name.split("."))
    known = next(count for count in range(len(outer), -1, -1) if names[:count] == outer[len(outer) - count :])
    qualified = (*outer[: len(outer) - known], *names)[: NESTING_LIMIT + 1]
    return replace(item, symbol=replace(item.symbol, qualified_name=".".join(qualified)))


def _spaces(source: bytes) -> list[_Space]:
    """The namespaces of a text, the outer ones first; one that nothing closes ends with the text."""
    code = _NO_CODE.sub(lambda match: _NOT_A_LINE_FEED.sub(b" ", match[0]), source)
    spaces: list[_Space] = []
    # Of each open brace: the position in ``spaces`` (-1: no namespace's), the column of its line.
    opened: list[tuple[int, int]] = []
    names: list[str] = []
    row = at = column = 0
    rows = code.rstrip().count(b"\n")
    for match in _BRACE.finditer(code):
        passed = code.count(b"\n", at, match.start())
        if passed or not at:
            start = code.rfind(b"\n", 0, match.start()) + 1
            column = len(code[start : match.start()]) - len(code[start : match.start()].lstrip())
        row, at = row + passed, match.start()
        if match[0] == b"}":
            if opened and (opened[-1][0] < 0 or column <= opened[-1][1] or spaces[opened[-1][0]].first == row):
                closed, _ = opened.pop()
                if closed >= 0:
                    spaces[closed] = replace(spaces[closed], last=row)
                    del names[len(names) - spaces[closed].own :]
        elif match[1] is None:
            opened.append((-1, column))
        else:
            own = [part.decode("utf-8", errors="replace") for part in match[1].split(b"::") if part]
            names += own
            opened.append((len(spaces), column))
            spaces.append(_Space(tuple(names[: NESTING_LIMIT + 1]), len(own), row, rows))
    return spaces


def _symbol(space: _Space, line: bytes, path: str) -> Symbol:
    return Symbol(
        name=space.names[-1],
        qualified_name=".".join(space.names),
        kind="namespace",
        path=path,
        start_line=space.first + 1,
        end_line=space.last + 1,
        signature=fold_signature(line[:4000].decode("utf-8", errors="replace")),
        docstring="",
    )
