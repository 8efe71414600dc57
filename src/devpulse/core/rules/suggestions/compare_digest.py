"""A comparison of secrets in Python becomes one in constant time (https://docs.python.org/3/library/hmac.html)."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.rules.credentials import TIMING_WORDING
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.source import Source

_FUNCTIONS = {
    ("hmac", ""): ".compare_digest",
    ("secrets", ""): ".compare_digest",
    ("hmac", "compare_digest"): "",
    ("secrets", "compare_digest"): "",
    ("django.utils.crypto", "constant_time_compare"): "",
}
_SIMPLE = frozenset({"identifier", "attribute", "subscript", "call"})
_MAY_BE_NONE = ("get", "getenv")


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with the comparing function the file has imported already; both sides are kept as they are."""
    function = _function(source)
    if hit.title != TIMING_WORDING.title or function is None:
        return None
    found = list(nodes_of(source, hit, "comparison_operator"))
    equal = [node for node in found if node_text(node.child_by_field_name("operators")) in ("==", "!=")]
    return only([text for node in equal if (text := _compared(source, hit, node, function)) is not None])


def _function(source: Source) -> str | None:
    names = imported_names(source.language, source.text)
    found = ((bound, _FUNCTIONS.get((known.module, known.name))) for bound, known in names.items())
    return next((bound + rest for bound, rest in found if rest is not None), None)


def _compared(source: Source, hit: Hit, node: Node, function: str) -> str | None:
    sides = parts_of(node)
    operators = node.children_by_field_name("operators")
    if len(sides) != 2 or len(operators) != 1 or has_comment(node):
        return None
    if any(side.type not in _SIMPLE or _may_be_none(side) for side in sides):
        return None
    negation = "not " if node_text(operators[0]) == "!=" else ""
    text = f"{negation}{function}({', '.join(map(node_text, sides))})"
    return replaced_lines(source, hit, [Edit(node, text)])


def _may_be_none(side: Node) -> bool:
    """Whether a side is looked up without a default: the function refuses ``None``, which ``==`` takes."""
    called = node_text(side.child_by_field_name("function")).rpartition(".")[2] if side.type == "call" else ""
    return called in _MAY_BE_NONE and len(parts_of(side.child_by_field_name("arguments"))) == 1
