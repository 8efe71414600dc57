"""Functions that Python hands to a thread, a pool or a wrapper, which calls them with what it is given."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.called_sinks import HANDING, TARGETED, WRAPPING, is_sink
from devpulse.core.flow.operations import Argument, Call
from devpulse.core.flow.python_names import callee_text, key_of
from devpulse.core.flow.syntax_nodes import field_of, node_text

_BEHIND = {"run_in_executor": 1, "call_later": 1, "Timer": 1, "deferLater": 2}
"""How many arguments stand in front of the function."""

_PACKED = frozenset({"apply_async", "apply", "Timer", "starmap"})
"""What is given the function's arguments as one collection."""

_MAPPING = frozenset({"map", "imap", "imap_unordered", "map_async", "starmap"})
"""What calls a function with each of several values."""

_LISTS = frozenset({"tuple", "list"})
_DEFINED = re.compile(r"\bdef (\w{1,80})\(")


def handed_call(callee: str, listed: list[Argument]) -> Call | None:
    """The call that ``submit(function, value)`` and its like make of a sink or of a function of the file."""
    last = callee.rpartition(".")[2]
    if last not in HANDING:
        return None
    named = {item.keyword: item.node for item in listed if item.keyword is not None}
    plain = [item for item in listed if item.keyword is None][_BEHIND.get(last, 0) :]
    if last in TARGETED:
        plain = [Argument(named["target"])] if "target" in named else []
    key = key_of(plain[0].node) if plain else None
    if key is None or not _is_meant(key, plain[0].node):
        return None
    given = plain[1:]
    if last in _MAPPING:
        given = [_each(item) for item in given[:1]]
    if last in _PACKED:
        given = [part for item in given[:1] for part in _unpacked(item.node)]
    if "args" in named and (last in TARGETED or last in _PACKED):
        given = _unpacked(named["args"])
    own = last not in TARGETED and last not in _PACKED and last not in _MAPPING
    keywords = [item for item in listed if item.keyword is not None] if own else []
    return Call(key, plain[0].node.child_by_field_name("object"), (*given, *keywords))


def wrapped_call(function: Node, listed: list[Argument]) -> Call | None:
    """The call of a function through what makes it one that can be awaited: ``sync_to_async(function)(value)``."""
    inner = function.child_by_field_name("function") if function.type == "call" else None
    if inner is None or callee_text(inner).rpartition(".")[2] not in WRAPPING:
        return None
    nodes = field_of(function, "arguments").named_children
    key = key_of(nodes[0]) if nodes else None
    if key is None or not _is_meant(key, nodes[0]):
        return None
    before = [Argument(node) for node in nodes[1:] if node.type not in ("keyword_argument", "comment")]
    return Call(key, nodes[0].child_by_field_name("object"), (*before, *listed))


def _unpacked(node: Node) -> list[Argument]:
    """What a collection of arguments holds."""
    if node.type not in _LISTS:
        return [Argument(node, spread=True)]
    return [Argument(child) for child in node.named_children if child.type != "comment"]


def _each(item: Argument) -> Argument:
    """One of the values of a list, or all of them where they are not written there."""
    children = [child for child in item.node.named_children if child.type != "comment"]
    return Argument(children[0]) if item.node.type in _LISTS and children else Argument(item.node, spread=True)


def _is_meant(key: str, node: Node) -> bool:
    """Whether a name is that of a sink, or of a function of the same file."""
    while node.parent is not None:
        node = node.parent
    text = node_text(node)
    own, _, name = key.rpartition(".")
    return (own in ("", "self", "cls") and name in _defined(text)) or is_sink("python", text, key)


@lru_cache(maxsize=4)
def _defined(text: str) -> frozenset[str]:
    return frozenset(_DEFINED.findall(text))
