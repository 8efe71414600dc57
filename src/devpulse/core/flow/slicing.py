"""Which functions of a text are worth following: those from which something can come to a sink, and no others."""

from __future__ import annotations

import re
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

_OWNED = re.compile(r"([\w$]*|super\(\))[?!&]?(?:\.|->|::)$")
"""What stands before a name that is one of something else: the last word of it, or nothing where it is no word."""

_LONGEST_OWNER = 60
"""Characters before a name that are looked at: of a longer owner the name counts as one of something else."""


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


def slice_of(language: str, wanted: Kinds, root: Node, table: Definitions) -> Slice:
    """The wanted sinks of a text, what is given to other files, and every mention of a function that has one of them.

    A function without any of it can still be called by one that has some; it is evaluated then for that call.
    """
    text, first = node_text(root), root.start_byte
    definitions = list(table.by_node.values())
    mentions = _mentions_of(table, definitions, root)
    places = {first + place for place in bytes_at(text, sinks_at(language, text, wanted))}
    places.update(item.node.start_byte for item in definitions if item.function.answers)
    handed_on = [first + place for place in bytes_at(text, handed_on_at(language, text))]
    if handed_on:
        inputs = [[first + place for place in bytes_at(text, inputs_at(text, read=read))] for read in (False, True)]
        inputs[0] += [item.node.start_byte for item in definitions if _is_requested(item)]
        places.update(_with_input(definitions, mentions, handed_on, inputs[0], inputs[1]))
    return _with_callers(places, definitions, mentions)


def slice_at(root: Node, table: Definitions, places: list[int], names: frozenset[str]) -> Slice:
    """The same of places of a text, characters from its start, and of the functions with some names.

    What a function is given matters where only the file can give it something: of others no callers are followed.
    """
    definitions = list(table.by_node.values())
    wanted = {root.start_byte + place for place in bytes_at(node_text(root), places)}
    private = [item for item in definitions if item.private]
    kept = _with_callers(wanted, private, _mentions_of(table, private, root))
    if kept.everything:
        return kept
    return Slice(sorted({*kept.places, *(item.node.start_byte for item in definitions if item.name in names)}))


def _with_callers(places: set[int], definitions: list[Definition], mentions: dict[str, list[int]]) -> Slice:
    """Places, and every mention of a function in which one of them is, over any number of calls."""
    for _ in range(MAX_ROUNDS):
        kept = Slice(sorted(places))
        reached = {item.name for item in definitions if kept.wants(item.node)}
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
        for place in mentions.get(item.name, ()):
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


def _mentions_of(table: Definitions, definitions: list[Definition], root: Node) -> dict[str, list[int]]:
    """Where the functions are named, by name, but for those of the same name that belong to something else."""
    text, first = node_text(root), root.start_byte
    names = {item.name for item in definitions}
    found: dict[str, list[int]] = {}
    words = [word for word in WORD.finditer(text) if word.group() in names and _is_own(table, text, word.start())]
    for word, place in zip(words, bytes_at(text, [word.start() for word in words]), strict=True):
        found.setdefault(word.group(), []).append(first + place)
    return found


def _is_own(table: Definitions, text: str, place: int) -> bool:
    """Whether a name may be that of a function of the file, by what it stands behind."""
    before = text[max(0, place - 2) : place]
    if before[-1:] not in (".", ">", ":") or before in ("..", "=>"):
        return True
    first = place - _LONGEST_OWNER
    match = _OWNED.search(text, max(0, first), place)
    if match is not None and match.start() == first:
        return True  # an owner whose begin is not seen may be one
    return match is None or match.group(1) == "super()" or table.may_own(match.group(1))
