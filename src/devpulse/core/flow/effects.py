"""Calls that change what they are called on, or put a value together: by names that no library's function has."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from devpulse.core.flow.facts import HOST
from devpulse.core.flow.formatting import NUMERIC, Passed, format_percent
from devpulse.core.flow.operations import Call
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.replacing import HOST_TEXT
from devpulse.core.flow.transfers import call_result
from devpulse.core.flow.values import CLEAN, HOLE, Value, cleaned, concatenate, join, shallow, unite

MAX_FIELDS = 60
_VERB = re.compile(r"%(?:(\d{1,2})\$|\[(\d{1,2})\])?[-+ #0,(]*[\d.*]*([a-zA-Z%])")


def _append_text(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return concatenate([*_begun(receiver), *(argument.value for argument in arguments)])


def _prepend_text(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``builder.insert(0, text)``."""
    return concatenate([*(argument.value for argument in arguments[-1:]), *_begun(receiver)])


def format_verbs(values: Sequence[Value]) -> Value:
    """``sprintf(template, …)``: the template is the first text, a locale may stand before it.

    ``%1$s`` and ``%[1]s`` name their argument, ``%n`` is a line's end.
    """
    index = next((index for index, value in enumerate(values) if value.skeleton is not None), None)
    skeleton = values[index].skeleton or "" if index is not None else ""
    if index is None or "%" not in skeleton:
        return concatenate(values) if values else CLEAN
    given = list(values[index + 1 :])
    if len(given) == 1 and given[0].collection:  # one array with all of them
        given = [item for _, item in given[0].fields] or [replace(given[0], collection=False)] * skeleton.count("%")
    items: list[Value] = []
    for match in _VERB.finditer(skeleton):
        number = match.group(1) or match.group(2)
        place = int(number) - 1 if number else len(items)
        if match.group(3) not in "%n":
            numeric = match.group(3) in NUMERIC
            items.append(given[place] if 0 <= place < len(given) and not numeric else CLEAN)
    plain = _VERB.sub(lambda match: "\n" if match.group(3) == "n" else f"%{match.group(3)}", skeleton)
    return format_percent(replace(values[index], skeleton=plain), join(given), items)


def _append_format(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return concatenate([*_begun(receiver), format_verbs([argument.value for argument in arguments])])


def _begun(receiver: Value | None) -> list[Value]:
    """What stands in a text already; one that nothing is known of is empty."""
    return [receiver] if receiver is not None and receiver != CLEAN else []


def _format_verbs(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    template = [receiver] if receiver is not None and receiver.skeleton is not None else []
    return format_verbs([*template, *(argument.value for argument in arguments)])


def _add_item(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    owner = receiver or CLEAN
    items = [(str(len(owner.fields) + index), argument.value) for index, argument in enumerate(arguments)]
    return _collected(owner, items)


def _put_item(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    owner = receiver or CLEAN
    key = arguments[0].value if len(arguments) > 1 else CLEAN
    name = key.skeleton if key.skeleton is not None and not key.taints else str(len(owner.fields))
    return _collected(owner, [(name, argument.value) for argument in arguments[-1:]])


def _make_record(_receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return _collected(CLEAN, [(item.keyword or str(index), item.value) for index, item in enumerate(arguments)])


def _collected(owner: Value, items: Sequence[tuple[str, Value]]) -> Value:
    fields = {**dict(owner.fields), **{name: shallow(value) for name, value in items}}
    skeletons = (value.skeleton for value in fields.values() if value.skeleton is not None)
    return replace(
        owner,
        taints=unite([*owner.taints, *(taint for _, value in items for taint in value.taints)]),
        skeleton=next(skeletons, None),
        fields=tuple(fields.items())[:MAX_FIELDS],
        collection=True,
    )


def _rooted_path(_receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """Go's ``filepath.Clean``: without ``..``, and below the root when it begins there."""
    value = join(argument.value for argument in arguments)
    result = replace(value, resolved=True)
    rooted = (value.skeleton or "").startswith("/")
    return cleaned(result, Purpose.PATH) if rooted and len(value.skeleton or "") > 1 else result


def _last_of_path(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``getName`` of a path is its last part, of anything else just a member."""
    value = join([receiver, *(argument.value for argument in arguments)] if receiver is not None else [])
    return cleaned(value, Purpose.PATH) if value.path else replace(value, collection=False, fields=())


def _host_of(receiver: Value | None, _arguments: Sequence[Passed]) -> Value:
    """The host of an address: what it is compared with says where the address leads."""
    return replace(receiver, skeleton=HOLE, fields=(), collection=False, role=HOST) if receiver is not None else CLEAN


def _host_text(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """What was read as the name or the number of a host."""
    value = receiver if receiver is not None else join(argument.value for argument in arguments)
    for purpose in HOST_TEXT:
        value = cleaned(value, purpose)
    return replace(value, collection=False, fields=(), role="")


def _clear(_receiver: Value | None, _arguments: Sequence[Passed]) -> Value:
    return CLEAN


Effect = Callable[[Value | None, Sequence[Passed]], Value]
EFFECTS: dict[str, Effect] = {
    "append_text": _append_text,
    "prepend_text": _prepend_text,
    "append_format": _append_format,
    "format_verbs": _format_verbs,
    "add_item": _add_item,
    "put_item": _put_item,
    "make_record": _make_record,
    "rooted_path": _rooted_path,
    "last_of_path": _last_of_path,
    "host_of": _host_of,
    "host_text": _host_text,
    **dict.fromkeys(("clear", "test", "fullmatch", "preg_match", "subject_match", "equals", "isalnum"), _clear),
}
"""By the name an adapter gives as what a call is like."""


def result_of(operation: Call, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """The value of a call, by what it is like or else by its own name."""
    effect = EFFECTS.get(operation.like)
    if effect is not None:
        return effect(receiver, arguments)
    return call_result(operation.like or operation.callee, receiver, arguments)


def as_method(operation: Call, passed: Sequence[Passed]) -> tuple[Call, tuple[Passed, ...]]:
    """The call with its subject as the receiver, and the arguments that are left."""
    if operation.subject is None:
        return operation, tuple(passed)
    pairs = zip(operation.arguments, passed, strict=True)
    rest = [(argument, value) for argument, value in pairs if argument.node != operation.subject]
    arguments = tuple(argument for argument, _ in rest)
    return replace(operation, receiver=operation.subject, arguments=arguments), tuple(value for _, value in rest)


def filled(result: Value, parts: Sequence[Value]) -> Value:
    """What a call writes to its out-arguments: what it reads itself, or what it was given."""
    value = result if result.taints else join(parts)
    return replace(value, fields=(), collection=False, role="") if value.taints else CLEAN
