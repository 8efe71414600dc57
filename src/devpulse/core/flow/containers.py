"""Collections whose elements are known one by one: reading, changing, and what is left of that when one is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.values import CLEAN, MAX_FIELDS, Value, concatenate, join, shallow, unite

SECTIONS = "sections"
"""The role of a configuration in memory, whose values have a section and a key."""

BUFFER = "buffer"
"""The role of a text in memory that is written to: its value is what was written so far."""

_BUFFERS = frozenset({"StringIO", "BytesIO"})
_EMPTY = frozenset({
    "list", "dict", "set", "Map", "Set", "Array", "ArrayList", "HashMap", "LinkedHashMap", "TreeMap", "LinkedList",
    "OrderedDict", "defaultdict", "deque", "collections.OrderedDict", "collections.defaultdict", "collections.deque",
    "HashSet", "WeakMap", "Object", "Hashtable", "Vector", "array",
})  # fmt: skip
_PARSERS = frozenset({"ConfigParser", "RawConfigParser", "SafeConfigParser"})
_READS = frozenset({"get", "pop", "getOrDefault", "setdefault", "elementAt", "getProperty"})


def created(callee: str, arguments: Sequence[Passed]) -> Value | None:
    """An empty collection that a call makes."""
    if callee.rpartition(".")[2] in _PARSERS:
        return Value(collection=True, exact=True, role=SECTIONS)
    if callee.rpartition(".")[2] in _BUFFERS:
        begun = [argument.value for argument in arguments[:1]]
        return replace(concatenate(begun), role=BUFFER, constant=None)
    if callee in _EMPTY and not any(argument.keyword is None and argument.value.taints for argument in arguments):
        listed = [argument for argument in arguments if argument.keyword is not None]
        if len(listed) == len(arguments):
            return put_all(Value(collection=True, exact=True), [(item.keyword or "", item.value) for item in listed])
    return None


def put_all(value: Value, items: Sequence[tuple[str, Value]]) -> Value:
    """The collection with several of its elements set."""
    return _with(value, {**dict(value.fields), **{key: shallow(item) for key, item in items}})


def put(value: Value, key: Value, item: Value) -> Value:
    """The collection with one element set; at a key that is not known it may have replaced any, and is anywhere."""
    name = key_of(value, key)
    if name is not None:
        return put_all(value, [(name, item)])
    return replace(value, taints=unite((*value.taints, *item.taints)), exact=value.exact and not item.taints, fields=(
        value.fields if not item.taints else ()
    ), skeleton=value.skeleton if value.skeleton is not None else item.skeleton)  # fmt: skip


def element(value: Value, key: Value) -> Value | None:
    """The element at a constant key; ``None`` when that is not known."""
    name = key_of(value, key)
    if name is None or not value.collection:
        return None
    found = value.field(name)
    return found if found is not None or not value.exact else CLEAN


def key_of(value: Value, key: Value) -> str | None:
    """A constant key as fields have it; a negative index counts from the end of a list that is known as a whole."""
    constant = key.constant
    if isinstance(constant, int) and not isinstance(constant, bool) and constant < 0:
        return str(len(value.fields) + constant) if value.exact and -constant <= len(value.fields) else None
    return str(constant) if constant is not None else None


def _with(value: Value, fields: dict[str, Value]) -> Value:
    """The collection with other fields: one that is known as a whole has their taints, and no others."""
    kept = () if value.exact else value.taints
    fits = len(fields) <= MAX_FIELDS
    return replace(
        value,
        fields=tuple(fields.items())[:MAX_FIELDS],
        taints=unite((*kept, *(taint for field in fields.values() for taint in field.taints))),
        exact=value.exact and fits,
    )


def _listed(value: Value, items: list[Value]) -> Value:
    return _with(replace(value, fields=()), {str(index): shallow(item) for index, item in enumerate(items)})


def changed(method: str, value: Value, arguments: Sequence[Passed]) -> tuple[Value, Value] | None:
    """A known collection after a method changed it, with the method's result; ``None`` for any other call."""
    given = [argument.value for argument in arguments]
    if not value.collection:
        return None
    if value.role == SECTIONS:
        return _of_sections(method, value, given)
    change = _CHANGES.get((method, len(given)))
    if change is not None:
        return change(value, given), CLEAN
    if method in ("pop", "remove", "delete", "shift", "popleft", "removeFirst") and value.exact:
        return _shortened(method, value, given)
    return None


def written(method: str, buffer: Value, arguments: Sequence[Passed]) -> tuple[Value, Value] | None:
    """A text in memory after a method of it, with the method's result; ``None`` for what is no writing or reading."""
    given = [argument.value for argument in arguments]
    if method == "write" and len(given) == 1:
        begun = [buffer] if buffer.skeleton else []
        return replace(concatenate([*begun, given[0]]), role=BUFFER), CLEAN
    if method == "writelines" and len(given) == 1:
        return replace(concatenate([buffer, replace(given[0], fields=(), collection=False)]), role=BUFFER), CLEAN
    if method == "truncate":
        return (Value(skeleton="", role=BUFFER) if given else buffer), CLEAN
    return (buffer, replace(buffer, role="")) if method in ("getvalue", "read", "readlines", "getbuffer") else None


