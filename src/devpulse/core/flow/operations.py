"""The few operations every language's syntax is lowered to, and what an adapter must offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tree_sitter import Node

from devpulse.core.flow.values import CLEAN, Level, Value


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; ``text`` is ``None`` for numbers and the like."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name that is read; ``callable`` when one that is bound to nothing calls a method of that name."""

    name: str
    callable: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """``object.name`` or ``object["name"]``; ``name`` is ``None`` for a computed index.

    ``computed`` is the expression of an index that is no literal text. ``index`` is set where the result tells
    whether the table has it: Go's ``_, ok := allowed[x]``.
    """

    object: Node
    name: str | None
    index: Node | None = None
    computed: Node | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call; ``spread`` when it is a collection that gives several."""

    node: Node
    keyword: str | None = None
    spread: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """``callee`` is the dotted text; ``receiver`` the object a method is called on.

    ``like`` names a call known to ``transfers`` whose result and proof this one shares, where a language calls its
    own functions differently. ``fills`` is what the arguments are put into: a list that is appended to, an output.
    ``subject`` plays the receiver's part in ``like``: ``strings.TrimSpace(x)`` is ``x.strip()``. With ``changes`` the
    receiver's name holds the result afterwards (``builder.append(x)``). ``outputs`` are arguments it writes to.
    """

    callee: str
    receiver: Node | None
    arguments: tuple[Argument, ...]
    like: str = ""
    fills: Node | None = None
    subject: Node | None = None
    changes: bool = False
    outputs: tuple[Node, ...] = ()


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
    """A literal collection or a comprehension; keys are those of an object literal.

    ``open``: it has elements that are not listed, as a comprehension does.
    """

    items: tuple[tuple[str | None, Node], ...]
    open: bool = False


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
    """``operator`` is set for augmented assignment.

    ``verdict`` is the name that is given what the value proves as a condition, where that is not the target.
    """

    target: Node
    value: Node
    operator: str = ""
    verdict: Node | None = None


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
class Abandon:
    """An exception that is raised."""


@dataclass(frozen=True, slots=True)
class Break:
    """A loop is left: what follows it goes on with what is known here."""


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
    | Abandon
    | Break
    | Not
    | Logic
    | Compare
    | Require
    | Import
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: ``level`` ``None`` when it cannot be harmful (a number, a database handle).

    ``kind``: ``*`` takes the rest of the arguments, ``**`` those with names, ``keyword`` is given by name only,
    ``receiver`` is what Go's method is called on.
    ``field`` is what it takes of an argument that is taken apart, ``more`` says that the next one takes from the same.
    """

    name: str
    level: Level | None
    line: int
    role: str = ""
    kind: str = ""
    field: str = ""
    more: bool = False
    default: Value = CLEAN


@dataclass(frozen=True, slots=True)
class Visit:
    """A part that always runs."""

    node: Node


@dataclass(frozen=True, slots=True)
class Bind:
    """The moment a loop binds its target; ``items`` where the node's own operation does not say to what."""

    node: Node
    items: Iterate | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """Nodes that run only sometimes; ``condition`` holds in it, the earlier ones of the plan do not.

    ``attempt``: a body that those branches rescue which have ``rescues``. ``cases`` are the constants of a subject
    (``Plan.subject``) for which it runs; an empty one runs for all others.
    """

    nodes: tuple[Node, ...]
    condition: Node | None
    exits: bool
    attempt: bool = False
    rescues: bool = False
    cases: tuple[Node, ...] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a branching statement runs; ``exhaustive`` when exactly one of its branches always does.

    ``valued``: it has an operation of its own as well, evaluated after its branches. ``last``: what runs after them
    in any case. ``loops``: its branch may run again. ``until``: a condition that no longer holds after it.
    """

    steps: tuple[Visit | Bind | Branch, ...]
    exhaustive: bool
    valued: bool = False
    last: tuple[Node, ...] = ()
    loops: bool = False
    until: Node | None = None
    subject: Node | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is defined here; ``implicit`` when it gives back the value of its body without a return.

    ``answers``: what it gives back is sent to a browser; the callee as which its returns are recorded, which names
    the way it was registered (``route.return``).
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Node
    implicit: bool = False
    answers: str = ""


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
        """The level of ``owner.name`` when it is a source; ``owner`` is dotted text, empty for a bare name or call."""
        ...

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or a plain member chain; ``None`` for anything else."""
        ...

    def line(self, node: Node) -> int:
        """The first line of a node, from 1."""
        ...
