"""All sources of a repository in one buffer: word search over it costs milliseconds, whatever it holds."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.text import BINARY_PROBE_BYTES, decode

MAX_FILE_BYTES = 1_000_000
"""Larger files are generated or data; they are left out."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

PACKED_BYTES, PACKED_LINE = 20_000, 400
"""A file of at least so many bytes whose lines have more than so many on average was put together by a program."""

_WORD = re.compile(rb"[\w$\x80-\xff]")

_LONG, _RARE = 6, 2_000
"""Up to so many places of a text of so many bytes, a plain search from one to the next beats a pattern by half."""


@lru_cache(maxsize=256)
def _alone(word: bytes, rest: bytes) -> re.Pattern[bytes]:
    text = re.escape(word)
    # The text comes first: a pattern that starts with one is searched for it.
    before = b"(?<!" + _WORD.pattern + text + b")" if _WORD.match(word) else b""
    after = b"(?!" + _WORD.pattern + b")" if _WORD.match(word, len(word) - 1) else b""
    return re.compile(text + before + after + rest)


def is_text(data: bytes) -> bool:
    """Whether a file takes part: not too large, and no NUL where git looks for one."""
    return len(data) <= MAX_FILE_BYTES and data.find(b"\0", 0, BINARY_PROBE_BYTES) < 0


@dataclass(frozen=True, slots=True)
class Corpus:
    """A line feed, then files one after the other, each ended by one, those of one group (a language) side by side.

    ``starts[i]`` is the offset of ``paths[i]``; ``groups`` gives the offsets a group covers.
    """

    buffer: bytearray
    paths: tuple[str, ...]
    starts: array[int]
    groups: Mapping[str, tuple[int, int]]
    numbers: Mapping[str, int]

    def file_at(self, offset: int) -> int:
        """The number of the file at an offset."""
        return bisect_right(self.starts, offset) - 1

    def end(self, number: int) -> int:
        """The offset behind a file."""
        return self.starts[number + 1] if number + 1 < len(self.starts) else len(self.buffer)

    def text(self, number: int) -> str:
        """A file's text. A line feed at its end may be an added one."""
        return decode(bytes(self.buffer[self.starts[number] : self.end(number)]))

    def is_packed(self, number: int) -> bool:
        """Whether a file is minified: its names say nothing, and its tree takes as much memory as a hundred files'."""
        start, end = self.starts[number], self.end(number)
        return end - start >= PACKED_BYTES and self.buffer.count(b"\n", start, end) * PACKED_LINE < end - start

    def line_of(self, offset: int, number: int) -> int:
        """The line number (from 1) of an offset in a file."""
        return self.buffer.count(b"\n", self.starts[number], offset) + 1

    def line_at(self, offset: int) -> bytes:
        """The bytes of the line around an offset."""
        start = self.buffer.rfind(b"\n", 0, offset) + 1
        end = self.buffer.find(b"\n", offset)
        return bytes(self.buffer[start : end if end >= 0 else len(self.buffer)])

    def words(self, word: bytes, start: int, end: int) -> Iterator[int]:
        """The offsets at which ``word`` stands alone, not as a part of a longer identifier."""
        return self._search(word, b"", start, end)

    def lines(self, word: bytes) -> Iterator[int]:
        """The first offset on each line at which ``word`` stands alone."""
        return self._search(word, rb"[^\n]*+", 0, len(self.buffer))

    def _search(self, word: bytes, rest: bytes, start: int, end: int) -> Iterator[int]:
        at = self.buffer.find(word, start, end) if word else -1
        if at < 0:
            return
        pattern = _alone(word, rest)
        for _ in range(_RARE if len(word) >= _LONG else 0):
            match = pattern.match(self.buffer, at, end)
            if match is not None:
                yield at
            at = self.buffer.find(word, at + 1 if match is None else match.end(), end)
            if at < 0:
                return
        for match in pattern.finditer(self.buffer, at, end):
            yield match.start()


def build_corpus(groups: Mapping[str, Iterable[tuple[str, bytes]]]) -> Corpus:
    """Put files together, group by group; files that are no text are left out."""
    # A line feed in front of everything: line patterns start with one.
    buffer = bytearray(b"\n")
    paths: list[str] = []
    starts = array("Q")
    ranges: dict[str, tuple[int, int]] = {}
    for group, files in groups.items():
        begin = len(buffer)
        for path, data in files:
            if not is_text(data):
                continue
            paths.append(path)
            starts.append(len(buffer))
            # Definition lines are found by how they start; a byte order mark would hide the first.
            buffer += data.removeprefix(BYTE_ORDER_MARK)
            if not data.endswith(b"\n"):
                buffer += b"\n"
        ranges[group] = (begin, len(buffer))
    return Corpus(buffer, tuple(paths), starts, ranges, {path: number for number, path in enumerate(paths)})
