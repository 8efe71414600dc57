"""Hidden and control characters, as every renderer shows them."""

from __future__ import annotations

import re
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")
_SUSPECT = re.compile(r"[^\x20-\x7e\n\t]")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})

# Default-ignorable characters that Unicode files under letters, marks or unassigned
# (DerivedCoreProperties.txt, property Default_Ignorable_Code_Point), and the blank braille pattern.
_HIDDEN_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)


def is_hidden(character: str) -> bool:
    """Whether a character shows nothing, or commands a terminal or the direction of text.

    Line feed and tab are not hidden: they are ordinary in code.
    """
    if not _SUSPECT.match(character):
        return False
    if unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return True
    return any(low <= ord(character) <= high for low, high in _HIDDEN_RANGES)


def visible(text: str) -> str:
    """Write each hidden character as ``<U+202E>``; a carriage return at the end of a line is dropped."""
    return _SUSPECT.sub(_named, text.replace("\r\n", "\n").removesuffix("\r"))


def well_formed(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 file can hold, by U+FFFD; all else stays."""
    return _SURROGATE.sub("\ufffd", text)


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters; a cut text ends in an ellipsis."""
    return text if len(text) <= limit else f"{text[: max(0, limit - 1)]}…"


def _named(match: re.Match[str]) -> str:
    character = match.group()
    return f"<U+{ord(character):04X}>" if is_hidden(character) else character
