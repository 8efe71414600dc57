"""The symbol index: definitions, references and enclosing symbols of a repository, found on demand.

Nothing is read before the first question and nothing is parsed before a question needs it: reading
all sources and scanning names costs a few times the reading alone, parsing them all some forty times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from devpulse.core.candidates import Question, ask
from devpulse.core.corpus import Corpus
from devpulse.core.definitions import PARSED_FILES, Definitions, is_declaration, symbols_at
from devpulse.core.inheritance import Inheritance
from devpulse.core.languages import language_of
from devpulse.core.lazy_sources import LazySources
from devpulse.core.name_scan import closest_stages
from devpulse.core.ranking import is_within
from devpulse.core.receivers import is_called_like, likely_types
from devpulse.core.symbols import Found, Reference, Symbol
from devpulse.core.syntax import innermost, symbols_of
from devpulse.core.text import split_lines

REFERENCE_TEXT = 200
"""Characters of a reference's line."""


class SymbolIndex:
    """Answers questions about the symbols of one tree of files. Implements ``core.symbols.Resolver``.

    ``paths`` lists the tree's files, ``read`` gives one file's bytes (``None``: not there), ``read_many``
    the bytes of those files that are there, ``size`` a size in bytes without reading. Files over
    ``MAX_FILE_BYTES`` and binary files are left out. Safe to use from several threads: one lock for
    building, none for look-ups. What was read at the first question is what is searched from then on.
    """

    def __init__(
        self,
        paths: Callable[[], Sequence[str]],
        read: Callable[[str], bytes | None],
        read_many: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]] | None = None,
        size: Callable[[str], int | None] | None = None,
    ) -> None:
        self._sources = LazySources(paths, read, read_many, size)
        self._found = Definitions(self._sources)
        self._inheritance = Inheritance(
            lambda name, near: self._found.of(ask(name), near, 3, None).rows, self.symbols_in
        )

    @property
    def ready(self) -> bool:
        """Whether a question about a name is answered without reading the repository first; never waits."""
        return self._sources.ready

    def prepare(self) -> None:
        """Read the repository and the names it defines, so that the first question about a name need not."""
        self._sources.defined_names()

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """Definitions with exactly this name, ``Class.method``, ``module.name`` or a route like ``GET /x``.

        Nearest to ``near`` first: same file, imported by it, same folder, same language, the rest; tests,
        vendored and generated files last. ``total`` counts all; in files that need no parsing for the first
        ``limit`` rows, or are beyond ``PARSED_FILES``, it counts definition lines.
        """
        return self._exactly(ask(name), near, limit, None)

    def search(self, query: str, *, path: str | None = None, near: str | None = None, limit: int = 10) -> Found[Symbol]:
        """Definitions called like ``query``, within the file or folder ``path``.

        Exact names first; else names that differ in case or separators, names that contain every word of
        the query, or the closest spellings, whichever is found first; ``exact`` is false for these.
        """
        question = ask(query)
        found = self._exactly(question, near, limit, path)
        if found.total or not question.name:
            return Found(found.rows, found.total, exact=bool(found.total))
        if question.owners:
            likely = self._of_variable(question, near, limit, path)
            if likely.total:
                return likely
        tables = (self._sources.defined_names(), self._sources.likely_names())
        names = [name.decode("utf-8", errors="replace") for table in tables for name in table.names()]
        for alike in closest_stages(question.name, dict.fromkeys(names), limit):
            found = self._found.called(alike, tables, near, path, limit)
            if found.rows:
                return found
        return Found((), 0, exact=False)

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:
        """Lines that mention the name as a whole word, definitions included; ``total`` counts the lines.

        ``path`` does not filter: lines in that file or folder come first, then those nearest to it.
        """
        corpus, question = self._sources.corpus(), ask(name)
        lines = self._sources.lines_with(question.word)
        by_file: dict[int, list[int]] = {}
        end = 0
        for offset in lines:
            if offset >= end:
                number = corpus.file_at(offset)
                end, of_file = corpus.end(number), by_file.setdefault(number, [])
            of_file.append(offset)
        near = self._found.nearness(path, question.name)

        def rank(number: int) -> tuple[object, ...]:
            place = corpus.paths[number]
            return (place != path and not is_within(place, path), near(place))

        nearest = (offset for number in sorted(by_file, key=rank) for offset in by_file[number])
        rows = tuple(_reference(corpus, offset) for offset, _ in zip(nearest, range(max(limit, 0)), strict=False))
        return Found(rows, len(lines))

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """The innermost symbol around a line (from 1), or ``None`` at module level or in an unknown file."""
        return innermost(self.symbols_in(path), line)

    def source(self, symbol: Symbol) -> str | None:
        """The text of the symbol's span, or ``None`` when its file is gone or has become shorter."""
        text = self._sources.fresh_text(symbol.path)
        lines = split_lines(text) if text is not None else []
        if len(lines) < symbol.end_line:
            return None
        return "\n".join(lines[symbol.start_line - 1 : symbol.end_line])

    def defines(self, path: str, qualified_name: str) -> bool:
        """Whether a file defines a symbol called exactly so; reads that file alone."""
        return any(symbol.qualified_name == qualified_name for symbol in self.symbols_in(path))

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """All definitions of a file, in source order; empty for a file that is not there or has no grammar."""
        language = language_of(path)
        text = self.text(path) if language else None
        return symbols_of(path, language, text) if language and text is not None else ()

    def text(self, path: str) -> str | None:
        """A file's text as it was at the first question about it; ``None`` when there is none to show."""
        return self._sources.text(path)

    def _exactly(self, question: Question, near: str | None, limit: int, place: str | None) -> Found[Symbol]:
        """What is called so; members also by a class that only inherits them, or by the object at hand."""
        if question.owners and not question.above:
            found = self._found.of(question, near, limit, place)
            if found.total:
                return found
        inherited: list[Symbol] = []
        if question.owners:
            inherited = self._inheritance.members(question.name, question.owners[-1:], near, above=question.above)
            if not inherited:
                return Found((), 0)
        elif near is not None and (question.above or (question.on_itself and not self._has(near, question.name))):
            inherited = self._inheritance.inherited(question.name, near)
        return self._led_by(inherited, question, near, limit, place)

    def _of_variable(self, question: Question, near: str | None, limit: int, place: str | None) -> Found[Symbol]:
        """Members called so, those first whose class the asking file or its own name gives the variable."""
        variable = question.owners[-1]
        types = likely_types(variable, self.text(near) or "") if near else ()
        first = self._inheritance.members(question.name, types, near)
        if not first:
            wide = self._found.of(ask(question.name), near, PARSED_FILES, place).rows
            owned = [symbol for symbol in wide if "." in symbol.qualified_name]
            first = [symbol for symbol in owned if is_called_like(variable, symbol.qualified_name.split(".")[-2])]
        found = self._led_by(first, question, near, limit, place)
        return Found(found.rows, found.total, exact=False)

    def _led_by(
        self, first: Sequence[Symbol], question: Question, near: str | None, limit: int, place: str | None
    ) -> Found[Symbol]:
        of_object = question.on_itself or question.above or bool(question.owners)
        found = self._found.of(replace(question, owners=(), on_itself=of_object), near, limit, place)
        first = sorted(first, key=lambda symbol: is_declaration(symbol, self._sources.corpus()))
        rows = dict.fromkeys([*(symbol for symbol in first if is_within(symbol.path, place)), *found.rows])
        return Found(tuple(rows)[: max(limit, 0)], max(found.total, len(rows)))

    def _has(self, path: str, name: str) -> bool:
        return any(symbol.name == name for symbol in self.symbols_in(path))


def _reference(corpus: Corpus, offset: int) -> Reference:
    number = corpus.file_at(offset)
    line = corpus.line_of(offset, number)
    around = innermost(symbols_at(corpus, number), line)
    text = corpus.line_at(offset).decode("utf-8", errors="replace").strip()[:REFERENCE_TEXT]
    return Reference(corpus.paths[number], line, text, around.qualified_name if around else None)
