"""What a condition proves about values when it holds, and when it does not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from devpulse.core.flow.patterns import kept_by, shape_of, undelimited
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.replacing import HOST_TEXT, safe_purposes
from devpulse.core.flow.values import HOLE, NULL, Level, Value, truth

ALLOWED = "allowed"
HOST = "host"
"""The role of the host of an address."""

MAX_FACTS = 12
BEGINS_QUOTED, ENDS_QUOTED, INSIDE_UNQUOTED = "begins quoted", "ends quoted", "inside unquoted"
LITERAL = frozenset({BEGINS_QUOTED, ENDS_QUOTED, INSIDE_UNQUOTED})
"""What is verified of a text that is one literal in quotes as a whole: such a text is no code."""

BEGINS_ROOT, NAMES_NO_HOST = "begins with a slash", "does not begin with two"
OF_THIS_SITE = frozenset({BEGINS_ROOT, NAMES_NO_HOST})
"""What is verified of an address that is a path of this site."""

QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True)
class Fact:
    """``ALLOWED``: the named value is one of a known few. A purpose (``PATH``): the origins stay inside a folder.

    ``idle``: it is there by the way only. A function that asks whether it was given anything checks nothing.
    """

    what: str
    key: str | None = None
    origins: tuple[int, ...] = ()
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a condition for both of its outcomes."""

    if_true: tuple[Fact, ...] = ()
    if_false: tuple[Fact, ...] = ()

    def negated(self) -> Facts:
        """The facts of ``not condition``."""
        return Facts(self.if_false, self.if_true)

    @property
    def checks(self) -> bool:
        """Whether who asks for the condition checks a value."""
        return not all(fact.idle for fact in (*self.if_true, *self.if_false))


NOTHING = Facts()
_CHARACTER_TESTS = frozenset({"isdigit", "isalnum", "isidentifier", "isdecimal", "isnumeric", "isalpha"})
_NUMBER_TESTS = {
    "isInteger": True, "isSafeInteger": True, "isFinite": True, "isNumber": True, "is_number": True, "isNaN": False,
    "is_no_number": False,
}  # fmt: skip
"""Javascript's, with what they say of a number; those with underscores are what its ``typeof`` is lowered to."""

_MEMBERSHIP_CALLS = frozenset({"includes", "has", "hasOwnProperty", "contains", "hasOwn", "__contains__"})
_SUBJECT_FIRST = frozenset({"preg_match", "subject_match"})
"""Matches that are lowered to a call on the text, with the pattern as the argument."""

_MATCHERS = frozenset({"match", "fullmatch", "test", "search"}) | _SUBJECT_FIRST


def both(one: Facts, other: Facts, *, conjunction: bool) -> Facts:
    """The facts of ``one and other`` or ``one or other``."""
    if conjunction:
        return Facts((*one.if_true, *other.if_true)[:MAX_FACTS], _either(one.if_false, other.if_false))
    return Facts(_either(one.if_true, other.if_true), (*one.if_false, *other.if_false)[:MAX_FACTS])


def _either(one: tuple[Fact, ...], other: tuple[Fact, ...]) -> tuple[Fact, ...]:
    shared = (_in_both(fact, told) for fact in one for told in other)
    return tuple(dict.fromkeys(fact for fact in shared if fact is not None))[:MAX_FACTS]


def _in_both(one: Fact, other: Fact) -> Fact | None:
    """What two facts say together; of different origins only those in both."""
    if one == other:
        return one
    origins = tuple(origin for origin in one.origins if origin in other.origins)
    return replace(one, origins=origins) if origins and (one.what, one.key) == (other.what, other.key) else None


def of_verdict(operator: str, facts: Facts, right: Value) -> Facts | None:
    """What comparing a condition with a constant proves: ``match(x) is None``, ``ok == False``."""
    if facts == NOTHING or operator not in ("==", "===", "!=", "!==", "is", "is not"):
        return None
    if right.role != NULL and right.constant not in (True, False):
        return None
    return facts if (truth(right) is True) is (operator in ("==", "===", "is")) else facts.negated()


