"""Characters that a reader does not see, made visible before any text is shown to a model or a person.

Which characters are meant: controls, bidirectional formatting (Unicode Annex 9), zero-width and other
default-ignorable characters, letters and symbols without a shape (fillers, the Braille blank), variation
selectors, tag characters, and lone surrogates.
"""

from __future__ import annotations

import re

from devpulse.core.lazy_pattern import lazy

BIDI_OVERRIDES = "\u202d\u202e"
BIDI_MARKS = "\u061c\u200e\u200f"
BIDI_NESTING = "\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
FILLERS = "\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0\U00016fe4\U0001d159"
"""Letters and symbols without a shape: programs take most of them for part of a name."""

# Every class is written as escapes, so that this file hides nothing itself.
_HIDDEN = lazy(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls but tab, line feed, carriage return
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"  # surrogates: undecodable bytes of a file name
    "]"
)
_BREAKS = dict.fromkeys(map(ord, "\t\n\r"))


def make_visible(text: str) -> str:
    r"""Write hidden characters as escapes such as ``\x00`` and ``\u{202E}``.

    Tab, line feed and carriage return stay, so the number of lines does not change. Text without
    hidden characters comes back as it is; a second call changes nothing.
    """
    if text.isascii() and text.translate(_BREAKS).isprintable():  # nearly all code, at a fifth of the price
        return text
    return _HIDDEN.sub(_escape, text)


def without_hidden(text: str) -> str:
    """A text without its hidden characters, as it shows where they do not; lines stay."""
    return _HIDDEN.sub("", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04X}}}"
