"""A function evaluated for one call: its parameters get the arguments, its caller learns what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from devpulse.core.flow.facts import ALLOWED, NOTHING, Fact, Facts
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.frames import Exit, Frame
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import CLEAN, MAX_FIELDS, Value, join, shallow, truth, unite

_SELF = frozenset({"self", "cls"})


@dataclass(frozen=True, slots=True)
class Bound:
    """The value of each parameter by its name, and which argument it is."""

    values: dict[str, Value]
    arguments: dict[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call of a function comes to. Facts name the function's parameters.

    ``facts``: what its result proves, ``always``: what its return alone does. ``records``: the calls in it that the
    arguments reach, each with the id of the definition it stands in. ``tested``: it looks at its input in some way.
    """

    value: Value
    facts: Facts
    always: tuple[Fact, ...]
    returns: bool
    tested: bool
    records: tuple[tuple[int, CallRecord], ...]


def bind_arguments(parameters: Sequence[Parameter], passed: Sequence[Passed], receiver: Value | None) -> Bound:
    """Give the parameters their values as a call would; one that gets none is a constant default."""
    values: dict[str, Value] = {}
    arguments: dict[str, int] = {}
    positional = [(index, item) for index, item in enumerate(passed) if item.keyword is None and not item.spread]
    named = {item.keyword: (index, item) for index, item in enumerate(passed) if item.keyword is not None}
    spread = join(replace(item.value, fields=(), collection=False, exact=False) for item in passed if item.spread)
    position = 0
    for number, parameter in enumerate(parameters):
        if (number == 0 and parameter.name in _SELF) or parameter.kind == "receiver":
            values[parameter.name] = receiver or CLEAN
        elif parameter.kind == "*":
            values[parameter.name] = _gathered([item.value for _, item in positional[position:]], spread)
            position = len(positional)
        elif parameter.kind == "**":
            values[parameter.name] = _named([item for _, item in named.values()], spread)
        elif parameter.name in named:
            arguments[parameter.name], item = named.pop(parameter.name)
            values[parameter.name] = item.value
        elif parameter.kind != "keyword" and position < len(positional):
            index, item = positional[position]
            values[parameter.name] = _part(item.value, parameter.field)
            if not parameter.field:
                arguments[parameter.name] = index
            position += not parameter.more
        else:
            values[parameter.name] = spread if spread is not CLEAN else parameter.default
    return Bound(values, arguments)


def _part(value: Value, field: str) -> Value:
    """What a parameter that takes its argument apart gets of it."""
    if not field:
        return value
    return value.field(field) or (CLEAN if value.exact else replace(value, fields=(), collection=False))


def _gathered(values: list[Value], spread: Value) -> Value:
    whole = spread is CLEAN and len(values) <= MAX_FIELDS
    return Value(
        taints=unite(taint for value in (*values, spread) for taint in value.taints),
        fields=tuple((str(index), shallow(value)) for index, value in enumerate(values[:MAX_FIELDS])) if whole else (),
        collection=True,
        exact=whole,
    )


def _named(items: list[Passed], spread: Value) -> Value:
    gathered = _gathered([item.value for item in items], spread)
    keys = (item.keyword or "" for item in items)
    return replace(gathered, fields=tuple((key, value) for key, (_, value) in zip(keys, gathered.fields, strict=False)))


def conclude(frame: Frame) -> Outcome:
    """What the ways out of a function that was evaluated for a call come to together."""
    exits = frame.exits
    records = (*((frame.node, record) for record in frame.calls), *frame.inner)
    always = _common([_path_facts(way) for way in exits])
    facts = Facts(
        _common([_when(way, holds=True) for way in exits if truth(way.value) is not False]),
        _common([_when(way, holds=False) for way in exits if truth(way.value) is not True]),
    )
    value = join(way.value for way in exits)
    decided = facts if facts.if_true or facts.if_false else NOTHING
    return Outcome(value, decided, always, bool(exits), frame.scope.checks, records)


def _path_facts(way: Exit) -> frozenset[Fact]:
    checked = (Fact(what, origins=(origin,)) for origin, known in way.checks.items() for what in known)
    return frozenset((*checked, *(Fact(ALLOWED, key=name) for name in way.settled)))


def _when(way: Exit, *, holds: bool) -> frozenset[Fact]:
    """What holds when the result turned out one way, each origin by itself."""
    told = way.facts.if_true if holds else way.facts.if_false
    single = (replace(fact, origins=(origin,)) for fact in told for origin in fact.origins)
    return _path_facts(way).union(single, (fact for fact in told if not fact.origins))


def _common(ways: list[frozenset[Fact]]) -> tuple[Fact, ...]:
    """What holds on all of them, in an order that is the same in every run."""
    common = frozenset.intersection(*ways) if ways else frozenset()
    return tuple(sorted(common, key=lambda fact: (fact.what, fact.key or "", fact.origins)))
