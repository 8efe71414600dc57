"""The forms in which an order can stand in a text: plain, in look-alike letters, spaced out, or encoded.

Each form is lower-case text together with the line of every place in it. All of it takes time in proportion to
the text: what is decoded is bounded in number and length, and decoded once.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from devpulse.core.hidden import without_hidden
from devpulse.core.lazy_pattern import lazy
from devpulse.core.lookalikes import bare

_TAGS = lazy("[\U000e0020-\U000e007e]+")
# A pattern that begins with what it looks for, and asks after it what stands before, is searched for several times as
# fast as one that begins with the question.
_SPACED = lazy(r"[^\W_](?<![^\W_].)[ \t._*+|-]{1,5}+(?:[^\W_][ \t._*+|-]{1,5}+){8,399}[^\W_](?![^\W_])")
"""Letters with something between them. No sign is both: a run of underlines could be divided in too many ways."""

_APART = lazy(r"[ \t._*+|-][^\W_](?:[ \t._*+|-]{1,5}+[^\W_]){2}[ \t._*+|-]")
"""Three of such letters: what a text has in which there are more."""

_SPACES = lazy(r"[ \t._*+|-]+")
_ENCODED = lazy(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,4096}={0,2}(?![A-Za-z0-9+/_=-])")
_HEX = lazy(r"[0-9a-f]+|[0-9A-F]+")
_DIGIT = "[0-9a-fA-F]"
_ESCAPE = (
    rf"(?:\\x{_DIGIT}{{2}}|\\u00{_DIGIT}{{2}}|%{_DIGIT}{{2}}|\\u\{{{_DIGIT}{{1,2}}\}}|"
    rf"&#(?:x{_DIGIT}{{1,4}}|[0-9]{{1,4}});)"
)
_ESCAPED = lazy(rf"{_ESCAPE}(?:[ \w]{{0,24}}{_ESCAPE}){{3,1000}}[ \w]{{0,120}}")
_CODE = lazy(r"\\(?:x|u00|u\{)([0-9a-fA-F]{2})\}?")
_NUMBERS = lazy(r"[0-9](?<![\w.].)[0-9]{1,2},[ \t]?(?:[0-9]{2,3},[ \t]?){10,999}[0-9]{2,3}(?![\w.])")
_BINARY = lazy(r"[01](?<!\w.)[01]{7}[ \t]?(?:[01]{8}[ \t]?){7,999}(?!\w)")
_CUT_WORD = lazy(r"([\"'])(?<=[a-z].)[ \t]*[+\\]?[ \t]*\n[ \t]*[+]?[ \t]*\1(?=[a-z])")
_TURNED_WORDS = ("snoitcurtsni", "sgnidnif", "tpmorp metsys")
_ROTATED_WORDS = ("vafgehpgvba", "svaqvatf", "cebzcg")
_ROTATION = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_LEET_WORD = lazy(r"n[s5$][t7]ruc[t7][i1!][o0]ns?|pr[o0]mp[t7]s?")
_LEET = str.maketrans("013457@$!", "oieastasi")
_MOST = 400


@dataclass(frozen=True)
class Form:
    """A text to look for orders in. ``line`` is the line its first character stands on; ``disguised`` says that it
    is not how the file shows it."""

    text: str
    line: int
    disguised: bool

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The first and last line of a part."""
        return self.line + bisect_right(self._breaks, start - 1), self.line + bisect_right(self._breaks, end - 2)


def forms_of(text: str) -> Iterator[Form]:
    """Every form of a text, the plain one first."""
    plain = text.lower()
    yield Form(plain, 1, disguised=False)
    read = text
    if not text.isascii():
        read = bare(without_hidden(_TAGS.sub(_untagged, text)))
        if read.lower() != plain:
            yield Form(read.lower(), 1, disguised=True)
    yield from _pieces(read)
    yield from _turned(read.lower())


def _turned(text: str) -> Iterator[Form]:
    """Lines written from right to left, and a text with its alphabet turned by half."""
    if any(word in text for word in _TURNED_WORDS):
        yield Form("\n".join(line[::-1] for line in text.split("\n")), 1, disguised=True)
    if any(word in text for word in _ROTATED_WORDS):
        yield Form(text.translate(_ROTATION), 1, disguised=True)


def _untagged(match: re.Match[str]) -> str:
    return f" {''.join(chr(ord(tag) - 0xE0000) for tag in match[0])} "


def _pieces(text: str) -> Iterator[Form]:
    spaced = zip(_SPACED.finditer(text) if _APART.search(text) else (), range(_MOST), strict=False)
    found = [(match, _SPACES.sub("", match[0])) for match, _ in spaced]
    tokens = zip(_ENCODED.finditer(text), range(_MOST), strict=False)
    found += [(match, plain) for match, _ in tokens if (plain := _decoded(match[0]))]
    found += [(match, _unescaped(match)) for match, _ in zip(_ESCAPED.finditer(text), range(_MOST), strict=False)]
    found += [(match, _numbered(match[0])) for match, _ in zip(_NUMBERS.finditer(text), range(_MOST), strict=False)]
    found += [(match, _of_bits(match[0])) for match, _ in zip(_BINARY.finditer(text), range(_MOST), strict=False)]
    cuts = zip(_CUT_WORD.finditer(text.lower()), range(_MOST), strict=False)
    found += [(match, _mended(match)) for match, _ in cuts]
    words = (match for match in _LEET_WORD.finditer(text.lower()) if not match[0].isalpha())
    found += [(match, _unleet(match)) for match, _ in zip(words, range(_MOST), strict=False)]
    for match, plain in found:
        line = text.count("\n", 0, match.start()) + 1
        yield Form(plain.lower().replace("\n", " "), line, disguised=True)


def _numbered(numbers: str) -> str:
    codes = [int(number) for number in re.findall("[0-9]+", numbers)]
    return "".join(map(chr, codes)) if all(32 <= code < 127 for code in codes) else ""


def _of_bits(bits: str) -> str:
    codes = [int(number, 2) for number in re.findall("[01]{8}", bits)]
    return "".join(map(chr, codes)) if all(32 <= code < 127 for code in codes) else ""


def _mended(match: re.Match[str]) -> str:
    """What stands around a word that was cut in two strings, with its words whole."""
    around = match.string[max(0, match.start() - 160) : match.end() + 160]
    return _CUT_WORD.sub("", around)


def _decoded(token: str) -> str:
    """The text that a base64 or hexadecimal token stands for, encoded once or twice; empty when it stands for none."""
    text = _once_decoded(token)
    if _ENCODED.fullmatch(text):
        text = _once_decoded(text)
    return text if " " in text else ""


def _once_decoded(token: str) -> str:
    try:
        if _HEX.fullmatch(token):
            data = bytes.fromhex(token)
        else:
            digits = token.rstrip("=").replace("+", "-").replace("/", "_")
            data = base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
        text = data.decode("utf-8")
    except (ValueError, binascii.Error):
        return ""
    return text if text.isprintable() else ""


def _unescaped(match: re.Match[str]) -> str:
    """What escapes stand for, with the word that runs into them."""
    text = match.string[max(0, match.start() - 60) : match.end()]
    return _CODE.sub(lambda code: chr(int(code[1], 16)), html.unescape(unquote(text)))


def _unleet(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 160) : match.end()].translate(_LEET)
