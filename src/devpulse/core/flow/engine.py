"""One walk over a file: what flows into which call, without recursion and in time linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib import import_module

from devpulse.core.called_sinks import Kinds
from devpulse.core.flow.calls import Cleaning
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.fragments import root_of
from devpulse.core.flow.inlining import Bound, Outcome
from devpulse.core.flow.neighbours import Neighbour, Neighbours
from devpulse.core.flow.operations import Adapter
from devpulse.core.flow.records import Analysis, CallRecord, Elsewhere, Site
from devpulse.core.flow.slicing import slice_at, slice_of
from devpulse.core.flow.values import Value, without_trail
from devpulse.core.flow.walking import FIELD_BUDGET, Walk
from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

_ADAPTERS = {  # optional: a language may have definitions and no data flow
    "python": ("python", "PythonAdapter"),
    "javascript": ("javascript", "JavascriptAdapter"),
    "typescript": ("javascript", "JavascriptAdapter"),
    "tsx": ("javascript", "JavascriptAdapter"),
    "java": ("java", "JavaAdapter"),
    "go": ("go", "GoAdapter"),
    "php": ("php", "PhpAdapter"),
    "ruby": ("ruby", "RubyAdapter"),
}


_FIELD = re.compile(
    r"(?:\b(?:self|this)\??(?:\.|->)|@)(\w+)([ \t]*+,[ \t]*+\n)?|\b(?:as|for)\s{1,20}(?:self|this)\.(\w+)"
)
"""A field of the own object, perhaps at the end of a line of targets, or as a target of another kind."""


class _Adapters(Mapping[str, Adapter]):
    """The adapter of each language, imported with the first text in it: most changes are in one or two."""

    def __init__(self) -> None:
        self._made: dict[str, Adapter] = {}

    def __getitem__(self, language: str) -> Adapter:
        if language not in self._made:
            module, name = _ADAPTERS[language]
            self._made[language] = getattr(import_module(f"devpulse.core.flow.{module}"), name)()
        return self._made[language]

    def __iter__(self) -> Iterator[str]:
        return iter(_ADAPTERS)

    def __len__(self) -> int:
        return len(_ADAPTERS)


ADAPTERS = _Adapters()

__all__ = ["ADAPTERS", "Analysis", "CallRecord", "Called", "analyse", "analyse_call", "analyse_in", "analyse_sinks"]


@lru_cache(maxsize=32)
def analyse(language: str, text: str) -> Analysis:
    """The calls and returns of a text with their values; nothing for a language without an adapter."""
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return Analysis()
    return Walk(adapter, _cleaning(language, text), language, root_of(language, text)).run()


@lru_cache(maxsize=8)
def analyse_sinks(language: str, text: str, wanted: Kinds) -> Analysis:
    """The same of the functions alone from which something can come to a sink of the wanted categories and kinds."""
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return Analysis()
    return Walk(adapter, _cleaning(language, text), language, root_of(language, text)).run(
        partial(slice_of, language, wanted)
    )


@lru_cache(maxsize=8)
def analyse_fields(language: str, text: str, fields: frozenset[str]) -> Analysis:
    """The same of the functions alone that may set one of the own object's fields, or that have the name of one."""
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return Analysis()
    places = [place for place, field in _set_in(text) if field in fields]
    cut = partial(slice_at, places=places, names=fields)
    root = root_of(language, text)
    return Walk(adapter, _cleaning(language, text), language, root, budget=FIELD_BUDGET).run(cut)


def _set_in(text: str) -> Iterator[tuple[int, str]]:
    """Where a text may set a field of the own object, before an equals sign in its line or otherwise, and which."""
    equals = end = 0
    for match in _FIELD.finditer(text):
        if match[3] is not None or match[2] is not None:
            yield match.start(), match[3] or match[1]
            continue
        if equals < match.end():  # each part of the text is looked through once, however many fields a line has
            equals = _next("=", text, match.end())
        if end < match.end():
            end = _next("\n", text, match.end())
        if equals < end:
            yield match.start(), match[1]


def _next(sign: str, text: str, start: int) -> int:
    """Where a sign stands next; the end of the text where it does not."""
    found = text.find(sign, start)
    return found if found >= 0 else len(text)


