"""The functions that a file defines, and which of them a call in it means."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.flow.frames import Frame
from devpulse.core.flow.operations import Adapter, Function
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.languages.captures import kinds_in, nodes_of

_RECEIVERS = frozenset({"self", "cls", "this", "$this", "super()", "that", "_this"})
_OF_CLASS = frozenset({"static", "parent", "super"})
_FUNCTIONS = re.compile(r"function|method|lambda|arrow|closure|constructor|func_")
_CLASSES = re.compile(r"class|^impl_item$|^interface_declaration$|^trait_declaration$|^module$|^object_declaration$")
_NAMING = {
    "name": re.compile(r"declarator|field_definition"),
    "left": re.compile(r"^assignment"),
    "key": re.compile(r"^pair$"),
}
_EXPORTING = re.compile(r"^export")
_PROTOTYPE = re.compile(r"([\w$]+)\.prototype(?:\.[\w$]+)?$")
"""Javascript's older classes: what a method, or a table of them, is assigned to."""

_RECEIVED = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\)$")
_LAST_NAME = re.compile(r"[\w$#]+$")

WORD = re.compile(r"[\w$#]+")
"""A name as any of the languages writes it."""


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A function with a name. ``owner`` is its class, ``within`` the function it is defined in (0: none).

    ``private``: only the file itself can call it.
    """

    node: Node
    name: str
    function: Function
    owner: str
    within: int
    private: bool


@dataclass(slots=True)
class Definitions:
    """By the id of the node and by name; ``bases`` are the classes of the file with what they extend, ``received`` the
    names under which methods of Go have their object."""

    by_node: dict[int, Definition] = field(default_factory=dict)
    by_name: dict[str, list[Definition]] = field(default_factory=dict)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    received: set[str] = field(default_factory=set)

    def method(self, owner: str, name: str) -> Definition | None:
        """The method of a class, or the one it inherits within the file; none when there are several."""
        waiting, seen = [owner], set[str]()
        while waiting and len(seen) < _MAX_BASES:
            current = waiting.pop(0)
            if current in seen:
                continue
            seen.add(current)
            found = [item for item in self.by_name.get(name, ()) if item.owner == current]
            if found:
                return found[0] if len(found) == 1 else None
            waiting.extend(self.bases.get(current, ()))
        return None

    def find(self, callee: str, frames: list[Frame]) -> Definition | None:
        """What a call means, as it is written in the innermost of the open functions."""
        owner, _, name = callee.rpartition(".")
        if callee.startswith("."):
            return None  # a method of what another call gave
        if owner in _RECEIVERS:
            return self.method(frames[-1].owner, name) if frames[-1].owner else None
        if owner:
            typed = next((frame.owner for frame in reversed(frames) if frame.owner and _is_received(frame, owner)), "")
            return self.method(typed or owner, name) if typed or owner in self.bases else None
        named = self.by_name.get(name, ())
        for within in [frame.node for frame in reversed(frames) if frame.node] + [0]:
            found = [item for item in named if not item.owner and item.within == within]
            if found:
                return found[0] if len(found) == 1 else None
        inherited = self.method(frames[-1].owner, name) if frames and frames[-1].owner else None
        return inherited if inherited is not None and _needs_no_owner(inherited.node) else None

    def may_own(self, name: str) -> bool:
        """Whether functions are found by what stands before the dot of a call: an object of its class, or a class."""
        return name in _RECEIVERS or name in _OF_CLASS or name in self.bases or name in self.received

    def only_called(self, definition: Definition, sites: int) -> bool:
        """Whether a private function is named nowhere but in its definition and in so many calls."""
        alone = len(self.by_name.get(definition.name, ())) == 1
        return definition.private and alone and sites > 0 and self.words[definition.name] == sites + 1


_MAX_BASES = 10


def _is_received(frame: Frame, name: str) -> bool:
    """Whether a name is that of the object which the method of a frame is called on: Go's ``func (s *Server) …``."""
    parameters = frame.scope.parameters
    return bool(parameters) and parameters[0].kind == "receiver" and parameters[0].name == name


def definitions_of(root: Node, adapter: Adapter, grammar: Language) -> Definitions:
    """Read once over a file; of its nodes only those that define, name or enclose are looked at."""
    table = Definitions()
    reader = _Reader(table, adapter)
    for node in nodes_of(root, grammar, _telling(grammar)):
        reader.enter(node)
    if any(item.private for item in table.by_node.values()):
        table.words.update(WORD.findall(node_text(root)))
    return table


