"""Which functions of a text are worth following: those from which something can come to a sink, and no others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.called_sinks import sinks_at
from devpulse.core.flow.definitions import WORD, Definition, Definitions
from devpulse.core.flow.neighbours import handed_on_at
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.flow.values import Level

MAX_ROUNDS = 30
"""Calls from function to function that are followed back from a sink; in longer chains every function is walked."""

_BUILDS = frozenset({"constructor", "initialize"})
"""Methods that are called by the name of their class, beside those whose names begin with two underscores."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The places of a text that matter, as numbers of bytes in order."""

    places: list[int]
    everything: bool = False

    def wants(self, node: Node) -> bool:
        """Whether anything in a node matters."""
        if self.everything:
            return True
        nearest = bisect_left(self.places, node.start_byte)
        return nearest < len(self.places) and self.places[nearest] < node.end_byte


def slice_of(language: str, root: Node, table: Definitions) -> Slice:
    """The sinks of a text, what is given to other files, and every mention of a function in which one of them is.

    A function without any of it can still be called by one that has some; it is evaluated then for that call.
    """
    text = node_text(root)
    definitions = list(table.by_node.values())
    handed_on = handed_on_at(language, text)
    places = {start + root.start_byte for start in _bytes_at(text, [*sinks_at(language, text), *handed_on])}
    places.update(item.node.start_byte for item in definitions if _answers(item, handing_on=bool(handed_on)))
    mentions = _mentions(text, root.start_byte, {name for item in definitions for name in _names_of(item)})
    for _ in range(MAX_ROUNDS):
        kept = Slice(sorted(places))
        reached = {name for item in definitions if kept.wants(item.node) for name in _names_of(item)}
        reached &= mentions.keys()
        if not reached:
            return kept
        for name in reached:
            places.update(mentions.pop(name))
    return Slice([], everything=True)


def _answers(item: Definition, *, handing_on: bool) -> bool:
    """Whether a function's result is sent to a browser, or it is given a request that may go to another file."""
    requested = handing_on and any(parameter.level is Level.REQUEST for parameter in item.function.parameters)
    return bool(item.function.answers) or requested


def _names_of(item: Definition) -> tuple[str, ...]:
    built = item.owner and (item.name in _BUILDS or item.name.startswith("__"))
    return (item.name, item.owner) if built else (item.name,)


def _mentions(text: str, first: int, names: set[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    words = [word for word in WORD.finditer(text) if word.group() in names]
    for word, place in zip(words, _bytes_at(text, [word.start() for word in words]), strict=True):
        found.setdefault(word.group(), []).append(first + place)
    return found


def _bytes_at(text: str, characters: Iterable[int]) -> list[int]:
    """Numbers of characters as numbers of bytes."""
    ordered = sorted(characters)
    if text.isascii():
        return ordered
    found, character, byte = [], 0, 0
    for place in ordered:
        byte += len(text[character:place].encode("utf-8", errors="replace"))
        character = place
        found.append(byte)
    return found