def _at_end(value: Value, given: list[Value]) -> Value:
    return _listed(value, [*_items(value), *given]) if value.exact else put(value, CLEAN, given[0])


def _at_front(value: Value, given: list[Value]) -> Value:
    return _listed(value, [*given, *_items(value)]) if value.exact else put(value, CLEAN, given[0])


def _at_place(value: Value, given: list[Value]) -> Value:
    at, items = given[0].constant, _items(value)
    if value.exact and isinstance(at, int):
        return _listed(value, [*items[:at], given[1], *items[at:]])
    return put(value, CLEAN, given[1])


def _extend(value: Value, given: list[Value]) -> Value:
    if value.exact and given[0].exact:
        return _listed(value, [*_items(value), *_items(given[0])])
    return replace(value, taints=unite((*value.taints, *given[0].taints)), exact=False, fields=())


def _update(value: Value, given: list[Value]) -> Value:
    return (
        put_all(value, given[0].fields)
        if value.exact and given[0].exact
        else _extend(replace(value, exact=False), given)
    )


_CHANGES: dict[tuple[str, int], Callable[[Value, list[Value]], Value]] = {
    **dict.fromkeys(((name, 1) for name in ("append", "add", "push", "addLast", "offer")), _at_end),
    **dict.fromkeys(((name, 1) for name in ("appendleft", "unshift", "addFirst")), _at_front),
    **dict.fromkeys(((name, 2) for name in ("insert", "add")), _at_place),
    **dict.fromkeys(
        ((name, 2) for name in ("put", "set", "setdefault", "setProperty", "__setitem__")),
        lambda value, given: put(value, given[0], given[1]),
    ),
    **dict.fromkeys(((name, 1) for name in ("extend", "addAll")), _extend),
    **dict.fromkeys(((name, 1) for name in ("update", "putAll")), _update),
    ("clear", 0): lambda value, _: replace(value, fields=(), taints=(), exact=True),
}


def _items(value: Value) -> list[Value]:
    return [item for _, item in value.fields]


def _shortened(method: str, value: Value, given: list[Value]) -> tuple[Value, Value] | None:
    """One element taken away: by its place, its key, or its value."""
    names = [name for name, _ in value.fields]
    numbered = names == [str(index) for index in range(len(names))]
    if not numbered:
        name = key_of(value, given[0]) if given else None
        if name is None:
            return None
        return _with(value, {key: item for key, item in value.fields if key != name}), value.field(name) or join(
            given[1:]
        )
    items = [item for _, item in value.fields]
    place = _place_of(method, items, given)
    if place is None or not items:
        return replace(value, exact=False, fields=()), replace(join(items), exact=False)
    taken = items.pop(place)
    return _listed(value, items), taken


def _place_of(method: str, items: list[Value], given: list[Value]) -> int | None:
    if method in ("shift", "popleft", "removeFirst"):
        return 0 if items else None
    at = given[0].constant if given else len(items) - 1
    if method == "remove" and not isinstance(at, int):  # by value
        equal = [index for index, item in enumerate(items) if item.constant is not None and item.constant == at]
        known = all(item.constant is not None for item in items[: equal[0] if equal else None])
        return equal[0] if equal and known else None
    return at if isinstance(at, int) and -len(items) <= at < len(items) else None


def _of_sections(method: str, value: Value, given: list[Value]) -> tuple[Value, Value] | None:
    """``set(section, key, value)`` and ``get(section, key)``."""
    if method == "set" and len(given) >= 3:
        section, key = given[0].constant, given[1].constant
        if section is None or key is None:
            return put(value, CLEAN, given[2]), CLEAN
        return put_all(value, [(f"{section}\n{key}", given[2])]), CLEAN
    if method == "get" and len(given) >= 2:
        section, key = given[0].constant, given[1].constant
        found = value.field(f"{section}\n{key}") if section is not None and key is not None else None
        whole = (
            CLEAN
            if value.exact and section is not None and key is not None
            else replace(value, fields=(), collection=False, role="")
        )
        return value, found or whole
    return (value, CLEAN) if method == "add_section" else None


def read(method: str, value: Value, arguments: Sequence[Passed]) -> Value | None:
    """What a method reads at a constant key of a known collection."""
    if method not in _READS or not value.collection or value.role == SECTIONS or not arguments:
        return None
    found = element(value, arguments[0].value)
    if found is CLEAN and len(arguments) > 1:
        return arguments[1].value
    return found
