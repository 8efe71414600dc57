"""Which hidden characters of a line deceive, and which ordinary writing needs: emoji, joined scripts, directions."""

from __future__ import annotations

import unicodedata
from enum import Enum

from devpulse.core.hidden import BIDI_MARKS, BIDI_NESTING, BIDI_OVERRIDES, FILLERS, ZERO_WIDTH
from devpulse.core.lazy_pattern import lazy

_TAGS = "\U000e0001\U000e0020-\U000e007f"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SUSPECT = lazy(
    f"[{BIDI_OVERRIDES}{BIDI_NESTING}{BIDI_MARKS}{ZERO_WIDTH}{FILLERS}{_TAGS}{_SELECTORS}"
    "\u00ad\u034f\u2061-\u2065\u206a-\u206f\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_SELECTOR = lazy(f"[{_SELECTORS}]")
_FLAG = lazy("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")  # subdivision flags (Unicode emoji sequences)
_RTL = lazy("[\u0590-\u05ff\u0600-\u06ff\u0700-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JAMO = lazy("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_BRAILLE = lazy("[\u2801-\u28ff]")
_ISOLATE = lazy("[\u2066-\u2068][^\u2066-\u2069]*\u2069")  # placeables of translated messages stand in such pairs
_KEYCAP = lazy("[0-9#*]\ufe0f\u20e3")
_WRITING = frozenset(["Lo", "Lm", "Mn", "Mc"])
_PICTURES = frozenset(["So", "Sk", "Sm", "Po", "Pd"])


class Deceit(Enum):
    """What a hidden character can be there for, worst first."""

    BIDI = "bidirectional control"
    TAG = "invisible tag"
    INVISIBLE = "invisible"
    MARK = "direction mark"


def has_suspects(text: str) -> bool:
    """Whether a text has any character that ``worst_of_line`` looks at."""
    return not text.isascii() and _SUSPECT.search(text) is not None


def has_right_to_left(text: str) -> bool:
    """Whether a text has letters that run from right to left."""
    return _RTL.search(text) is not None


def worst_of_line(line: str, *, first: bool, prose: bool, rtl: bool) -> Deceit | None:
    """The worst that the hidden characters of a line can be there for, or ``None``.

    Args:
        line: the line.
        first: it is the first of its file, where a byte order mark is ordinary.
        prose: the file holds text for people, which may mix directions.
        rtl: the text around the line is written from right to left.
    """
    if not has_suspects(line):
        return None
    line = _KEYCAP.sub("", _FLAG.sub("", line))
    start = 1 if first and line.startswith("\ufeff") else 0
    kinds = {_deceit_at(line, m.start(), rtl=rtl, prose=prose) for m in _SUSPECT.finditer(line, start)}
    return next((kind for kind in Deceit if kind in kinds), None)


def _deceit_at(line: str, place: int, *, rtl: bool, prose: bool) -> Deceit | None:
    character = line[place]
    if character in BIDI_OVERRIDES:
        return Deceit.BIDI
    if character in BIDI_NESTING or character in BIDI_MARKS:
        return _direction(line, character, rtl=rtl, prose=prose)
    if _SELECTOR.match(character):
        return _selector(line, place, prose=prose)
    if character >= "\U000e0000":
        return Deceit.TAG
    harmless = (
        (character in "\u200c\u200d" and _joins_letters(line, place, prose=prose))
        or (character in "\u115f\u1160" and _JAMO.search(line[max(0, place - 1)] + line[place + 1 : place + 2]))
        or (character == "\u2800" and _BRAILLE.search(line))
        or (character in "\u00ad\u200b\u2060" and prose)  # where a word may break, or must not
    )
    return None if harmless else Deceit.INVISIBLE


def _direction(line: str, character: str, *, rtl: bool, prose: bool) -> Deceit | None:
    if character in BIDI_MARKS:
        if rtl:
            return None
        return Deceit.MARK if prose else Deceit.INVISIBLE
    if not prose:
        return Deceit.BIDI
    if rtl:
        return None
    left = _ISOLATE.sub("", line)
    return Deceit.BIDI if any(nesting in left for nesting in BIDI_NESTING) else Deceit.MARK


def _selector(line: str, place: int, *, prose: bool) -> Deceit | None:
    """One variation selector after a picture or a letter that has variants is ordinary; more of them, or one after
    anything else, carry hidden text: each can stand for a byte."""
    character, before = line[place], line[place - 1] if place else " "
    if character == "\ufe0f" and prose and not before.isalnum():
        return None  # what editors leave of an emoji; always the same one carries nothing
    kind = unicodedata.category(before)
    if _SELECTOR.match(before):
        return Deceit.TAG
    if character >= "\U000e0100":
        return None if kind == "Lo" else Deceit.TAG
    takes_one = kind in _WRITING or kind in _PICTURES or before in "\u200d\u2139"
    return None if takes_one else Deceit.TAG


def _joins_letters(line: str, place: int, *, prose: bool) -> bool:
    """Whether a joiner stands where scripts and emoji need one: between marks, letters without case, or pictures."""
    before = line[place - 1] if place else ""
    after = line[place + 1 : place + 2]
    if not _takes_joiner(before):
        return prose and _takes_joiner(after)
    ends_word = line[place] == "\u200c" or unicodedata.category(before) == "Mn"
    return ends_word or _takes_joiner(after) or not after.isascii() or not after


def _takes_joiner(character: str) -> bool:
    if not character or character.isascii():
        return False
    kind = unicodedata.category(character)
    return kind in _WRITING or kind in ("So", "Sk")
