"""What an analysis keeps: calls, returns and checks, with the values that reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.values import Level, Value


@dataclass(slots=True)
class Scope:
    """A function on the way of the walk; ``checks`` says whether it tests or rejects its input in any way.

    ``answers``: the callee as which its returns are recorded, when they are sent to a browser.
    """

    name: str
    parameters: tuple[Parameter, ...]
    checks: bool = False
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A call on the way into a function: what is called as it is written, and the line."""

    callee: str
    line: int


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A place in another file; ``callee`` is what is called there, by what its imports say of it.

    ``through`` is the call in this file that leads there, as it is written.
    """

    path: str
    line: int
    callee: str
    through: str = ""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call: the dotted callee, the receiver's value and text, the arguments, and where it stands.

    Setting a member or an item to something that is not constant is a call of ``owner.name=``, and giving something
    back to a browser one of ``route.return`` or the like.
    ``via`` are the calls, outermost first, whose arguments it was evaluated with; empty when the function it stands
    in was looked at by itself. ``elsewhere``: it stands in another file, and its lines are those of the call here.
    """

    callee: str
    receiver: Value | None
    arguments: tuple[Passed, ...]
    start_line: int
    end_line: int
    scope: Scope
    via: tuple[Site, ...] = ()
    elsewhere: Elsewhere | None = None

    @property
    def method(self) -> str:
        """The last name of the callee."""
        return self.callee.rpartition(".")[2]

    @property
    def distrusted(self) -> bool:
        """Whether something reaches it that is more to be distrusted than a parameter."""
        values = [argument.value for argument in self.arguments]
        return any(
            taint.origin.level > Level.PARAMETER
            for value in (values if self.receiver is None else [self.receiver, *values])
            for taint in value.taints
        )

    @property
    def returns(self) -> bool:
        """Whether this gives something back to a browser."""
        return self.callee.endswith(".return")

    @property
    def sets(self) -> bool:
        """Whether this sets a member or an item."""
        return self.callee.endswith("=")

    def argument(self, index: int, *keywords: str) -> Value | None:
        """The argument at a position, or one of the keywords."""
        positional: Sequence[Passed] = [argument for argument in self.arguments if argument.keyword is None]
        if index < len(positional):
            return positional[index].value
        return next((argument.value for argument in self.arguments if argument.keyword in keywords), None)

    def keyword(self, name: str) -> Value | None:
        """A keyword argument."""
        return next((argument.value for argument in self.arguments if argument.keyword == name), None)


@dataclass(frozen=True, slots=True)
class Return:
    """A value a function gives back, and where."""

    value: Value
    scope: Scope
    start_line: int
    end_line: int


@dataclass(slots=True)
class Analysis:
    """Everything the walk over one text recorded, in source order; what a function does with the arguments of its
    callers stands before what it does by itself.

    ``exhausted``: the text was too much for the budget, and what came after that point was not looked at.
    """

    calls: list[CallRecord] = field(default_factory=list)
    returns: list[Return] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    exhausted: bool = False
