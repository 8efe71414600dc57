"""What a language brings to the index: its file names, its grammar, and how its definitions look."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tree_sitter import Language, Node

from devpulse.core.symbols import Symbol

Extractor = Callable[[str, Node, bytes], tuple[Symbol, ...]]
"""``extract(path, root, source)``: the definitions under a syntax tree's root, in source order."""

NameScan = Callable[[bytes | bytearray, int, int], Iterable[tuple[int, bytes]]]
"""``scan(buffer, start, end)``: offsets and names of definition lines, without parsing. Every line follows a line
feed, the first one too: it stands at ``start - 1``."""


@dataclass(frozen=True, slots=True)
class ImportReader:
    """Reads imports from text, without parsing.

    ``files(path, text, known)`` gives the imported paths among ``known`` (a folder, with its slash, for a
    package) with the names taken from each. ``names(text)`` gives each name that an import binds, the dotted
    module it comes from, and its name there (empty: the module itself).
    """

    files: Callable[[str, str, AbstractSet[str]], Iterable[tuple[str, set[str]]]]
    names: Callable[[str], Iterable[tuple[str, str, str]]]


def dedented(kind: str, text: str) -> str:  # noqa: ARG001  (the field's fixed signature)
    """A definition cut out of a file, moved to the margin."""
    if text.startswith("@"):  # the span begins at the decorator's column, what follows is still indented
        first, _, rest = text.partition("\n")
        return f"{first}\n{textwrap.dedent(rest)}"
    return textwrap.dedent(text)


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """One language. ``extensions`` are lower-case with their dot; ``grammar`` loads it on first use.

    ``scan_is_complete`` says whether ``scan`` finds practically every definition: then a name it does
    not know is not defined, otherwise every file with the word is a candidate. Without ``imports``
    nothing is known of what a file imports. Languages of one ``family`` call each other (empty: the
    language alone). ``scans_by_line``: a line scanned by itself gives what it gives within the whole text.
    ``standalone(kind, text)`` makes the text of one definition parse by itself.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: Callable[[], Language]
    extract: Extractor
    scan: NameScan
    scan_is_complete: bool = False
    scans_by_line: bool = False
    imports: ImportReader | None = None
    family: str = ""
    standalone: Callable[[str, str], str] = dedented
