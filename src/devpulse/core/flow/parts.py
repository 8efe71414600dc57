"""What was sent, by the names its parts are read under: a check of one part says nothing of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from devpulse.core.flow.facts import Fact, Facts
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.values import Level, Origin, Taint, Value, with_taints

MAX_WITHIN = 3
"""How deep into what was sent parts are told apart."""

KEYED = frozenset({
    "get", "Get", "getlist", "getall", "getone", "getAll", "fetch", "pop", "getfirst", "getvalue", "getParameter",
    "getHeader", "FormValue", "PostFormValue", "PathValue", "Query", "Param", "PostForm", "DefaultQuery", "QueryParam",
    "input", "query", "post", "param", "params", "header", "string",
})  # fmt: skip
"""Methods that give what stands under the name that they are given."""

_TAKES_APART = re.compile(
    r"(?i)(?:decode|unmarshal|bind\w{0,12}|parser|parse|parse_?json|json|from_?json|read_?value|form|params)$"
)
"""Functions that make a table of a text, by their names."""

_GETTER = re.compile(r"get[A-Z]\w{0,60}")
_WHOLE = frozenset({Level.UNKNOWN, Level.PARAMETER, Level.ARCHIVE})
"""Levels whose origins are not told apart: of a member of an archive only the name matters, whatever it is read by."""


def key_read(method: str, subject: Value | None, given: Sequence[Passed]) -> str | None:
    """The name under which a method reads a part of what it is called on; ``None`` where it does no such thing.

    ``getName()`` is the name itself, of an object that is what was sent: of a file or an address made of it, which has
    a trail, that would be a view of the whole.
    """
    if subject is None or not subject.taints:
        return None
    if given:
        key = given[0].value.constant if method in KEYED else None
        return key if isinstance(key, str) else None
    made = any(taint.trail is not None for taint in subject.taints)
    return None if made or _GETTER.fullmatch(method) is None else method


class Parts:
    """The origins of parts, the same one for the same name of the same whole. ``number`` gives a new id."""

    def __init__(self, number: Callable[[], int]) -> None:
        self._number = number
        self._parts: dict[tuple[int, str], Origin] = {}
        self._within: dict[int, tuple[int, ...]] = {}

    def read_out(self, value: Value, key: str) -> Value:
        """What stands under a key of a value."""
        if not value.taints:
            return value
        return with_taints(value, tuple([self._told_apart(taint, key) for taint in value.taints]))

    def within(self, value: Value, whole: Value) -> Value:
        """A source that is read out of another by a name: ``$_GET["a"]``."""
        outer = next((taint.origin for taint in whole.taints if taint.origin.level not in _WHOLE), None)
        return (
            value
            if outer is None
            else with_taints(value, tuple([self._put_into(taint, outer) for taint in value.taints]))
        )

    def _put_into(self, taint: Taint, outer: Origin) -> Taint:
        part = self._parts.get((outer.id, taint.origin.label))
        if part is None:
            part = replace(taint.origin, within=(*outer.within, outer.id)[:MAX_WITHIN])
            self._parts[outer.id, part.label] = part
            self._within[part.id] = part.within
        return replace(taint, origin=part)

    def _told_apart(self, taint: Taint, key: str) -> Taint:
        origin = taint.origin
        if origin.level in _WHOLE or len(origin.within) >= MAX_WITHIN:
            return taint
        if any(_TAKES_APART.search(ask.callee) is None for ask in taint.asks):
            return taint  # what an unknown function made of it may be a text with views, not a table with parts
        part = self._parts.get((origin.id, key))
        if part is None:
            part = replace(origin, id=self._number(), within=(*origin.within, origin.id))
            self._parts[origin.id, key] = part
            self._within[part.id] = part.within
        return Taint(part, taint.place, taint.trail, taint.cleaned, taint.asks)

    def whole_of(self, part: int, given: frozenset[int]) -> int | None:
        """Which of the given origins a part was read out of."""
        return next((outer for outer in self._within.get(part, ()) if outer in given), None)

    def of_wholes(self, facts: Facts, given: frozenset[int]) -> Facts:
        """Facts of parts as those of the given origins, for somebody who knows no parts."""

        def told(proven: tuple[Fact, ...]) -> tuple[Fact, ...]:
            return tuple(
                replace(fact, origins=tuple(dict.fromkeys(self.whole_of(one, given) or one for one in fact.origins)))
                for fact in proven
            )

        return Facts(told(facts.if_true), told(facts.if_false))
