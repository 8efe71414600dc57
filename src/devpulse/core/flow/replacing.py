"""What is left of a text after some of its characters were replaced: what that makes it safe for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.patterns import kept_by
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Value, cleaned

HARMFUL = {
    Purpose.SQL: "'\"\\;`()",
    Purpose.PATH: "/\\",
    Purpose.SHELL: " \t\n\r;|&$`<>(){}[]'\"\\*?~#!^%",
    Purpose.HTML: "<>\"'&",
    Purpose.LDAP: "()*\\&|=",
    Purpose.XPATH: "'\"[]()/@=",
    Purpose.CODE: "()'\"[]{};=.",
}
"""What a value needs to do harm in each kind of text; in others (addresses) letters and dots are enough."""

HOST_TEXT = tuple(HARMFUL)
"""What the name or the number of a host is safe for: each kind of text, but not to choose where a request goes."""


def safe_purposes(specials: frozenset[str]) -> tuple[Purpose, ...]:
    """What a text is safe for that has letters, digits and these characters only."""
    return tuple(purpose for purpose, needed in HARMFUL.items() if specials.isdisjoint(needed))


def replaced(receiver: Value | None, arguments: Sequence[Passed], *, method: str) -> Value | None:
    """What a text is safe for after all that matches was replaced in it; ``None`` when that is not known.

    ``re.sub(pattern, put, text)``, ``pattern.sub(put, text)``, ``text.replace(old, put)``, and what is like them.
    """
    values = [argument.value for argument in arguments if argument.keyword is None]
    if receiver is not None and receiver.role == "pattern":
        ordered = [receiver, *(reversed(values[:2]) if method.startswith("ReplaceAll") else values[:2])]
    elif receiver is not None and not (method == "sub" and len(values) > 2):
        ordered = [*values[:2], receiver]
    else:
        ordered = values[:3]
    if len(ordered) < 3 or any(value.taints for value in ordered[:2]) or ordered[0].skeleton is None:
        return None
    pattern, put, subject = ordered[0].skeleton, ordered[1].skeleton, ordered[2]
    if not subject.taints:
        return None
    if (pattern == "<" or _BEGIN_OF_TAG.fullmatch(pattern)) and "<" not in (put or ""):
        return cleaned(replace(subject, constant=None), Purpose.HTML)
    if put is None:
        return None
    kept = kept_by(pattern)
    if kept is None:
        return _climbing(subject, pattern, put) or _escaped(subject, pattern, put) or _without(subject, pattern, put)
    return _limited(subject, kept | {item for item in put if not (item.isalnum() or item == "_")})


def _limited(subject: Value, specials: frozenset[str]) -> Value:
    """A text in which only letters, digits and some other characters are left."""
    if specials <= {"-"}:
        return Value(skeleton=subject.skeleton)
    value = replace(subject, constant=None)
    for purpose in safe_purposes(specials):
        value = cleaned(value, purpose)
    return cleaned(value, Purpose.QUOTES) if "'" not in specials else value


_BEGIN_OF_TAG = re.compile(r"\(?\[(?!\^)[^\]]*<[^\]]*\]\)?")
"""A set of characters with the one that begins tags: what it is replaced by may be looked up in a table."""

_LEADING = re.compile(r"\^\(?(?:\?:)?\\?\.\\?\.[^*+]{0,24}[*+]")
_EVERY = frozenset({r"\.\.", r"\.\.+", r"\.{2,}", "..", r"(\.\.)", r"\.+"})


def _climbing(subject: Value, pattern: str, put: str) -> Value | None:
    """A path without any ``..``, or, where those can only stand at its begin, without these."""
    if put or not (pattern in _EVERY or (subject.resolved and _LEADING.match(pattern))):
        return None
    return cleaned(replace(subject, constant=None), Purpose.PATH)


def _escaped(subject: Value, pattern: str, put: str) -> Value | None:
    """A text for a shell whose single quotes are each ended, written and begun again, or escaped in double quotes."""
    plain = put.replace("\\\\", "\\")
    single = pattern == "'" and plain in ("'\\''", "'\"'\"'")
    double = plain.startswith("\\$") and all(item in pattern for item in ('"', "$", "`"))
    return cleaned(replace(subject, constant=None), Purpose.SHELL) if single or double else None


def _without(subject: Value, old: str, new: str) -> Value | None:
    """The text with each single quote replaced by something else, or doubled."""
    if old != "'" or ("'" in new and new != "''"):
        return None
    return cleaned(replace(subject, constant=None), Purpose.DOUBLED if new == "''" else Purpose.QUOTES)
