"""Abstract values: what the engine knows of an expression without running it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from devpulse.core.flow.purposes import Purpose

MAX_TAINTS = 12
MAX_TRAIL = 8
MAX_ASKS = 4
MAX_FIELDS = 60
_HEAD, _TAIL = 160, 400
HOLE = "\ufffc"
"""Stands in a skeleton where a value that is not constant is put in."""


class Level(IntEnum):
    """How much an origin is to be distrusted."""

    UNKNOWN = 1
    PARAMETER = 2
    LOCAL_INPUT = 3
    ARCHIVE = 4
    REQUEST = 5


class Place(StrEnum):
    """Where in a text a value stands, read from the constant text before it (in words of SQL)."""

    WHOLE = "whole"
    QUOTED = "quoted"
    DATA = "data"
    IDENTIFIER = "identifier"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from. ``member`` says that it was read out of something (an attribute, an item).

    ``within`` are the ids of what it was read out of by a name, outermost first: what is verified of those holds of it
    as well, what is verified of it says nothing of its neighbours.
    """

    id: int
    level: Level
    label: str
    line: int
    member: bool = False
    within: tuple[int, ...] = ()

    def comes_of(self, origins: frozenset[int]) -> bool:
        """Whether it is one of these or was read out of one."""
        return self.id in origins or not origins.isdisjoint(self.within)


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One step of a trail, newest first; shared between values, so that a long way costs one object a step.

    Compared by identity: comparing by content would recurse as deep as the trail is long.
    """

    line: int
    note: str
    before: Mark | None


@dataclass(frozen=True, slots=True)
class Ask:
    """A function whose body decides: one the value went through, or (``check``) one that it was shown to.

    ``callee`` is as it is called: ``clean``, ``other.clean``, ``.clean`` at the end of a chain. ``whole`` is
    false when the check was shown something larger that the value was taken out of.
    """

    callee: str
    check: bool = False
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Taint:
    """An origin inside a value: at which place, over which steps, and what was done about it.

    ``cleaned`` says what it is safe for; ``asks`` names functions whose body decides.
    """

    origin: Origin
    place: Place = Place.WHOLE
    trail: Mark | None = None
    cleaned: frozenset[Purpose] = frozenset()
    asks: tuple[Ask, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """``skeleton`` is the constant text with holes (``None``: not a text); ``fields`` those of a literal object.

    ``joined``: put behind a base folder. ``resolved``: an absolute path without ``..``. ``path``: a path object.
    ``constant`` is what a literal or a calculation over literals gives, ``None`` when that is not known (the
    constant that means nothing has the role ``null``). ``exact``: a collection that has these fields and no others.
    """

    taints: tuple[Taint, ...] = ()
    skeleton: str | None = None
    fields: tuple[tuple[str, Value], ...] = ()
    collection: bool = False
    joined: bool = False
    resolved: bool = False
    path: bool = False
    role: str = ""
    constant: str | int | float | None = None
    exact: bool = False

    def field(self, name: str) -> Value | None:
        """The value of a literal object's field."""
        return next((value for key, value in self.fields if key == name), None)


CLEAN = Value()
NULL = "null"


def truth(value: Value) -> bool | None:
    """Whether a constant counts as true; ``None`` for anything that is not constant."""
    if value.role == NULL:
        return False
    if value.constant is not None:
        return bool(value.constant)
    return bool(value.fields) if value.exact else None


def with_taints(value: Value, taints: tuple[Taint, ...]) -> Value:
    """The same value with other taints: what ``replace`` gives, in a fifth of the time."""
    return Value(
        taints, value.skeleton, value.fields, value.collection, value.joined, value.resolved, value.path, value.role,
        value.constant, value.exact,
    )  # fmt: skip


def shallow(value: Value) -> Value:
    """The value as part of another: literal data may be nested thousands deep, two levels are kept."""
    return replace(value, fields=(), exact=False) if any(item.fields for _, item in value.fields) else value


def text(constant: str) -> Value:
    """A constant text, shortened in the middle when long."""
    return Value(skeleton=_clip(constant), constant=constant)


