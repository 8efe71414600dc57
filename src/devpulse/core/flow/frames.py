"""What is known inside one function while it is walked, and what is left of it for its caller."""

from __future__ import annotations

from dataclasses import dataclass, field

from devpulse.core.flow.environment import Checks, Environment
from devpulse.core.flow.facts import Facts
from devpulse.core.flow.records import CallRecord, Scope, Site
from devpulse.core.flow.values import Origin, Value


@dataclass(frozen=True, slots=True)
class Exit:
    """One way out of a function: what it gives back, and what was verified on the way.

    ``facts`` are those of the expression given back, ``settled`` the parameters that were shown to be one of a
    known few.
    """

    value: Value
    facts: Facts
    checks: dict[int, Checks]
    settled: frozenset[str]


@dataclass(slots=True, eq=False)
class Frame:
    """A function on the way of the walk; what is known of its nodes goes with it.

    ``owner`` is the class around it, ``node`` the id of its definition. For a body evaluated for one call
    (``called``): ``via`` is the way there, ``watched`` the origins that were handed in, ``entry`` the values of the
    parameters when it began, ``inner`` what functions called from it recorded (by their definition), and ``line`` the
    line of the call when the body stands in another file, whose own lines would mean nothing here.
    """

    scope: Scope
    environment: Environment
    calls: list[CallRecord]
    owner: str = ""
    node: int = 0
    called: bool = False
    via: tuple[Site, ...] = ()
    watched: frozenset[int] = frozenset()
    entry: dict[str, Value] = field(default_factory=dict)
    line: int | None = None
    inner: list[tuple[int, CallRecord]] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    values: dict[int, Value] = field(default_factory=dict)
    facts: dict[int, Facts] = field(default_factory=dict)
    named: dict[str, Facts] = field(default_factory=dict)
    grown: dict[int, str] = field(default_factory=dict)
    items: dict[str, str] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
