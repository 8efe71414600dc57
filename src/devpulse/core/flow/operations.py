"""The few operations every language's syntax is lowered to, and what an adapter must offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tree_sitter import Node

from devpulse.core.flow.values import Level


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; ``text`` is ``None`` for numbers and the like."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name that is read."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """``object.name`` or ``object["name"]``; ``name`` is ``None`` for a computed index."""

    object: Node
    name: str | None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call."""

    node: Node
    keyword: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """``callee`` is the dotted text; ``receiver`` the object a method is called on."""

    callee: str
    receiver: Node | None
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Text with values put in."""

    parts: tuple[str | Node, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator between two values; comparisons and logic have their own."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Collect:
    """A literal collection or a comprehension; keys are those of an object literal."""

    items: tuple[tuple[str | None, Node], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values; ``condition`` decides between the two options of a conditional."""

    options: tuple[Node, ...]
    condition: Node | None = None


@dataclass(frozen=True, slots=True)
class Same:
    """A node that has the value of another: parentheses, ``await``, a cast."""

    node: Node


@dataclass(frozen=True, slots=True)
class Assign:
    """``operator`` is set for augmented assignment."""

    target: Node
    value: Node
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Iterate:
    """A loop or comprehension clause that binds each item."""

    target: Node
    iterable: Node


@dataclass(frozen=True, slots=True)
class Leave:
    """A return; ``value`` is what is given back."""

    value: Node | None


@dataclass(frozen=True, slots=True)
class Not:
    """A negated condition."""

    node: Node


@dataclass(frozen=True, slots=True)
class Logic:
    """``and`` or ``or`` over conditions; also a choice of values."""

    conjunction: bool
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare:
    """``operator`` is one of ``==  !=  in  not in`` or another comparison."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Require:
    """An assertion: after it the condition holds."""

    condition: Node


@dataclass(frozen=True, slots=True)
class Import:
    """Names that an import binds."""

    names: tuple[str, ...]


Operation = (
    Constant
    | Name
    | Member
    | Call
    | Template
    | Binary
    | Collect
    | Choice
    | Same
    | Assign
    | Iterate
    | Leave
    | Not
    | Logic
    | Compare
    | Require
    | Import
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: ``level`` ``None`` when it cannot be harmful (a number, a database handle)."""

    name: str
    level: Level | None
    line: int
    role: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """A part that always runs."""

    node: Node


@dataclass(frozen=True, slots=True)
class Bind:
    """The moment a loop binds its target."""

    node: Node


@dataclass(frozen=True, slots=True)
class Branch:
    """Nodes that run only sometimes; ``condition`` holds in it, the earlier ones of the plan do not."""

    nodes: tuple[Node, ...]
    condition: Node | None
    exits: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How a branching statement runs; ``exhaustive`` when exactly one of its branches always does."""

    steps: tuple[Visit | Bind | Branch, ...]
    exhaustive: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is defined here."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Node


class Adapter(Protocol):
    """What a language brings."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node; ``None`` for nodes that only hold others."""
        ...

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one, in the order they run."""
        ...

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs; ``None`` for other nodes."""
        ...

    def function(self, node: Node) -> Function | None:
        """The function that a node defines."""
        ...

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Functions written as arguments of a call, each with the collection whose items it is given."""
        ...

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names an assignment target binds, each with the field it takes from the value (destructuring)."""
        ...

    def request_field(self, owner: str, name: str) -> Level | None:
        """The level of ``owner.name`` when it is a source; ``owner`` is dotted text."""
        ...

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or a plain member chain; ``None`` for anything else."""
        ...

    def line(self, node: Node) -> int:
        """The first line of a node, from 1."""
        ...