def tainted(origin: Origin) -> Value:
    """A value that is exactly what ``origin`` gives."""
    return Value(taints=(Taint(origin),), skeleton=HOLE)


def _clip(skeleton: str) -> str:
    if len(skeleton) <= _HEAD + _TAIL:
        return skeleton
    return skeleton[:_HEAD] + "\n" + skeleton[-_TAIL:]


def unite(taints: Iterable[Taint]) -> tuple[Taint, ...]:
    """Without repetitions, most distrusted first, at most ``MAX_TAINTS``.

    Of two taints with one origin and place only what holds for both stays: cleaned on one way is not clean.
    """
    kept: dict[tuple[int, Place], Taint] = {}
    for taint in taints:
        key = (taint.origin.id, taint.place)
        known = kept.get(key)
        kept[key] = taint if known is None else _weaker(known, taint)
    ordered = sorted(kept.values(), key=lambda taint: (-taint.origin.level, taint.origin.id, taint.place))
    return tuple(ordered[:MAX_TAINTS])


def _weaker(one: Taint, other: Taint) -> Taint:
    if one.cleaned == other.cleaned and one.asks == other.asks:
        return one
    asks = one.asks if len(one.asks) <= len(other.asks) else other.asks
    return replace(one, cleaned=one.cleaned & other.cleaned, asks=asks)


def join(values: Iterable[Value]) -> Value:
    """What holds when any of the values may be the one: taints add up, assurances must hold for all."""
    options = list(dict.fromkeys(values))
    if not options:
        return CLEAN
    if len(options) == 1:
        return options[0]
    collections = all(option.exact for option in options)
    return Value(
        taints=unite(taint for option in options for taint in option.taints),
        skeleton=max((option.skeleton for option in options if option.skeleton is not None), key=len, default=None),
        collection=all(option.collection for option in options),
        joined=any(option.joined for option in options),
        resolved=all(option.resolved for option in options if option.taints),
        path=any(option.path for option in options),
        role=next((option.role for option in options if option.role and option.role != NULL), ""),
        fields=_joined_fields(options) if collections else (),
        exact=collections and len({tuple(key for key, _ in option.fields) for option in options}) == 1,
    )


def _joined_fields(options: list[Value]) -> tuple[tuple[str, Value], ...]:
    """The fields of one of several collections; one that not all of them have may be missing."""
    parts: dict[str, list[Value]] = {}
    for option in options:
        for key, value in option.fields:
            parts.setdefault(key, []).append(value)
    return tuple((key, join(values)) for key, values in parts.items())[:MAX_FIELDS]


def concatenate(parts: Iterable[Value]) -> Value:
    """Text put together from parts; each taint gets the place that the text before it gives."""
    skeleton = ""
    taints: list[Taint] = []
    several = 0
    for part in parts:
        several += 1
        for taint in part.taints:
            place = _placed(taint.place, skeleton)
            taints.append(replace(taint, place=place, cleaned=_in_quotes(taint.cleaned, skeleton)))
        skeleton = _clip(skeleton + (HOLE if part.skeleton is None else part.skeleton))
    first_constant = skeleton.find(HOLE) != 0
    has_separator = "/" in skeleton or "\\" in skeleton
    united = unite(taints)
    if several > 1 and not first_constant:
        # A text that begins with the value itself: where it stands is only known from what follows.
        united = tuple(replace(t, place=Place.UNCLEAR) if t.place is Place.WHOLE else t for t in united)
    return Value(taints=united, skeleton=skeleton, joined=has_separator and several > 1)


def _in_quotes(cleaned: frozenset[Purpose], prefix: str) -> frozenset[Purpose]:
    """What a value without single quotes of its own is safe for that stands between single quotes."""
    if not cleaned or prefix.count("'") % 2 == 0:
        return cleaned
    if Purpose.QUOTES in cleaned:
        return cleaned | {Purpose.SQL, Purpose.XPATH}
    return cleaned | {Purpose.SQL} if Purpose.DOUBLED in cleaned else cleaned


def _placed(place: Place, prefix: str) -> Place:
    """Where a part stands that has this place in itself; what begins a text stands in the quotes around that."""
    if not prefix or place not in (Place.WHOLE, Place.UNCLEAR):
        return place
    outer = place_after(prefix)
    return outer if place is Place.WHOLE or outer is Place.QUOTED else place


