"""What a condition proves about values when it holds, and when it does not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import HOLE, Level, Value

ALLOWED = "allowed"
MAX_FACTS = 12


@dataclass(frozen=True, slots=True)
class Fact:
    """``ALLOWED``: the named value is one of a known few. A purpose (``PATH``): the origins stay inside a folder."""

    what: str
    key: str | None = None
    origins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a condition for both of its outcomes."""

    if_true: tuple[Fact, ...] = ()
    if_false: tuple[Fact, ...] = ()

    def negated(self) -> Facts:
        """The facts of ``not condition``."""
        return Facts(self.if_false, self.if_true)


NOTHING = Facts()
_CHARACTER_TESTS = frozenset({"isdigit", "isalnum", "isidentifier", "isdecimal", "isnumeric", "isalpha"})
_MEMBERSHIP_CALLS = frozenset({"includes", "has", "hasOwnProperty", "contains", "hasOwn", "__contains__"})
_MATCHERS = frozenset({"match", "fullmatch", "test"})
_WILD = re.compile(r"(?<!\\)\.[*+]|\[\^")


def both(one: Facts, other: Facts, *, conjunction: bool) -> Facts:
    """The facts of ``one and other`` or ``one or other``."""
    if conjunction:
        return Facts((*one.if_true, *other.if_true)[:MAX_FACTS])
    return Facts((), (*one.if_false, *other.if_false)[:MAX_FACTS])


def contained(value: Value) -> tuple[Fact, ...]:
    """The origins of a value are inside a folder."""
    return (Fact(Purpose.PATH, origins=tuple(taint.origin.id for taint in value.taints)),) if value.taints else ()


def allowed(key: str | None) -> tuple[Fact, ...]:
    """The value under a key is one of a known few."""
    return (Fact(ALLOWED, key=key),) if key else ()


def is_constant(value: Value) -> bool:
    """Whether a value is literal text."""
    return value.skeleton is not None and not value.collection and HOLE not in value.skeleton and not value.taints


def of_comparison(operator: str, left: Value, right: Value, keys: tuple[str | None, str | None]) -> Facts:
    """What a comparison proves; ``keys`` are the names of both sides."""
    negative = operator in ("!=", "!==", "not in", "is not")
    if operator in ("in", "not in"):
        facts = _membership(left, right, keys)
    elif operator in ("==", "===", "!=", "!==", "is", "is not"):
        facts = _equality(left, right, keys)
    elif left.role == "index" and operator in (">", ">=", "<"):
        return Facts((), contained(left)) if operator != "<" else Facts(contained(left))
    else:
        return NOTHING
    return facts.negated() if negative else facts


def _membership(left: Value, right: Value, keys: tuple[str | None, str | None]) -> Facts:
    if is_constant(left) and left.skeleton in ("..", "../", "/", "\\"):
        return Facts((), contained(right) if left.skeleton.startswith("..") else ())
    if keys[1] is not None and keys[1].endswith(".parents"):
        return Facts(contained(right) if right.resolved else ())
    if any(taint.origin.level > Level.UNKNOWN for taint in right.taints) or is_constant(right):
        return NOTHING
    return Facts(allowed(keys[0]))


def _equality(left: Value, right: Value, keys: tuple[str | None, str | None]) -> Facts:
    for value in (left, right):
        if value.role == "commonpath" or (value.role == "dirname" and value.resolved):
            return Facts(contained(value))
        if value.role == "index":
            return Facts((), contained(value)) if not value.resolved else Facts(contained(value))
    if is_constant(right):
        return Facts(allowed(keys[0]))
    return Facts(allowed(keys[1])) if is_constant(left) else NOTHING


def of_call(callee: str, receiver: Value | None, arguments: list[Value], keys: tuple[str | None, str | None]) -> Facts:
    """What a call proves when its result is true; ``keys`` are those of the receiver and the first argument."""
    method = callee.rpartition(".")[2]
    first = arguments[0] if arguments else None
    if method in _CHARACTER_TESTS:
        return Facts(allowed(keys[0]))
    if receiver is not None and method in ("is_relative_to", "startswith", "startsWith"):
        return _prefix(method, receiver, first)
    if method in _MEMBERSHIP_CALLS and first is not None and receiver is not None:
        if is_constant(first):
            return Facts((), contained(receiver)) if (first.skeleton or "").startswith("..") else NOTHING
        suspicious = any(taint.origin.level > Level.UNKNOWN for taint in receiver.taints)
        return NOTHING if suspicious else Facts(allowed(keys[1]))
    if method in _MATCHERS:
        return _pattern(receiver, arguments, keys)
    return Facts(contained(arguments[-1])) if method == "isAbsolute" and receiver is None else NOTHING


def _prefix(method: str, receiver: Value, first: Value | None) -> Facts:
    """A prefix proves something of a resolved path only: ``base/../..`` also begins with ``base``."""
    if method == "is_relative_to":
        return Facts(contained(receiver) if receiver.resolved else ())
    if first is not None and is_constant(first) and (first.skeleton or "").startswith(".."):
        return Facts((), contained(receiver)) if receiver.role == "relative" or receiver.resolved else NOTHING
    if first is not None and is_constant(first) and len(first.skeleton or "") <= 1:
        return NOTHING
    return Facts(contained(receiver) if receiver.resolved else ())


def _pattern(receiver: Value | None, arguments: list[Value], keys: tuple[str | None, str | None]) -> Facts:
    """A match with a pattern that is not a wildcard; one that is not known here is trusted to be strict."""
    texts = [value for value in arguments if is_constant(value)]
    pattern = (
        texts[0].skeleton if texts else receiver.skeleton if receiver is not None and is_constant(receiver) else None
    )
    if pattern is not None and _WILD.search(pattern):
        return NOTHING
    return Facts(allowed(keys[1] or keys[0]))
