"""How bytes become lines: one rule for blobs and diffs, so that line numbers always agree with git's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

BINARY_PROBE_BYTES = 8000
"""How far git looks for a NUL byte before it calls a file binary (``buffer_is_binary`` in git's xdiff-interface.c)."""

DIFF_LIMIT_BYTES = 20_000_000
"""A larger file gets no hunks: showing it line by line would cost memory and no review could hold it."""


def decode(data: bytes) -> str:
    """Decode as UTF-8; each undecodable byte becomes U+FFFD.

    The result of one line never depends on another line, so a diff line and the same line of the
    blob decode alike whatever the file's real encoding is.
    """
    return data.decode("utf-8", errors="replace")


def split_lines(text: str) -> list[str]:
    """Split at line feeds only, as git does; a final line feed opens no further line.

    ``str.splitlines`` would also split at form feeds, NEL and other separators and shift every
    following number.
    """
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def normalise_space(line: str) -> str:
    """Fold white space for comparing code: ends trimmed, runs inside become one blank."""
    return " ".join(line.split())


def bytes_at(text: str, characters: Iterable[int]) -> list[int]:
    """Places of characters, in any order, as places of bytes in the text as the parsers get it, in order."""
    ordered = sorted(characters)
    if text.isascii():
        return ordered
    found, character, byte = [], 0, 0
    for place in ordered:
        byte += len(text[character:place].encode("utf-8", errors="replace"))
        character = place
        found.append(byte)
    return found


@lru_cache(maxsize=8)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a file, split once."""
    return tuple(split_lines(text))


@lru_cache(maxsize=64)
def first_in(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match in a text. It is kept: what is asked again for each call in a long file would take time that
    grows with the square of its size.
    """
    return pattern.search(text)
