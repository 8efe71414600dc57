"""Definitions of a name, nearest first: which files may hold them, and the few of those that are parsed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from devpulse.core.candidates import Question, candidate_files
from devpulse.core.corpus import Corpus
from devpulse.core.folders import folder_of
from devpulse.core.kinds import is_function
from devpulse.core.languages import language_of
from devpulse.core.lazy_sources import LazySources
from devpulse.core.name_scan import NameTable
from devpulse.core.ranking import CERTAINLY_NEAR, IMPORTED, Nearness, is_within
from devpulse.core.symbols import Found, Symbol
from devpulse.core.syntax import symbols_of
from devpulse.core.text import split_lines

PARSED_FILES = 20
"""Files parsed for one question, after ranking; names like ``__init__`` stand in a thousand."""

MOST_RANKED = 100
"""Files that are ranked for one question: a name like ``main`` may stand in every file there is, and each of them asks
for it. Of more than these the asking file and what it imports come first, then lines that define the name, then the
asking file's folder."""

_OVERLOAD = re.compile(r"\s*@(?:\w+\.)*overload\b")


@dataclass(frozen=True, slots=True)
class Definitions:
    """Finds definitions in the sources of a tree."""

    sources: LazySources

    def of(self, question: Question, near: str | None, limit: int, place: str | None) -> Found[Symbol]:
        """Symbols that a question accepts, within ``place``, nearest to ``near`` first.

        Minified files are not parsed but for ``near``; of them only lines that look like definitions are counted.
        """
        if not question.name:
            return Found((), 0)
        corpus = self.sources.corpus()
        shown = candidate_files(corpus, self.sources.lines_defining(question.name), question)
        nearness = self.nearness(near, question.name)
        within = [number for number in shown if is_within(corpus.paths[number], place)]
        within, left = self._likeliest(within, shown, nearness)

        def order(number: int) -> tuple[bool, tuple[object, ...]]:
            # Files whose lines look like the definition go first: the cap must not be spent on mere mentions.
            rank = nearness(corpus.paths[number])
            return (not shown[number] and rank > CERTAINLY_NEAR, rank)

        rows: list[Symbol] = []
        parsed, unparsed = 0, sum(shown[number] for number in left)
        for (mentions, _), number in sorted((order(number), number) for number in within):
            wanted = question.owners or (len(rows) < limit and not (mentions and rows))
            own = corpus.paths[number] == near
            if wanted and parsed < PARSED_FILES and (own or not corpus.is_packed(number)):
                parsed += 1
                rows += [symbol for symbol in symbols_at(corpus, number) if question.accepts(symbol)]
            else:
                unparsed += shown[number]
        imported = any(question.name in names for names in nearness.imports.files.values())

        def place_of(symbol: Symbol) -> tuple[object, ...]:
            *rank, path = nearness(symbol.path)
            if path == near and imported and not question.on_itself and "." in symbol.qualified_name:
                rank = [IMPORTED, 1, 0]  # a bare name is the imported one, not a method's of the same name
            return (rank, is_declaration(symbol, corpus), path)

        rows.sort(key=place_of)
        total = len(rows) + (0 if question.owners else unparsed)
        return Found(tuple(rows[: max(limit, 0)]), total)

    def _likeliest(
        self, numbers: list[int], shown: Mapping[int, int], nearness: Nearness
    ) -> tuple[list[int], list[int]]:
        """The files that are worth ranking, and those left out, by what they show and a look at their folders."""
        if len(numbers) <= MOST_RANKED:
            return numbers, []
        paths, folder = self.sources.corpus().paths, folder_of(nearness.near or "")

        def roughly(number: int) -> tuple[bool, bool, bool]:
            path = paths[number]
            own = path == nearness.near or path in nearness.imports.files
            return not own, not shown[number], folder_of(path) != folder

        ordered = sorted(numbers, key=roughly)
        return ordered[:MOST_RANKED], ordered[MOST_RANKED:]

    def called(
        self, names: Sequence[str], tables: tuple[NameTable, ...], near: str | None, place: str | None, limit: int
    ) -> Found[Symbol]:
        """Definitions of several names, in their order, parsing ``PARSED_FILES`` files at most."""
        corpus = self.sources.corpus()
        rows: list[Symbol] = []
        parsed: set[int] = set()
        unparsed = 0
        for name in names:
            nearness = self.nearness(near, name)
            shown = Counter(_files_within(corpus, tables, name, place))
            ranked, left = self._likeliest(list(shown), shown, nearness)
            unparsed += sum(shown[number] for number in left)
            for number in sorted(ranked, key=lambda number: nearness(corpus.paths[number])):
                room = len(parsed) < PARSED_FILES and len(rows) < limit
                if number in parsed or (room and not corpus.is_packed(number)):
                    parsed.add(number)
                    rows += [symbol for symbol in symbols_at(corpus, number) if symbol.name == name]
                else:
                    unparsed += shown[number]
        return Found(tuple(rows[: max(limit, 0)]), len(rows) + unparsed, exact=False)

    def nearness(self, near: str | None, name: str) -> Nearness:
        """How near files are for a question about a name."""
        return Nearness(near, name, self.sources.imports(near))


def _files_within(corpus: Corpus, tables: Iterable[NameTable], name: str, place: str | None) -> list[int]:
    numbers = (corpus.file_at(offset) for table in tables for offset in table.of(name))
    return [number for number in numbers if is_within(corpus.paths[number], place)]


def symbols_at(corpus: Corpus, number: int) -> tuple[Symbol, ...]:
    """The definitions of a file by its number."""
    path = corpus.paths[number]
    language = language_of(path)
    return symbols_of(path, language, corpus.text(number)) if language else ()


def is_declaration(symbol: Symbol, corpus: Corpus) -> bool:
    """Whether a symbol only says what a function is like: an overload, a prototype, an abstract method's line."""
    if not is_function(symbol.kind):
        return False
    lines = split_lines(corpus.text(corpus.numbers[symbol.path]))[symbol.start_line - 1 : symbol.end_line]
    text = "\n".join(lines).rstrip()
    return bool(_OVERLOAD.match(text)) or text.endswith("...") or (text.endswith(";") and "{" not in text)