@cache
def _telling(grammar: Language) -> frozenset[str]:
    return frozenset(filter(_kind_of, kinds_in(grammar)))


class _Reader:
    """Keeps the nodes around the cursor that give a function its name and its place."""

    def __init__(self, table: Definitions, adapter: Adapter) -> None:
        self._table = table
        self._adapter = adapter
        self._around: list[tuple[int, str, Node]] = []

    def enter(self, node: Node) -> None:
        kind = _kind_of(node.type)
        while self._around and self._around[-1][0] <= node.start_byte:
            self._around.pop()
        if kind == "function":
            function = self._adapter.function(node)
            if function is None:
                return
            self._define(node, function)
        elif kind == "class":
            name = node_text(node.child_by_field_name("name"))
            if name:
                self._table.bases[name] = _bases(node)
        self._around.append((node.end_byte, kind, node))

    def _define(self, node: Node, function: Function) -> None:
        parent = self._around[-1][1:] if self._around else ("", node)
        name = function.name
        if not name and parent[0] in _NAMING:
            match = _LAST_NAME.search(node_text(parent[1].child_by_field_name(parent[0])))
            name = match.group() if match else ""
        if not name:
            return
        enclosing = [(kind, around) for _, kind, around in self._around if kind in ("function", "class")]
        owner, within = "", 0
        if enclosing and enclosing[-1][0] == "class":
            owner = node_text(enclosing[-1][1].child_by_field_name("name"))
        elif enclosing:
            within = enclosing[-1][1].id
        elif node.type == "method_declaration":
            owner = _received_type(node)
        prototype = self._prototype()
        if prototype:
            owner, within = prototype, 0
        exported = any(kind == "export" for _, kind, _ in self._around)
        private = _is_private(node, name, owner, within, exported=exported)
        definition = Definition(node, name, function, owner, within, private)
        self._table.by_node[node.id] = definition
        self._table.received.update(item.name for item in function.parameters[:1] if item.kind == "receiver")
        self._table.by_name.setdefault(name, []).append(definition)

    def _prototype(self) -> str:
        """The older class whose method is assigned here: ``Name.prototype.method =``, ``Name.prototype = {…}``."""
        for _, kind, around in self._around[:-3:-1]:
            if kind not in ("left", "key"):
                break
            target = around.child_by_field_name("left") if kind == "left" else None
            match = _PROTOTYPE.search(node_text(target)[-120:]) if target is not None else None
            if match is not None:
                return match.group(1)
        return ""


@cache
def _kind_of(node_type: str) -> str:
    if _FUNCTIONS.search(node_type):
        return "function"
    if _CLASSES.search(node_type) and not node_type.endswith(("body", "heritage")):
        return "class"
    if _EXPORTING.match(node_type):
        return "export"
    return next((name for name, pattern in _NAMING.items() if pattern.search(node_type)), "")


def _bases(node: Node) -> tuple[str, ...]:
    """The names in the head of a class, but for its own."""
    for child in node.named_children:
        if child.type in ("argument_list", "class_heritage", "superclass", "superclasses", "base_clause"):
            return tuple(re.findall(r"\w+", node_text(child)[:200]))
    return ()


def _needs_no_owner(node: Node) -> bool:
    """Whether a method is called by its bare name inside its class, as Java's and Ruby's are.

    PHP's names are no identifiers.
    """
    name = node.child_by_field_name("name")
    return node.type in ("method_declaration", "method") and name is not None and name.type == "identifier"


def _received_type(node: Node) -> str:
    """The type whose method a function of Go is; empty for any other."""
    match = _RECEIVED.search(node_text(node.child_by_field_name("receiver"))[:200])
    return match.group(1) if match is not None else ""


def _is_private(node: Node, name: str, owner: str, within: int, *, exported: bool) -> bool:
    if within or name.startswith("#"):
        return True
    if any("modifier" in child.type and "private" in node_text(child)[:80] for child in node.children[:4]):
        return True
    if node.type == "function_definition":  # Python's convention
        return name.startswith("_") and not name.endswith("__")
    return not owner and not exported and node.type in ("function_declaration", "arrow_function", "function_expression")
