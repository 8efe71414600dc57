"""Which characters a text may have that matches a regular expression, read from the expression."""

from __future__ import annotations

import re
from dataclasses import dataclass

_START = re.compile(r"^(?:\(\?[a-zA-Z]+\))?(?:\^|\\A)")
_END = re.compile(r"(?<!\\)(?:\\\\)*(?:\$|\\[zZ])\)?$")
_ESCAPED = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_DELIMITED = re.compile(r"\s*[^\w\s\\](.*)[^\w\s\\]([a-zA-Z]*)\s*", re.DOTALL)
_ANYTHING = frozenset("SWDPpX0UNc")
_NO_CHARACTER = frozenset("bBAzZG123456789")
_SYNTAX = frozenset("^$()|?*+")


@dataclass(frozen=True, slots=True)
class Shape:
    """``whole``: the expression speaks of the text from its begin to its end. ``specials`` are the characters it lets
    through that are neither letters nor digits nor underscores; ``None`` when it may let through any.
    """

    whole: bool
    specials: frozenset[str] | None


def shape_of(pattern: str, *, anchored: tuple[bool, bool] = (False, False)) -> Shape:
    """The shape of an expression; ``anchored`` says which ends the way it is applied fixes by itself."""
    starts = anchored[0] or _START.match(pattern) is not None
    ends = anchored[1] or _END.search(pattern) is not None
    specials = _specials(pattern)
    # An alternative outside of any group has only one of the anchors.
    split = _splits(pattern) and anchored != (True, True)
    return Shape(starts and ends and not split, specials)


_OTHERS = re.compile(r"\(?\[\^((?:\\.|[^\]\\])+)\][+*]?\)?", re.DOTALL)


def kept_by(pattern: str) -> frozenset[str] | None:
    """The characters other than letters, digits and underscores that are left when all that matches is taken away.

    ``None`` for an expression that does not name what is to stay, as ``[^a-z]`` does.
    """
    match = _OTHERS.fullmatch(pattern) or _OTHERS.fullmatch(undelimited(pattern))
    members = _members(match.group(1)) if match is not None else None
    return frozenset(item for item in members if not (item.isalnum() or item == "_")) if members is not None else None


def undelimited(pattern: str) -> str:
    """PHP's ``/…/i`` without delimiters; with ``m`` the anchors are those of any line, which says nothing."""
    match = _DELIMITED.fullmatch(pattern)
    if match is None:
        return pattern
    return "." if "m" in match.group(2) else match.group(1)


def _splits(pattern: str) -> bool:
    depth = position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            position += 1
        elif character == "[":
            position = max(pattern.find("]", position + 2), position)
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "|" and depth == 0:
            return True
        position += 1
    return False


def _specials(pattern: str) -> frozenset[str] | None:
    found: set[str] = set()
    position = 0
    while position < len(pattern):
        character = pattern[position]
        taken: set[str] | None = {character}
        if character == "\\":
            match = _ESCAPED.match(pattern, position)
            taken = _escape(match.group()) if match else set()
            position += len(match.group()) if match else 1
        elif character == "[":
            end = pattern.find("]", position + 2)
            taken = _members(pattern[position + 1 : end]) if end > 0 else None
            position = end + 1
        elif character == "{" or pattern.startswith("(?", position):
            match = re.compile(r"\{[\d,]*\}|\(\?(?:P?<\w+>|[:=!]|<[=!]|[a-zA-Z]+\))").match(pattern, position)
            taken = set()
            position += len(match.group()) if match else 1
        elif character == ".":
            taken = None
        else:
            taken = set() if character in _SYNTAX else taken
            position += 1
        if taken is None:
            return None
        found.update(item for item in taken if not (item.isalnum() or item == "_"))
    return frozenset(found)


def _escape(written: str) -> set[str] | None:
    kind = written[1]
    if kind in _ANYTHING:
        return None
    if kind == "s":
        return {" ", "\t", "\n"}
    if kind in "wd" or kind in _NO_CHARACTER:
        return set()
    if kind in "xu" and len(written) > 2:
        return {chr(int(written[2:], 16))}
    return {{"n": "\n", "r": "\r", "t": "\t"}.get(kind, kind)}


def _members(inside: str) -> set[str] | None:
    """The characters of a class; one that names what is not allowed lets through the rest."""
    if inside.startswith("^"):
        return None
    found: set[str] = set()
    position = 0
    while position < len(inside):
        if inside[position] == "\\":
            match = _ESCAPED.match(inside, position)
            escaped = _escape(match.group()) if match else set()
            if escaped is None:
                return None
            found |= escaped
            position += len(match.group()) if match else 1
        elif inside[position + 1 : position + 2] == "-" and position + 2 < len(inside):
            first, last = ord(inside[position]), ord(inside[position + 2])
            found.update(map(chr, range(first, min(last, first + 128) + 1)))
            position += 3
        else:
            found.add(inside[position])
            position += 1
    return found
