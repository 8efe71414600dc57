"""Which functions of a text are worth following: those from which something can come to a sink, and no others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.called_sinks import Kinds, sinks_at
from devpulse.core.flow.definitions import WORD, Definition, Definitions
from devpulse.core.flow.neighbours import handed_on_at, inputs_at
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.flow.values import Level
from devpulse.core.text import bytes_at

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


def slice_of(language: str, root: Node, table: Definitions, wanted: Kinds) -> Slice:
    """The wanted sinks of a text, what is given to other files, and every mention of a function that has one of them.

    A function without any of it can still be called by one that has some; it is evaluated then for that call.
    """
    text, first = node_text(root), root.start_byte
    definitions = list(table.by_node.values())
    mentions = _mentions(text, first, {name for item in definitions for name in _names_of(item)})
    places = {first + place for place in bytes_at(text, sinks_at(language, text, wanted))}
    places.update(item.node.start_byte for item in definitions if item.function.answers)
    handed_on = [first + place for place in bytes_at(text, handed_on_at(language, text))]
    if handed_on:
        inputs = [[first + place for place in bytes_at(text, inputs_at(text, read=read))] for read in (False, True)]
        inputs[0] += [item.node.start_byte for item in definitions if _is_requested(item)]
        places.update(_with_input(definitions, mentions, handed_on, inputs[0], inputs[1]))
    for _ in range(MAX_ROUNDS):
        kept = Slice(sorted(places))
        reached = {name for item in definitions if kept.wants(item.node) for name in _names_of(item)}
        reached &= mentions.keys()
        if not reached:
            return kept
        for name in reached:
            places.update(mentions.pop(name))
    return Slice([], everything=True)


def _with_input(
    definitions: list[Definition],
    mentions: Mapping[str, list[int]],
    handed_on: list[int],
    inputs: list[int],
    read: list[int],
) -> list[int]:
    """Those of the calls into other files that can be given input: by a function that has some, or by one that is
    connected with such a one by any calls. What stands in no function with a name may have some from anywhere.
    """
    functions = _Outermost(definitions)
    groups = _Groups(len(functions.starts) + 1)
    for item in definitions:
        own = functions.of(item.node.start_byte)
        for name in _names_of(item):
            for place in mentions.get(name, ()):
                other = functions.of(place)
                if other != functions.outside:
                    groups.join(own, other)
    with_input = {groups.find(functions.of(place)) for place in inputs}
    anywhere = any(functions.of(place) == functions.outside for place in read)
    return [place for place in handed_on if anywhere or groups.find(functions.of(place)) in with_input]


class _Outermost:
    """The functions that stand in no other, by places; ``outside`` is the number of what stands in none."""

    def __init__(self, definitions: list[Definition]) -> None:
        self.starts: list[int] = []
        self._ends: list[int] = []
        for item in sorted(definitions, key=lambda item: (item.node.start_byte, -item.node.end_byte)):
            if not self._ends or item.node.start_byte >= self._ends[-1]:
                self.starts.append(item.node.start_byte)
                self._ends.append(item.node.end_byte)
        self.outside = len(self.starts)

    def of(self, place: int) -> int:
        """The number of the function around a place."""
        number = bisect_right(self.starts, place) - 1
        return number if number >= 0 and place < self._ends[number] else self.outside


class _Groups:
    """Numbers that are joined into groups."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def find(self, number: int) -> int:
        """The number that stands for a group."""
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Make the groups of two numbers one."""
        self._parents[self.find(one)] = self.find(other)


def _is_requested(item: Definition) -> bool:
    return any(parameter.level is Level.REQUEST for parameter in item.function.parameters)


def _names_of(item: Definition) -> tuple[str, ...]:
    built = item.owner and (item.name in _BUILDS or item.name.startswith("__"))
    return (item.name, item.owner) if built else (item.name,)


def _mentions(text: str, first: int, names: set[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    words = [word for word in WORD.finditer(text) if word.group() in names]
    for word, place in zip(words, bytes_at(text, [word.start() for word in words]), strict=True):
        found.setdefault(word.group(), []).append(first + place)
    return found
