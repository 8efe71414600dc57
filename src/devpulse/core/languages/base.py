"""What a language brings to the index: its file names, its grammar, and how its definitions look."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Language, Node

from devpulse.core.symbols import Symbol

Extractor = Callable[[str, Node, bytes], tuple[Symbol, ...]]
"""``extract(path, root, source)``: the definitions under a syntax tree's root, in source order."""


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """One language. ``extensions`` are lower-case with their dot; ``grammar`` loads it on first use.

    ``names`` finds definition lines without parsing; the last group that matched holds the name.
    ``names_are_complete`` says whether it finds practically every definition: then a name it does
    not know is not defined, otherwise every file with the word is a candidate.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: Callable[[], Language]
    extract: Extractor
    names: re.Pattern[bytes]
    names_are_complete: bool = False