_WORD = re.compile(
    r"(?i)\b(from|into|update|table|join|database|index|column|order\s+by|group\s+by|set|select|distinct|view|schema|"
    r"use|pragma|references|values|in|limit|offset|like|where|and|or|on|having|between|by|asc|desc|key|add|drop|alter)\b"
)
_IDENTIFIER_WORDS = frozenset(
    [
        "from",
        "into",
        "update",
        "table",
        "join",
        "database",
        "index",
        "column",
        "order",
        "group",
        "set",
        "select",
        "distinct",
        "view",
        "schema",
        "use",
        "pragma",
        "references",
        "on",
        "by",
        "asc",
        "desc",
        "key",
        "add",
        "drop",
        "alter",
    ]
)
_DATA_END = re.compile(
    r"(?i)(?:[=<>]|\blike|\bin\s*\(|\bvalues\s*\(|\blimit|\boffset|\bbetween|\bilike|\bregexp|\|\|)[\s(N%]*$"
)


def place_after(prefix: str) -> Place:
    """Where in an SQL text a value stands that follows ``prefix``."""
    if prefix.count("'") % 2:
        return Place.QUOTED
    if _DATA_END.search(prefix[-60:]):
        return Place.DATA
    tail = prefix[-_TAIL:]
    word = ""
    for match in _WORD.finditer(tail):
        word = match.group(1).lower().split()[0]
    if word in ("values", "in", "limit", "offset", "between", "like"):
        return Place.DATA
    compared = word in ("where", "and", "or", "having", "set")
    if compared and prefix.count('"') % 2 and re.search(r"[=(]\s*\"[^\"]*$", tail):
        return Place.QUOTED
    if word in _IDENTIFIER_WORDS or prefix.rstrip().endswith((".", "`", "[")):
        return Place.IDENTIFIER
    return Place.UNCLEAR


def step(value: Value, line: int, note: str) -> Value:
    """The value with one more step on the way of each of its taints."""
    if not value.taints:
        return value
    return with_taints(value, tuple([_marked(taint, line, note) for taint in value.taints]))


def _marked(taint: Taint, line: int, note: str) -> Taint:
    if taint.trail is not None and taint.trail.line == line:
        return taint
    return Taint(taint.origin, taint.place, Mark(line, note, taint.trail), taint.cleaned, taint.asks)


def trail_of(taint: Taint) -> tuple[Mark, ...]:
    """The steps in the order the value went, at most ``MAX_TRAIL`` (the last ones)."""
    marks: list[Mark] = []
    mark = taint.trail
    while mark is not None and len(marks) < MAX_TRAIL:
        marks.append(mark)
        mark = mark.before
    return tuple(reversed(marks))


def cleaned(value: Value, purpose: Purpose) -> Value:
    """The value, safe for one purpose."""
    return replace(value, taints=tuple(replace(t, cleaned=t.cleaned | {purpose}) for t in value.taints))


def asking(value: Value, ask: Ask) -> Value:
    """The value after it met a function that is not known here."""
    return with_taints(value, tuple([_asking(taint, ask) for taint in value.taints]))


def _asking(taint: Taint, ask: Ask) -> Taint:
    if ask in taint.asks or len(taint.asks) >= MAX_ASKS:
        return taint
    return Taint(taint.origin, taint.place, taint.trail, taint.cleaned, (*taint.asks, ask))


def taken_out(value: Value) -> Value:
    """The taints of a member: a check of what holds it need not have looked at the member."""
    if not any(taint.asks for taint in value.taints):
        return value
    return with_taints(
        value,
        tuple(replace(t, asks=tuple(replace(a, whole=False) for a in t.asks)) if t.asks else t for t in value.taints),
    )


def without_trail(value: Value) -> Value:
    """The value, comparable with one that came another way."""
    if not value.taints:
        return value
    fields = tuple((key, without_trail(item)) for key, item in value.fields)
    return replace(value, taints=tuple(replace(taint, trail=None) for taint in value.taints), fields=fields)
