"""Letters of other scripts that look like a Latin one, and what a text reads as to somebody who takes them for it.

A table of our own: the lists that libraries carry (Unicode's ``confusables.txt``) also pair what nobody takes for
the other in code, such as ``l`` and ``1``, ``m`` and ``rn``, and would report ordinary names. Here stand only letters
whose shape in common programming fonts is that of the Latin letter. Compatibility letters (full width, mathematical,
Roman numerals) need no table: normalisation form KC of Unicode has them.
"""

from __future__ import annotations

import re
import unicodedata

# Written as escapes, for in this file above all nobody could tell the letters apart.
_CYRILLIC = (
    "\u0430a\u0435e\u043eo\u0440p\u0441c\u0443y\u0445x\u0455s\u0456i\u0458j\u04cfl\u04bbh\u0501d\u051bq\u051dw"
    "\u0410A\u0412B\u0415E\u041aK\u041cM\u041dH\u041eO\u0420P\u0421C\u0422T\u0423Y\u0425X\u0405S\u0406I\u0408J"
    "\u04c0I\u051aQ\u051cW\u0500d"
)
_GREEK = (
    "\u03bfo\u0391A\u0392B\u0395E\u0396Z\u0397H\u0399I\u039aK\u039cM\u039dN\u039fO\u03a1P\u03a4T\u03a5Y\u03a7X\u03f2c"
)
_GREEK_LOOSE = "\u03b1a\u03b9i\u03bak\u03bdv\u03c1p\u03c5u\u03c7x\u03b3y"
_OTHER = (
    "\u0585o\u057du\u0570h\u0578n\u0581g\u0566q\u0555O\u054dU"  # Armenian
    "\u13aaA\u13acE\u13bbH\u13abJ\u13e6K\u13deL\u13b7M"  # Cherokee
    "\u13e2P\u13daS\u13b3W\u13f4B\u13dfC\u13a0D\u13c0G\u13c3Z"
)
_LATIN = (
    "\u0131i\u0251a\u0261g\u01c0l"
    "\u1d00a\u0299b\u1d04c\u1d05d\u1d07e\ua730f\u0262g\u029ch\u026ai\u1d0aj\u1d0bk\u029fl\u1d0dm\u0274n\u1d0fo\u1d18p"
    "\u0280r\ua731s\u1d1bt\u1d1cu\u1d20v\u1d21w\u028fy\u1d22z"
)


def _table(*pairs: str) -> dict[int, str]:
    return {ord(text[place]): text[place + 1] for text in pairs for place in range(0, len(text), 2)}


_EXACT = _table(_CYRILLIC, _GREEK, _OTHER)
_ALL = _table(_CYRILLIC, _GREEK, _GREEK_LOOSE, _OTHER, _LATIN)

_ACCENTS = re.compile("[\u0300-\u036f]+")


def skeleton(text: str) -> str:
    """What a text reads as: compatibility letters and look-alikes become the Latin letter; lines stay."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_ALL)


def bare(text: str) -> str:
    """The skeleton without accents and other marks; lines stay."""
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", skeleton(text)))


def looks_latin(character: str, *, loosely: bool = False) -> bool:
    """Whether a letter of another script is taken for a Latin one; ``loosely`` adds the small Greek letters that
    formulas use beside Latin ones."""
    return ord(character) in (_ALL if loosely else _EXACT) and not is_latin(character)


def is_latin(character: str) -> bool:
    """Whether a character is a letter of the Latin script."""
    return character.isalpha() and unicodedata.name(character, "").startswith(("LATIN ", "FULLWIDTH LATIN "))