def contained(value: Value) -> tuple[Fact, ...]:
    """The origins of a value are inside a folder."""
    return (Fact(Purpose.PATH, origins=tuple(taint.origin.id for taint in value.taints)),) if value.taints else ()


def same_host(value: Value) -> tuple[Fact, ...]:
    """The host of an address is a known one, or there is none: its origins lead nowhere else."""
    return (Fact(Purpose.URL, origins=tuple(taint.origin.id for taint in value.taints)),) if value.taints else ()


def unquoted(value: Value, quote: str) -> tuple[Fact, ...]:
    """A text has no quotes: it does not end a literal that it is put into."""
    origins = tuple(taint.origin.id for taint in value.taints)
    purposes = (Purpose.SQL, Purpose.XPATH) if quote == "'" else (Purpose.XPATH,)
    return tuple(Fact(purpose, origins=origins) for purpose in purposes) if origins else ()


def inside_unquoted(value: Value) -> tuple[Fact, ...]:
    """A text has no quotes but for its first and last character."""
    return _of_origins(INSIDE_UNQUOTED, value)


def _of_origins(what: str, value: Value) -> tuple[Fact, ...]:
    return (Fact(what, origins=tuple(taint.origin.id for taint in value.taints)),) if value.taints else ()


def allowed(key: str | None) -> tuple[Fact, ...]:
    """The value under a key is one of a known few."""
    return (Fact(ALLOWED, key=key),) if key else ()


def of_host_text(key: str | None) -> tuple[Fact, ...]:
    """The value under a key is the name or the number of a host."""
    return tuple(Fact(purpose, key=key) for purpose in HOST_TEXT) if key is not None else ()


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
    if is_constant(left) and left.skeleton in QUOTES:
        return Facts((), unquoted(right, left.skeleton))
    if left.role == HOST and not is_constant(right):
        distrusted = any(taint.origin.level > Level.UNKNOWN for taint in right.taints)
        return NOTHING if distrusted else Facts(same_host(left))
    if is_constant(left) and left.skeleton in ("..", "../", "/", "\\"):
        return Facts((), contained(right) if left.skeleton.startswith("..") else ())
    if keys[1] is not None and keys[1].endswith(".parents"):
        return Facts(contained(right) if right.resolved else ())
    if any(taint.origin.level > Level.UNKNOWN for taint in right.taints) or is_constant(right):
        return NOTHING
    return Facts(allowed(keys[0]))


def _equality(left: Value, right: Value, keys: tuple[str | None, str | None]) -> Facts:
    told = _of_roles(left, right)
    if told is not None:
        return told
    if is_constant(right):
        return Facts(_equal(keys[0], right))
    return Facts(_equal(keys[1], left)) if is_constant(left) else NOTHING


def _equal(key: str | None, constant: Value) -> tuple[Fact, ...]:
    nothing = constant.role == NULL or not constant.skeleton
    return (Fact(ALLOWED, key=key, idle=nothing),) if key else ()


def _of_roles(left: Value, right: Value) -> Facts | None:
    """What an equality proves by what is known of its sides."""
    for value in (left, right):
        if value.role == HOST:
            return Facts(same_host(value))
        if value.role == "commonpath" or (value.role == "dirname" and value.resolved):
            return Facts(contained(value))
        if value.role == "index":
            return Facts((), contained(value)) if not value.resolved else Facts(contained(value))
    for value, folder in ((left, right), (right, left)):
        if value.resolved and value.joined and not folder.joined:
            return Facts(contained(value))  # the folder itself is inside
        if _is_last_part_of(value, folder):
            return Facts(contained(folder))
    return None


def _is_last_part_of(part: Value, whole: Value) -> bool:
    """Whether a name without a folder was made of the other value: ``basename(name) == name``."""
    told = [taint for taint in part.taints if taint.origin.level > Level.UNKNOWN]
    made = {taint.origin.id for taint in told if Purpose.PATH in taint.cleaned}
    return bool(made) and len(made) == len(told) and made == {taint.origin.id for taint in whole.taints}


def of_subset(subject: Value, table: Value, key: str | None) -> Facts:
    """``set(text) <= allowed``: it has only characters of a known few."""
    if any(taint.origin.level > Level.UNKNOWN for taint in table.taints) or not subject.taints:
        return NOTHING
    return Facts(allowed(key))


