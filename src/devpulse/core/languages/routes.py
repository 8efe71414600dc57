"""Routes that a call registers: the function they run, given on the spot or by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from devpulse.core.languages.folding import fold
from devpulse.core.languages.walk import fold_signature, last_row, node_text
from devpulse.core.symbols import Symbol

_FUNCTIONS = frozenset({"func_literal", "closure_expression"})
_NAME = re.compile(r"&?(?:[\w]+(?:\.|::))*(\w+)")


@dataclass(frozen=True, slots=True)
class Route:
    """``GET /x`` with the call that registers it and what it runs: a function or a name."""

    name: str
    call: Node
    handler: Node


def route_symbols(routes: Sequence[Route], symbols: Sequence[Symbol], source: bytes, path: str) -> list[Symbol]:
    """A symbol for each route: the call, when the function stands in it, else the named function of this file.

    A call that only names a function of another file gives none: its line would hide the function around it.
    """
    functions = {symbol.name: symbol for symbol in reversed(symbols) if symbol.kind in {"function", "method"}}
    result: list[Symbol] = []
    for route in routes:
        name = fold(route.name, 110)
        if route.handler.type in _FUNCTIONS:
            result.append(_on_the_spot(name, route, source, path))
            continue
        named = _NAME.fullmatch(node_text(source, route.handler)[:200])
        function = functions.get(named[1]) if named else None
        if function is not None:
            signature = fold_signature(node_text(source, route.call))
            result.append(replace(function, name=name, qualified_name=name, kind="route", signature=signature))
    return result


def _on_the_spot(name: str, route: Route, source: bytes, path: str) -> Symbol:
    body = route.handler.child_by_field_name("body")
    end = body.start_byte if body is not None else route.handler.end_byte
    text = source[route.call.start_byte : min(end, route.call.start_byte + 4000)]
    return Symbol(
        name=name,
        qualified_name=name,
        kind="route",
        path=path,
        start_line=route.call.start_point.row + 1,
        end_line=last_row(route.call) + 1,
        signature=fold_signature(text.decode("utf-8", errors="replace")),
        docstring="",
    )
