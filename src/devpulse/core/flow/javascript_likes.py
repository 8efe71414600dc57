"""Calls of Javascript that are told by a known call of another name."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.flow.operations import Argument
from devpulse.core.flow.syntax_nodes import node_text

_PATH_JOINS = frozenset(
    {
        "path.join",
        "path.posix.join",
        "path.win32.join",
        "pth.join",
        "Path.join",
        "nodePath.join",
        "p.join",
        "_path.join",
    }
)
_FORMATTING = frozenset({"util.format", "sprintf", "vsprintf", "printf.sprintf"})


def like_of(callee: str, given: tuple[Argument, ...]) -> str:
    """A known call whose result and proof a call shares.

    ``replace`` takes the first match only, unless its pattern is global, and what it puts in comes to the rest;
    ``util.format`` fills in a template; ``indexOf`` proves what ``includes`` does (``of_index``), ``path.join`` leaves
    no ``..`` inside, and ``new URL(path, base)`` may choose the host.
    """
    known = (
        "includes"
        if callee.endswith(".indexOf")
        else "node_join"
        if callee in _PATH_JOINS
        else "node_url"
        if callee == "URL" and len(given) == 2
        else ""
    )
    if known:
        return known
    if callee.endswith(".replace") and given and _text_of_pattern(given[0].node).startswith("^"):
        return ""
    if given and (callee in _FORMATTING or (callee == "format" and "%s" in node_text(given[0].node)[:400])):
        return "format_verbs"
    if not callee.endswith(".replace") or not given:
        return ""
    flags = given[0].node.child_by_field_name("flags")
    return "" if "g" in node_text(flags) else "concat"


def _text_of_pattern(node: Node) -> str:
    return node_text(node.child_by_field_name("pattern")) if node.type == "regex" else ""
