"""What an expression of a template writes, by its names and calls: nothing of it is followed beyond the template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules import template_names as names
from devpulse.core.templates.expressions import parse_expression
from devpulse.core.templates.nodes import Kind, Node
from devpulse.core.templates.tokens import Syntax

MAX_DEPTH = 40
_KEYED = lazy(r"^(?:get|getAttribute|getFlash|flash|session|attribute|data|getVar|getValue)$")
_FOLLOWED = 3
"""Names that are looked up for one expression, one behind the other."""


class Writes(IntEnum):
    """What is written, the worst last."""

    NOTHING = 0  # that anybody else could choose
    UNKNOWN = 1
    DATA = 2
    REQUEST = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """How expressions of one template are read: ``assigned`` are the names it sets itself, ``traced`` says that rules
    over data flow know what these hold."""

    syntax: Syntax
    assigned: Mapping[str, str]
    traced: bool = False
    depth: int = 0
    followed: int = 0

    def deeper(self) -> Reading:
        """The same, one value further in."""
        return replace(self, depth=self.depth + 1)

    def behind(self) -> Reading:
        """The same, behind one name more."""
        return replace(self, depth=0, followed=self.followed + 1)


def written(node: Node, reading: Reading) -> Writes:
    """The worst that a value may be."""
    if reading.depth > MAX_DEPTH:
        return Writes.UNKNOWN
    inner = reading.deeper()
    if node.kind in (Kind.TEXT, Kind.EITHER, Kind.LIST):
        return _worst(node.parts, inner)
    if node.kind is Kind.PLAIN:
        return Writes.NOTHING
    if node.kind is Kind.NAME:
        return _named(node, reading)
    if node.kind is Kind.MEMBER:
        return _member(node, inner)
    return _called(node, inner) if node.kind is Kind.CALL else Writes.UNKNOWN


def declared_safe(node: Node, depth: int = 0) -> Iterator[Node]:
    """The values in an expression that it tells the engine not to escape, unless a cleaner is called around them."""
    if depth > MAX_DEPTH:
        return
    if node.kind is Kind.CALL or (node.kind is Kind.MEMBER and not node.index):
        last = _last(node.name)
        if names.DECLARES_SAFE.match(last):
            yield from (part for part in (node.receiver, *node.parts) if part is not None and _is_value(part))
            return
        if node.kind is Kind.CALL and names.CLEANERS.match(last):
            return
    for part in (node.receiver, *node.parts):
        if part is not None:
            yield from declared_safe(part, depth + 1)


def _is_value(node: Node) -> bool:
    """Whether it is not the class or object that a function is called on, as in ``Html.Raw``."""
    return not (
        node.kind is Kind.NAME and node.name in ("Html", "markupsafe", "jinja2", "Template", "HTML", "safestring")
    )


def _worst(parts: tuple[Node, ...], reading: Reading) -> Writes:
    return max((written(part, reading) for part in parts), default=Writes.NOTHING)


def _bare(name: str) -> str:
    return name.lstrip("$@\\")


def _last(name: str) -> str:
    return name.rpartition("::")[2].rpartition("\\")[2]


def _named(node: Node, reading: Reading) -> Writes:
    expression = reading.assigned.get(node.name)
    if expression is not None and reading.followed < _FOLLOWED:
        value = parse_expression(expression, reading.syntax)
        writes = written(value, reading.behind())
        own = reading.traced and value.path().partition(".")[0] not in reading.syntax.requests
        return Writes.UNKNOWN if own and writes is Writes.REQUEST else writes
    name = _bare(node.name)
    if names.REQUEST.match(name) or name in reading.syntax.requests:
        return Writes.REQUEST
    if names.HARMLESS.match(name) or names.BUILDERS.match(name):
        return Writes.NOTHING
    if names.MARKUP.search(name):
        return Writes.UNKNOWN
    return Writes.DATA if names.PLAIN_TEXTS.match(name) else Writes.UNKNOWN


def _member(node: Node, reading: Reading) -> Writes:
    path = ".".join(map(_bare, node.path().split(".")))
    if _is_sent(path, reading):
        is_call = reading.syntax.ruby and not node.index and names.CLEANERS.match(node.name)
        return Writes.NOTHING if is_call else Writes.REQUEST
    owner, name = node.receiver, _getter(node.name)
    if owner is None or owner.kind not in (Kind.NAME, Kind.MEMBER, Kind.CALL):
        return Writes.UNKNOWN if owner is None else written(owner, reading)
    if not names.TEXTS.match(name):
        if names.TRANSPARENT.match(name):
            return written(owner, reading)
        if names.CLEANERS.match(name) or names.HARMLESS.match(name):
            return Writes.NOTHING
    is_clean = owner.kind is Kind.CALL and names.CLEANERS.match(_last(owner.name)) is not None
    return Writes.NOTHING if is_clean else _field(_owner(owner), name)


def _is_sent(path: str, reading: Reading) -> bool:
    """Whether a path is one of the request's that the client chooses."""
    first, dot, _ = path.partition(".")
    by_name = (dot and first in reading.syntax.requests) or names.REQUEST.match(path) is not None
    return bool(by_name) and names.NOT_SENT.search(path) is None


