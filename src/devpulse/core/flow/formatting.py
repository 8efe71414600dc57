"""Texts with places for values: each value gets the place that the text before it gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import CLEAN, Taint, Value, concatenate, join, text, unite

NUMERIC = frozenset("dioxXeEfFgG")
"""What stands for a number in a text with places."""

_AS_NUMBER = frozenset(Purpose) - {Purpose.SQL}
"""Safe for everything; what a statement is put together from is still asked for as such."""


@dataclass(frozen=True, slots=True)
class Passed:
    """One argument of a call with its value; ``spread`` when it is a collection that gives several."""

    keyword: str | None
    value: Value
    spread: bool = False


def format_braces(template: Value, arguments: Sequence[Passed]) -> Value:
    """``"… {} {name}".format(…)``: each argument at its place."""
    positional = [argument.value for argument in arguments if argument.keyword is None]
    named = {argument.keyword: argument.value for argument in arguments if argument.keyword is not None}
    everything = join(argument.value for argument in arguments) if arguments else CLEAN
    parts: list[Value] = []
    position = count = 0
    skeleton = template.skeleton or ""
    for match in re.finditer(r"\{\{|\}\}|\{(\w*)[^{}:]*(:[^{}]*)?\}", skeleton):
        parts.append(text(skeleton[position : match.start()]))
        position = match.end()
        if match.group() in ("{{", "}}"):
            continue
        name = match.group(1)
        if name == "" or name.isdigit():
            index = int(name[:4]) if name else count
            count += 1
            value = positional[index] if index < len(positional) else everything
        else:
            value = named.get(name, everything)
        parts.append(_number(value) if (match.group(2) or "")[-1:] in tuple("dfxX") else value)
    parts.append(text(skeleton[position:]))
    return _with(concatenate(parts), template.taints)


TEXT_TEMPLATE = "text template"
"""The role of a text with places that names are put into: Python's ``string.Template``."""

_PLACES = re.compile(r"\$(?:(\w{1,80})|\{(\w{1,80})\})")


def fill_places(template: Value, arguments: Sequence[Passed]) -> Value:
    """``Template("… $name …").substitute(name=…)``, where the names may also be those of a table."""
    tables = [argument.value for argument in arguments if argument.keyword is None]
    named = {name: value for table in tables for name, value in table.fields}
    named |= {argument.keyword: argument.value for argument in arguments if argument.keyword is not None}
    others = join(replace(table, fields=(), collection=False) for table in tables if not table.fields)
    parts: list[Value] = []
    position, skeleton = 0, template.skeleton or ""
    for match in _PLACES.finditer(skeleton):
        parts += [text(skeleton[position : match.start()]), named.get(match.group(1) or match.group(2), others)]
        position = match.end()
    return concatenate([*parts, text(skeleton[position:])])


def format_percent(template: Value, argument: Value, items: Sequence[Value] | None) -> Value:
    """``"… %s …" % …``: each argument at its place; ``%d`` becomes a number or raises."""
    skeleton = template.skeleton or ""
    parts: list[Value] = []
    position = count = 0
    for match in re.finditer(r"%(?:\((\w+)\))?[-+ #0]*[\d.*]*([a-zA-Z%])", skeleton):
        parts.append(text(skeleton[position : match.start()]))
        position = match.end()
        if match.group(2) == "%":
            parts.append(text("%"))
            continue
        if match.group(1):
            value = argument.field(match.group(1)) or replace(argument, fields=(), collection=False)
        else:
            value = argument if items is None else items[count] if count < len(items) else CLEAN
            count += 1
        parts.append(_number(value) if match.group(2) in NUMERIC else value)
    parts.append(text(skeleton[position:]))
    return _with(concatenate(parts), template.taints)


def _with(value: Value, taints: tuple[Taint, ...]) -> Value:
    return replace(value, taints=unite((*value.taints, *taints)))


def _number(value: Value) -> Value:
    """A value at a place that takes numbers alone."""
    if not value.taints:
        return CLEAN
    return Value(tuple(replace(taint, cleaned=taint.cleaned | _AS_NUMBER) for taint in value.taints))


def translated(arguments: Sequence[Passed]) -> Value | None:
    """A constant text in another language: it has the same places for values. ``None`` for any other."""
    first = arguments[0].value if arguments else None
    if first is None or first.taints or first.skeleton is None or first.collection:
        return None
    return Value(skeleton=first.skeleton)