def of_call(callee: str, receiver: Value | None, arguments: list[Value], keys: tuple[str | None, str | None]) -> Facts:  # noqa: PLR0911  (one return for each case)
    """What a call proves when its result is true; ``keys`` are those of the receiver and the last argument."""
    method = callee.rpartition(".")[2]
    first = arguments[0] if arguments else None
    if method in _CHARACTER_TESTS:
        return Facts(allowed(keys[0] if receiver is not None else keys[1]))
    if callee == "host_text":
        return Facts(of_host_text(keys[0] if receiver is not None else keys[1]))
    if receiver is not None and method in ("is_relative_to", "startswith", "startsWith"):
        return _prefix(method, receiver, first)
    if receiver is not None and method == "begins_elsewhere":
        return _prefix("startsWith", receiver, first).negated()
    if receiver is not None and method in ("endswith", "endsWith") and first is not None:
        return _suffix(receiver, first)
    if method in _NUMBER_TESTS and arguments:
        return Facts(allowed(keys[1])) if _NUMBER_TESTS[method] else Facts((), allowed(keys[1]))
    if method in _MEMBERSHIP_CALLS and first is not None and receiver is not None:
        if is_constant(first):
            return Facts((), contained(receiver)) if (first.skeleton or "").startswith("..") else NOTHING
        suspicious = any(taint.origin.level > Level.UNKNOWN for taint in receiver.taints)
        listed = same_host(first) if first.role == HOST else ()
        return NOTHING if suspicious else Facts((*allowed(keys[1]), *listed))
    return _by_arguments(callee, receiver, arguments, keys)


def _by_arguments(
    callee: str, receiver: Value | None, arguments: list[Value], keys: tuple[str | None, str | None]
) -> Facts:
    method = callee.rpartition(".")[2]
    if method in _MATCHERS:
        return _pattern(callee, receiver, arguments, keys)
    if not arguments:
        return NOTHING
    if callee == "equals":
        return _equality(receiver, arguments[0], keys) if receiver is not None else NOTHING
    inside = callee == "is_local" or (method == "isAbsolute" and receiver is None)
    return Facts(contained(arguments[-1])) if inside else NOTHING


def _prefix(method: str, receiver: Value, first: Value | None) -> Facts:
    """What a prefix proves of an address, a quoted text or a path."""
    if method == "is_relative_to":
        return Facts(contained(receiver) if receiver.resolved else ())
    if first is not None and _names_host(first):
        return Facts(same_host(receiver))
    begins = [part.skeleton or "" for part in (first, *(item for _, item in first.fields))] if first is not None else []
    if "//" in begins:
        any_host = any(begin.startswith("http") for begin in begins)
        return Facts((), same_host(receiver) if any_host else _of_origins(NAMES_NO_HOST, receiver))
    return _of_prefix(receiver, first)


def _of_prefix(receiver: Value, first: Value | None) -> Facts:
    """It proves that of a resolved path only where it is: ``base/../..`` also begins with ``base``."""
    if first is not None and is_constant(first) and (first.skeleton or "").startswith(".."):
        return Facts((), contained(receiver)) if receiver.role == "relative" or receiver.resolved else NOTHING
    if first is not None and is_constant(first) and first.skeleton in QUOTES:
        return Facts(_of_origins(BEGINS_QUOTED, receiver))
    if first is not None and is_constant(first) and len(first.skeleton or "") <= 1:
        return Facts(_of_origins(BEGINS_ROOT, receiver)) if first.skeleton == "/" else NOTHING
    return Facts(contained(receiver) if receiver.resolved else ())


def _suffix(receiver: Value, last: Value) -> Facts:
    """How a text ends: a quote, or a host the domain it is in."""
    if last.skeleton in QUOTES:
        return Facts(_of_origins(ENDS_QUOTED, receiver))
    domain = receiver.role == HOST and is_constant(last) and (last.skeleton or "").startswith(".")
    return Facts(same_host(receiver)) if domain else NOTHING