def _owner(node: Node) -> str:
    """What an object is called; the function that gives it, without ``get``."""
    name = _getter(_bare(_last(node.name)))
    if name in (
        "this",
        "self",
        "vm",
        "props",
        "data",
        "item",
        "row",
        "",
        "object",
        "entity",
        "model",
        "Model",
        "it",
    ) and (node.receiver is not None and node.receiver.kind in (Kind.NAME, Kind.MEMBER, Kind.CALL)):
        return _bare(node.receiver.name)
    return name


def _field(owner: str, name: str) -> Writes:
    """What a field of an object holds; one without a name is an index that is computed."""
    if owner == "flash":
        return Writes.DATA
    if not name or owner in _COMPONENTS:
        is_text = names.PLAIN_TEXTS.match(name) is not None and names.MARKUP.search(name) is None
        is_text = is_text and name not in ("label", "description", "caption")  # which one part gives another
        return Writes.DATA if is_text else Writes.UNKNOWN
    of_people = names.PEOPLE.match(owner) is not None
    if names.OWN.match(owner) or names.MARKUP.search(name) or not names.TEXTS.match(name):
        return Writes.DATA if of_people and name in ("content", "contents", "summary") else Writes.UNKNOWN
    if names.LONG_TEXTS.match(name) and not of_people:  # perhaps written in an editor, and cleaned when it was stored
        short = _is_item(owner) and name in ("message", "text", "body")
        described = name.lower().endswith("description") and names.OFFERED.match(owner) is None
        return Writes.DATA if short or described else Writes.UNKNOWN
    return Writes.DATA


_COMPONENTS = frozenset({"this", "vm", "locals", "data", "props", "$data"})
"""What holds the variables of a template themselves."""


def _is_item(owner: str) -> bool:
    return owner in (
        "item",
        "row",
        "entry",
        "record",
        "obj",
        "object",
        "task",
        "project",
        "event",
        "group",
        "issue",
        "i",
    )


def _getter(name: str) -> str:
    """The field that a getter gives."""
    for start in ("get_", "get"):
        rest = name.removeprefix(start)
        if rest != name and (start == "get_" or rest[:1].isupper()):
            return rest[:1].lower() + rest[1:]
    return name


def _called(node: Node, reading: Reading) -> Writes:
    last = _last(_bare(node.name))
    path = ".".join(map(_bare, node.path().split(".")))
    undoes = names.UNDOES.search(last) is not None
    if names.CLEANERS.match(last) and not undoes:
        return Writes.NOTHING
    if _is_sent(path, reading) or (node.receiver is None and node.name in ("old", "request") and node.parts):
        return Writes.REQUEST
    if names.TRANSLATES.match(last) and (node.parts or node.receiver is not None):
        return _translated(node, reading)
    hands_on = (names.DECLARES_SAFE, names.TRANSPARENT)
    if undoes or any(name.match(last) for name in hands_on) or names.TRANSPARENT.match(_bare(node.name)):
        return _worst((_undone(node),) if undoes else _handed_on(node), reading)
    if names.ADDRESSES.match(last) or names.BUILDERS.match(last) or names.BUILDERS.match(_bare(node.name)):
        return _of_getter(node) if _is_getter(node) else Writes.NOTHING
    return _of_getter(node) if _is_getter(node) else _of_key(node, last)


def _undone(node: Node) -> Node:
    """What a call that takes back what cleaners did was made of."""
    inner = _given(node)
    while inner.kind is Kind.CALL and names.CLEANERS.match(_last(_bare(inner.name))):
        inner = _given(inner)
    return inner


def _given(node: Node) -> Node:
    """The first argument of a call, else what it is called on."""
    return node.parts[0] if node.parts else node.receiver or Node(Kind.UNKNOWN)


def _handed_on(node: Node) -> tuple[Node, ...]:
    """What of a call is in its result. What a function called ``strip`` takes away nobody knows."""
    if node.receiver is None and node.name == "strip":
        return (Node(Kind.UNKNOWN),)
    if node.receiver is None or not _is_value(node.receiver):
        return node.parts
    return (node.receiver, *node.parts) if names.FILLED.match(node.name) else (node.receiver,)


def _is_getter(node: Node) -> bool:
    """Whether a call reads a field: without arguments, of an object."""
    return not node.parts and node.receiver is not None and node.receiver.kind in (Kind.NAME, Kind.MEMBER, Kind.CALL)


def _of_getter(node: Node) -> Writes:
    name = _getter(node.name)
    if names.HARMLESS.match(name) or node.receiver is None:
        return Writes.NOTHING
    if name.lower().endswith(("url", "link", "uri", "path", "label")):
        return Writes.UNKNOWN
    return _field(_owner(node.receiver), name)


def _of_key(node: Node, called: str) -> Writes:
    """What a function finds under a name."""
    key = node.parts[0] if len(node.parts) == 1 else None
    is_text = key is not None and _KEYED.match(called) is not None and names.PLAIN_TEXTS.match(key.name) is not None
    return Writes.DATA if is_text else Writes.UNKNOWN


def _translated(node: Node, reading: Reading) -> Writes:
    """A message: what is put into it is written too, unless the key says that the library escapes that."""
    of_filter = node.receiver is not None and node.receiver.kind is Kind.TEXT
    key, values = (node.receiver, node.parts) if of_filter or not node.parts else (node.parts[0], node.parts[1:])
    if key is not None and key.kind is Kind.TEXT and key.name.endswith(("_html", ".html")):
        return Writes.NOTHING
    return (
        _worst(values, reading)
        if key is None or key.kind is Kind.TEXT
        else max(Writes.UNKNOWN, _worst(values, reading))
    )
