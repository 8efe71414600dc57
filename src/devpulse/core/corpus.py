"""All sources of a repository in one buffer: word search over it costs milliseconds, whatever it holds."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devpulse.core.text import BINARY_PROBE_BYTES, decode

MAX_FILE_BYTES = 1_000_000
"""Larger files are generated or data; they are left out."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") | frozenset(
    range(128, 256)
)


def is_text(data: bytes) -> bool:
    """Whether a file takes part: not too large, and no NUL where git looks for one."""
    return len(data) <= MAX_FILE_BYTES and b"\0" not in data[:BINARY_PROBE_BYTES]


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
        if not word:
            return
        buffer, size = self.buffer, len(word)
        left, right = word[0] in _WORD_BYTES, word[-1] in _WORD_BYTES
        at = buffer.find(word, start, end)
        while at >= 0:
            after = at + size
            bounded = not (left and at > 0 and buffer[at - 1] in _WORD_BYTES)
            if bounded and not (right and after < len(buffer) and buffer[after] in _WORD_BYTES):
                yield at
            at = buffer.find(word, after, end)


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


def lines_with(corpus: Corpus, offsets: Sequence[int]) -> list[int]:
    """The first of the offsets on each line; the offsets ascend."""
    kept: list[int] = []
    line_end = -1
    for offset in offsets:
        if offset > line_end:
            kept.append(offset)
            line_end = corpus.buffer.find(b"\n", offset)
    return kept