_WITH_HOST = re.compile(r"[a-zA-Z][\w+.-]*://[^/?#@\ufffc]+/")
"""The begin of an address up to where its host ends."""


def _names_host(prefix: Value) -> bool:
    """Whether a prefix, or each of several, is that of an address with its whole host."""
    parts = [item for _, item in prefix.fields] if prefix.collection else [prefix]
    return bool(parts) and all(is_constant(part) and _WITH_HOST.match(part.skeleton or "") for part in parts)


_OF_SITE = re.compile(r"\^\\?/(?:\[\^[^\]]{0,12}/[^\]]{0,12}\]|\(\?![^)]{0,12}/|[a-zA-Z0-9]|\[[\\\w-]{1,20}\])")
"""An expression that an address matches which begins with one slash."""

_ANY_HOST = re.compile(
    r"\^\((?:\?:)?(?:https\?|\\w[+*]|\[[\\\w+.-]{1,20}\][+*](?:\[[\\\w+.-]{1,20}\]\*)?):\)[?*](?:\\?/\\?/|(?:\\?/)\{2,?\})"
)
"""One that each address matches which has a host: ``^(https?:)?//``."""


_IN_BRACKETS = re.compile(r"\\.|\[(?:\\.|[^\]\\]){0,200}\]|\([^()]{0,200}\)")


def _has_ways(pattern: str) -> bool:
    """Whether an expression has another way to match than the one that it begins with."""
    return "|" in _IN_BRACKETS.sub("", pattern)


def _of_address(pattern: str, receiver: Value | None, arguments: list[Value]) -> Facts:
    """What a match with the begin of an address proves."""
    subject = next((value for value in (receiver, *arguments) if value is not None and value.taints), None)
    if subject is None or _has_ways(pattern):
        return NOTHING
    if _OF_SITE.match(pattern):
        return Facts(same_host(subject))
    return Facts((), same_host(subject)) if _ANY_HOST.match(pattern) else NOTHING


_CLIMBS = re.compile(r"^(?:(?:\(\?:|\()?\^\|)?[^\^]{0,12}\\\.(?:\\\.|\{2,?\})")
"""An expression that looks for ``..`` in a path."""


def _pattern(callee: str, receiver: Value | None, arguments: list[Value], keys: tuple[str | None, str | None]) -> Facts:  # noqa: PLR0911  (one return for each case)
    """A match of the whole text with a pattern; one that is not known here is trusted to be strict."""
    method = callee.rpartition(".")[2]
    texts = [value for value in arguments if is_constant(value)]
    pattern = (
        texts[0].skeleton if texts else receiver.skeleton if receiver is not None and is_constant(receiver) else None
    )
    if pattern is not None and _CLIMBS.search(pattern) and method not in _SUBJECT_FIRST:
        subject = next((value for value in (receiver, *arguments) if value is not None and value.taints), None)
        return Facts((), contained(subject)) if subject is not None else NOTHING
    key = keys[0] if method in _SUBJECT_FIRST else keys[1] or keys[0]
    if method == "preg_match" and pattern is not None:
        pattern = undelimited(pattern)
    if pattern is not None and pattern.startswith("^") and "/" in pattern:
        told = _of_address(pattern, receiver, arguments)
        if told is not NOTHING:
            return told
    if pattern is None or key is None:
        return Facts(allowed(key)) if method != "search" else NOTHING
    others = kept_by(pattern) if method in ("test", "match") and not callee.startswith(("re.", "regex.")) else None
    if others is not None:  # it looks for a character that is none of a few
        if others <= {"-"}:
            return Facts((), allowed(key))
        return Facts((), tuple(Fact(purpose, key=key) for purpose in safe_purposes(others)))
    python = callee in ("re.match", "regex.match") or (receiver is not None and receiver.role == "pattern")
    whole = method in ("fullmatch", "matches")
    shape = shape_of(pattern, anchored=(whole or (python and method == "match"), whole))
    if not shape.whole or shape.specials is None:
        return NOTHING
    if shape.specials <= {"-"}:
        return Facts(allowed(key))
    return Facts(tuple(Fact(purpose, key=key) for purpose in safe_purposes(shape.specials)))
