"""Values that come to a sink over fields and functions of its file: what a field was set to, who runs what he gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from types import MappingProxyType

from devpulse.core.flow.engine import analyse_fields
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Mark, Taint, Value, trail_of, unite, with_taints
from devpulse.core.flow.walking import FIELD_BUDGET, LEAST_FOR_CALLS
from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source
from devpulse.core.text import first_in

_FIELD = re.compile(r"^(?:(?:self|\$?this)\.|@)(\w+)$")
_SET = re.compile(r"\b(?:self|this)\.(\w++)\s*+(?::[^=\n]{1,200}+)?+=(?!=)")
NEVER_CUT = (FIELD_BUDGET - LEAST_FOR_CALLS) // 2
"""Characters: a shorter text has fewer nodes, and two steps for each are there."""

_OWN = frozenset({"", "self", "cls", "this", "super()"})
_MAX_SET = 8
_READS = {
    "php": lazy(r"(?i)\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER)\b|request|input"),
    "ruby": lazy(r"\b(?:params|request|cookies)\b"),
}
"""Words of files in which anything comes from a request."""


@dataclass(frozen=True, slots=True)
class Runner:
    """A function whose parameter is, as a whole, what a sink is given."""

    name: str
    parameter: str
    position: int


def field_of(taint: Taint) -> str | None:
    """The name of the own object's field that a taint was read from and nothing more is known of."""
    label = taint.origin.label
    if taint.origin.level is not Level.UNKNOWN or not (taint.origin.member or label.startswith("@")):
        return None
    match = _FIELD.match(label)
    return match.group(1) if match is not None else None


def whole_field(value: Value) -> str | None:
    """The name of the field that a value is."""
    if value.skeleton != HOLE or value.collection or len(value.taints) != 1:
        return None
    return field_of(value.taints[0])


def set_to(source: Source, field: str, near: frozenset[str] = frozenset()) -> tuple[Value, ...]:
    """What a file sets a field to that is not constant, and what a property of that name gives back.

    ``near``: other fields that will be asked for, so that one walk serves them all.
    """
    return _settings(source.language or "", source.text, near | {field}).get(field, ())


def with_requests(value: Value, source: Source, near: frozenset[str]) -> Value:
    """A value with what a request gave those fields of the own object that are in it, in whatever method it did so.

    PHP and Ruby, whose pages and controllers keep what they were asked for in fields; ``near`` as in ``set_to``.
    """
    if not value.taints or not keeps_requests(source):
        return value
    found = [
        _through(known, taint)
        for taint in value.taints
        if (field := field_of(taint)) is not None and _is_set_once(source.text, field)
        for given in set_to(source, field, near)
        for known in given.taints
        if known.origin.level is Level.REQUEST
    ]
    return with_taints(value, unite((*found, *value.taints))) if found else value


def keeps_requests(source: Source) -> bool:
    """Whether fields of a file may hold what a request gave: pages and controllers in PHP and Ruby."""
    reads = _READS.get(source.language or "")
    return reads is not None and bool(first_in(reads, source.text))


def are_cut(source: Source, fields: frozenset[str]) -> bool:
    """Whether what sets these fields was looked for in a part of a file only."""
    return analyse_fields(source.language or "", source.text, fields).exhausted


@lru_cache(maxsize=256)
def _is_set_once(text: str, field: str) -> bool:
    """Whether a file gives a field a value in one place: what is set again may have been checked in between."""
    places = re.finditer(rf"(?:->|@){re.escape(field)}\b\s{{0,10}}(?:\?\?|\|\||\.)?=(?![=>~])", text)
    return len(list(islice(places, 2))) == 1


def _through(known: Taint, taint: Taint) -> Taint:
    """What a field was set to, on the way that the field's value went."""
    trail = known.trail
    for mark in (Mark(taint.origin.line, f"read from {taint.origin.label}", None), *trail_of(taint)):
        trail = Mark(mark.line, mark.note, trail)
    return Taint(known.origin, taint.place, trail, known.cleaned | taint.cleaned, (*known.asks, *taint.asks))


def is_set_here(text: str, field: str) -> bool:
    """Whether a file gives a field of its objects any value."""
    return field in _set_here(text)


@lru_cache(maxsize=8)
def _set_here(text: str) -> frozenset[str]:
    return frozenset(_SET.findall(text))


@lru_cache(maxsize=8)
def _settings(language: str, text: str, fields: frozenset[str]) -> Mapping[str, tuple[Value, ...]]:
    analysis = analyse_fields(language, text, fields)
    found: dict[str, list[Value]] = {}
    for call in analysis.calls:
        if call.sets and call.arguments and (match := _FIELD.match(call.callee[:-1])) is not None:
            found.setdefault(match.group(1), []).append(call.arguments[0].value)
    for item in analysis.returns:
        if item.value.taints and all(parameter.name in _OWN for parameter in item.scope.parameters):
            found.setdefault(item.scope.name, []).append(item.value)
    return MappingProxyType({name: tuple(values[-_MAX_SET:]) for name, values in found.items()})


def runner_of(call: CallRecord, value: Value) -> Runner | None:
    """The function that hands its parameter on to a sink as it is; ``None`` when the value is anything else."""
    if value.skeleton != HOLE or value.collection or len(value.taints) != 1 or call.via or call.elsewhere is not None:
        return None
    taint = value.taints[0]
    if taint.origin.level is not Level.PARAMETER or taint.cleaned or taint.asks:
        return None
    name = taint.origin.label
    names = [parameter.name for parameter in call.scope.parameters if parameter.name not in _OWN]
    if not call.scope.name or name not in names:
        return None
    return Runner(call.scope.name, name, names.index(name))


def handed_to(runner: Runner, calls: Iterable[CallRecord]) -> Iterable[tuple[CallRecord, Value]]:
    """The calls of one that put something together for it."""
    for call in calls:
        owner, _, name = call.callee.rpartition(".")
        if name != runner.name or owner not in _OWN or call.via or call.elsewhere is not None:
            continue
        value = call.argument(runner.position, runner.parameter)
        if value is not None and value.taints and not value.collection and value.skeleton not in (None, HOLE):
            yield call, value