@dataclass(frozen=True, slots=True)
class Called:
    """What a call of a function in another text comes to: what it gives back, which calls in it the arguments reach.

    ``tested``: it looks at its input in a way that may decide. ``returns`` is false when it never comes back.
    """

    value: Value
    calls: tuple[CallRecord, ...]
    tested: bool
    returns: bool


def analyse_in(source: Source, resolver: Resolver, wanted: Kinds) -> Analysis:
    """The calls that may be wanted sinks, also in functions of other files that are given what is not to be trusted.

    Nothing is asked of the resolver when there are none. Memoised by the resolver's identity, so that all rules over
    one file share one walk.
    """
    return _analyse_in(source.language or "", source.text, source.path, _Same(resolver), wanted)


class _Same:
    """A resolver as a key: the very one, whatever it is equal to."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.resolver is self.resolver

    def __hash__(self) -> int:
        return id(self.resolver)


@lru_cache(maxsize=4)
def _analyse_in(language: str, text: str, path: str, asked: _Same, wanted: Kinds) -> Analysis:
    alone = analyse_sinks(language, text, wanted)
    source = Source(path, language, text, frozenset())
    neighbours = Neighbours(asked.resolver)
    found = [
        neighbours.find(callee, source)
        for callee in dict.fromkeys(call.callee for call in alone.calls if call.distrusted)
    ]
    if not any(found):
        return alone
    return _walk_with(neighbours, source, {}).run(partial(slice_of, language, wanted))


def _walk_with(neighbours: Neighbours, source: Source, memo: _Memo) -> Walk:
    language = source.language or ""

    def outside(
        via: tuple[Site, ...], site: Site, given: tuple[Passed, ...], receiver: Value | None
    ) -> tuple[Outcome, Bound] | None:
        there = neighbours.find(site.callee, source)
        if there is None:
            return None
        key = (there.source.path, there.name, via, site.line, _shapes(given, receiver))
        if key not in memo:
            memo[key] = None  # one that calls itself
            told = _walk_with(neighbours, there.source, memo).call_named(there.name, via, site, given, receiver)
            memo[key] = (_placed(told[0], there, site), told[1]) if told is not None else None
        return memo[key]

    root = parse(language, source.text).root_node
    return Walk(ADAPTERS[language], _cleaning(language, source.text), language, root, outside)


_Memo = dict[object, tuple[Outcome, Bound] | None]


def _shapes(given: tuple[Passed, ...], receiver: Value | None) -> object:
    plain = tuple((item.keyword, without_trail(item.value), item.spread) for item in given)
    return plain, without_trail(receiver) if receiver is not None else None


def _placed(outcome: Outcome, there: Neighbour, site: Site) -> Outcome:
    """What a function of another file recorded, with the place where it stands."""
    source = there.source
    records: list[tuple[int, CallRecord]] = []
    for _, record in outcome.records:
        place = record.elsewhere
        if place is None or not record.distrusted:
            continue
        if not place.path:
            callee = imported_callee(source.language, source.text, place.callee)
            place = Elsewhere(source.path, place.line + there.first - 1, callee)
        records.append((0, replace(record, elsewhere=replace(place, through=site.callee))))
    return replace(outcome, records=tuple(records))


def analyse_call(
    language: str, body: str, callee: str, given: tuple[Passed, ...], *, receiver: Value | None = None, line: int = 0
) -> Called | None:
    """The first function of ``body`` evaluated for one call of it; ``None`` when there is none, or it is too much.

    Lines in what comes back are that of the call (``line``), since those of the body are of another file. Memoised.
    """
    return _analyse_call(language, body, callee, given, receiver, line)


@lru_cache(maxsize=256)
def _analyse_call(
    language: str, body: str, callee: str, given: tuple[Passed, ...], receiver: Value | None, line: int
) -> Called | None:
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return None
    walk = Walk(adapter, _cleaning(language, body), language, root_of(language, body))
    outcome = walk.call_first(Site(callee, line), given, receiver)
    if outcome is None:
        return None
    return Called(outcome.value, tuple(record for _, record in outcome.records), outcome.tested, outcome.returns)


def _cleaning(language: str, text: str) -> Cleaning:
    """What the result of a callee in a text is safe for."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return lambda _: frozenset()
    return lambda callee: knowledge.purposes_of(callee, imported_callee(language, text, callee))
