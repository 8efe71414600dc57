"""What a language brings to the index: its file names, its grammar, and how its definitions look."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tree_sitter import Language, Node

from devpulse.core.symbols import Symbol

Extractor = Callable[[str, Node, bytes], tuple[Symbol, ...]]
"""``extract(path, root, source)``: the definitions under a syntax tree's root, in source order."""

NameScan = Callable[[bytes | bytearray, int, int], Iterable[tuple[int, bytes]]]
"""``scan(buffer, start, end)``: offsets and names of definition lines, without parsing. Every line follows a line
feed, the first one too: it stands at ``start - 1``."""


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """One language. ``extensions`` are lower-case with their dot; ``grammar`` loads it on first use.

    ``scan_is_complete`` says whether ``scan`` finds practically every definition: then a name it does
    not know is not defined, otherwise every file with the word is a candidate.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: Callable[[], Language]
    extract: Extractor
    scan: NameScan
    scan_is_complete: bool = False
