"""Texts put together from constant parts and values, as parts in order; what a statement or a command line makes of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy


@dataclass(frozen=True, slots=True)
class Part:
    """A constant part of a text, or an expression whose value stands there. ``joined``: the value is a text already,
    or the program would fail."""

    text: str
    value: bool = False
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """A constant statement with placeholders, and what is bound to them: for each the parts of its text."""

    statement: str
    values: tuple[tuple[Part, ...], ...]


_COMPARED = lazy(r"(?i)(?:[=<>]|\blike|\bbetween|\bvalues\s*\((?:[^()]*,)?)\s*$")
_AFTER = lazy(r"(?i)^\s*(?:$|[,;)]|\b(?:and|or|order|group|limit|offset|where|union|on|having|returning|for)\b)")
_REACH = 400
_UNSURE = lazy(r"[\"\\`#;]|--|/\*")
_QUOTED = lazy(r"[^'\"\\$`!\n]")
_BARE = lazy(r"[\w./:=@,+%-]")
_PROGRAM = lazy(r"(?!(?:cd|source|exec|eval|export|set|alias|type|umask|ulimit|wait|exit|\.)$)[\w./+-]+")


def bind(parts: Sequence[Part], style: str) -> Bound | None:
    """The statement with a placeholder for each value; ``None`` when a value is no data, or when that cannot be told.

    ``style`` is the driver's placeholder: ``?``, ``%s``, or ``$`` for numbered ones. A value is data where it stands
    alone between single quotes, with constant text around it if need be, or alone after a comparison or in a list of
    values.
    """
    segments = _quoted_apart(parts)
    statement = ""
    values: list[tuple[Part, ...]] = []
    for index, segment in enumerate(segments):
        quoted, last = index % 2 == 1, index == len(segments) - 1
        if quoted and any(part.value for part in segment):
            values.append(tuple(segment))
            statement += _placeholder(style, len(values))
            continue
        written = [Part("'"), *segment, Part("'")] if quoted else segment
        for place, part in enumerate(written):
            if part.value and not _is_operand(statement, written[place + 1 :], last=last):
                return None
            if part.value:
                values.append((part,))
            statement += _placeholder(style, len(values)) if part.value else _escaped(part.text, style)
    if len(segments) % 2 == 0 or not values or _UNSURE.search(statement):
        return None
    ambiguous = style != "%s" and any(style in part.text for part in parts if not part.value)
    return None if ambiguous else Bound(statement, tuple(values))


def _quoted_apart(parts: Sequence[Part]) -> list[list[Part]]:
    """The parts between single quotes, which every second list holds, apart from those around them."""
    segments: list[list[Part]] = [[]]
    for part in parts:
        if part.value:
            segments[-1].append(part)
            continue
        first, *others = part.text.split("'")
        segments[-1] += [Part(first)] if first else []
        segments += [[Part(text)] if text else [] for text in others]
    return segments


def _placeholder(style: str, number: int) -> str:
    return f"${number}" if style == "$" else style


def _escaped(text: str, style: str) -> str:
    """A constant part: drivers that look for ``%s`` need other percent signs doubled."""
    return text.replace("%", "%%") if style == "%s" else text


def _is_operand(before: str, rest: Sequence[Part], *, last: bool) -> bool:
    """Whether a value stands where a statement has an operand; ``rest`` follows it, up to the next quote."""
    ends = last if not rest else not rest[0].value and _AFTER.match(rest[0].text) is not None
    return ends and _COMPARED.search(before[-_REACH:]) is not None


def words(parts: Sequence[Part]) -> list[tuple[Part, ...]] | None:
    """The words of a command line, as a shell would split it when each value is one word; ``None`` when the constant
    parts mean anything else to a shell, and when no value is among the arguments.
    """
    found: list[list[Part]] = [[]]
    quote = ""
    for piece in (piece for part in parts for piece in ([part] if part.value else map(Part, part.text))):
        if piece.value:
            found[-1].append(piece)
        elif quote and piece.text == quote:
            quote = ""
        elif quote:
            if not _QUOTED.fullmatch(piece.text):
                return None
            found[-1].append(piece)
        elif piece.text in "'\"":
            quote = piece.text
            found[-1].append(Part(""))
        elif piece.text == " ":
            found.append([])
        elif _BARE.fullmatch(piece.text):
            found[-1].append(piece)
        else:
            return None
    line = [tuple(_merged(word)) for word in found if word]
    return None if quote or not _is_program(line) else line


def _is_program(line: Sequence[tuple[Part, ...]]) -> bool:
    """Whether a line starts with the name of a program and has values among its arguments."""
    if not line or any(part.value for part in line[0]):
        return False
    name = "".join(part.text for part in line[0])
    return _PROGRAM.fullmatch(name) is not None and any(part.value for word in line[1:] for part in word)


def _merged(word: Sequence[Part]) -> list[Part]:
    """Constant characters in a row as one part; nothing for the empty ones beside a value."""
    merged: list[Part] = []
    for part in word:
        if merged and not part.value and not merged[-1].value:
            merged[-1] = Part(merged[-1].text + part.text)
        else:
            merged.append(part)
    return [part for part in merged if part.text] or merged
