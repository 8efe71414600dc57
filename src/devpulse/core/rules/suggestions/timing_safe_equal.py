"""A comparison of secrets in JavaScript becomes one in constant time
(https://nodejs.org/api/crypto.html#cryptotimingsafeequala-b).
"""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text
from devpulse.core.imports import imported_names
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import TIMING_WORDING
from devpulse.core.rules.suggestions.editing import Edit, nodes_of, only, replaced_lines
from devpulse.core.source import Source

_SIDE = lazy(r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[[\"'][\w-]+[\"']\])*")


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with ``timingSafeEqual`` of the imported module. It refuses buffers of different lengths, so these are
    compared first, and UTF-16 makes as many bytes of as many characters.
    """
    if hit.title != TIMING_WORDING.title:
        return None
    names = imported_names(source.language, source.text)
    module = next((bound for bound, known in names.items() if (known.module, known.name) == ("crypto", "")), None)
    if module is None:
        return None
    found = nodes_of(source, hit, "binary_expression")
    return only([text for node in found if (text := _compared(source, hit, node, module)) is not None])


def _compared(source: Source, hit: Hit, node: Node, module: str) -> str | None:
    left, right = node_text(field_of(node, "left")), node_text(field_of(node, "right"))
    operator = node_text(field_of(node, "operator"))
    if operator not in ("==", "===", "!=", "!==") or not _SIDE.fullmatch(left) or not _SIDE.fullmatch(right):
        return None
    buffers = ", ".join(f'Buffer.from({side}, "utf16le")' for side in (left, right))
    same = f"{_length(left)} === {_length(right)} && {module}.timingSafeEqual({buffers})"
    if operator.startswith("!"):
        same = f"!({same})"
    elif node.parent is None or node.parent.type not in ("parenthesized_expression", "variable_declarator"):
        same = f"({same})"
    return replaced_lines(source, hit, [Edit(node, same)])


def _length(side: str) -> str:
    return f"{side}?.length"
