"""The files of one tree, read when first asked for: single texts, the buffer of all sources, the tables of names."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from threading import RLock

from devpulse.core.candidates import complete_languages, searched_languages
from devpulse.core.corpus import MAX_FILE_BYTES, Corpus, build_corpus, is_text
from devpulse.core.imports import Imports, imports_of
from devpulse.core.known_paths import KnownPaths
from devpulse.core.languages import EXTENSIONS, LANGUAGES, language_of
from devpulse.core.memo import Memo
from devpulse.core.name_scan import NameTable, scan_names
from devpulse.core.text import decode

TEXT_BYTES = 8_000_000
"""Single files kept in memory between questions about their lines."""

LINES_BYTES = 4_000_000
"""The places of words that are kept, eight bytes each."""

WORDS_ONLY = frozenset(
    {".ejs", ".erb", ".graphql", ".groovy", ".hbs", ".html", ".j2", ".jinja", ".jinja2", ".lua", ".m", ".mm", ".pl"}
    | {".pm", ".proto", ".pug", ".r", ".scala", ".sh", ".sql", ".svelte", ".swift", ".twig", ".vue"}
)
"""Sources and templates without a grammar here: references are found in them, definitions are not."""

RARE = 2_000
"""Lines with a name up to which it is looked for by itself; more cost as much as the table of all names."""

_GROUPS = {**dict.fromkeys(WORDS_ONLY, ""), **EXTENSIONS}
"""The group of a file by how its name ends, in lower case."""

_NO_IMPORTS = Imports({}, frozenset())


class LazySources:
    """Reads a tree through four functions and keeps what was read. One lock for building, none for reading."""

    def __init__(
        self,
        paths: Callable[[], Sequence[str]],
        read: Callable[[str], bytes | None],
        read_many: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]] | None,
        size: Callable[[str], int | None] | None,
    ) -> None:
        self._paths = paths
        self._read = read
        self._read_many = read_many
        self._size = size
        self._building = RLock()
        self._corpus: Corpus | None = None
        self._defined: NameTable | None = None
        self._likely: NameTable | None = None
        self._known: KnownPaths | None = None
        self._texts: Memo[str | None] = Memo(TEXT_BYTES)
        self._imports: Memo[Imports] = Memo(TEXT_BYTES)
        self._lines: Memo[array[int]] = Memo(LINES_BYTES)

    @property
    def ready(self) -> bool:
        """Whether all sources and the names they define are there; asks for no lock."""
        return self._defined is not None

    def corpus(self) -> Corpus:
        """All sources, read once."""
        with self._building:
            if self._corpus is None:
                groups: dict[str, list[str]] = {}
                for path in sorted(self._paths()):
                    group = group_of(path)
                    if group is not None:
                        groups.setdefault(group, []).append(path)
                self._corpus = build_corpus({group: self._contents(paths) for group, paths in groups.items()})
            return self._corpus

    def defined_names(self) -> NameTable:
        """The definition lines of the languages whose scan is complete."""
        with self._building:
            if self._defined is None:
                corpus = self.corpus()
                self._defined = scan_names(corpus, complete_languages(corpus))
            return self._defined

    def lines_defining(self, name: str) -> list[int]:
        """The offsets that ``defined_names`` has for a name. Until it is there, a name that is rare enough is looked
        for by itself where lines can be scanned one by one, which takes a tenth of the time."""
        with self._building:
            if self._defined is None:
                found = _scan_lines(self.corpus(), name.encode("utf-8", errors="replace"))
                if found is not None:
                    return found
            return self.defined_names().of(name)

    def lines_with(self, word: bytes) -> Sequence[int]:
        """``Corpus.lines`` of a word; the next question about it is often soon to come."""
        corpus = self.corpus()
        return self._lines.get(word, lambda: array("Q", corpus.lines(word)), lambda lines: 8 * len(lines))

    def likely_names(self) -> NameTable:
        """The likely definition lines of the other languages: for questions that are not about an exact name."""
        with self._building:
            if self._likely is None:
                corpus = self.corpus()
                self._likely = scan_names(corpus, searched_languages(corpus))
            return self._likely

    def text(self, path: str) -> str | None:
        """A file's text as it was when first asked for; ``None`` when there is none to show."""
        return self._texts.get(path, lambda: self.fresh_text(path), lambda text: len(text or ""))

    def fresh_text(self, path: str) -> str | None:
        """A file's text as it is now; ``None`` when it is not there, too large or binary."""
        data = self._read(path) if self._is_small(path) else None
        return decode(data) if data is not None and is_text(data) else None

    def imports(self, path: str | None) -> Imports:
        """What a file imports, resolved within the sources."""
        text = self.text(path) if path and language_of(path) else None
        if path is None or text is None:
            return _NO_IMPORTS
        known = self._known_paths()
        return self._imports.get(path, lambda: imports_of(path, language_of(path), text, known), lambda _: len(text))

    def _known_paths(self) -> KnownPaths:
        with self._building:
            if self._known is None:
                self._known = KnownPaths(self.corpus().paths)
            return self._known

    def _contents(self, paths: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        if self._read_many is not None:
            return self._read_many(paths)
        small = (path for path in paths if self._is_small(path))
        return ((path, data) for path in small if (data := self._read(path)) is not None)

    def _is_small(self, path: str) -> bool:
        size = self._size(path) if self._size is not None else 0
        return size is not None and size <= MAX_FILE_BYTES


def _scan_lines(corpus: Corpus, word: bytes) -> list[int] | None:
    """The definition lines of a name, scanning only lines with the word; ``None`` where all must be scanned."""
    languages = complete_languages(corpus)
    if not word or not all(LANGUAGES.scans_by_line(name) for name in languages):
        return None
    found: list[int] = []
    for language in languages:
        scan = LANGUAGES.scan_of(language)
        places = list(islice(corpus.words(word, *corpus.groups[language]), RARE + 1))
        if len(places) > RARE:
            return None
        end = 0
        for place in places:
            if place >= end:  # else the line is known already
                start, end = corpus.buffer.rfind(b"\n", 0, place) + 1, corpus.buffer.find(b"\n", place) + 1
                found += [at for at, name in scan(corpus.buffer, start, end) if name == word]
    return found


def group_of(path: str) -> str | None:
    """A path's language, or empty when its words are searched all the same; ``None``: it takes no part."""
    ending = path[path.rfind(".") :]
    if ending in _GROUPS:  # most paths, asked for one by one
        return _GROUPS[ending]
    language = language_of(path)
    if language is not None:
        return language
    return "" if ending.lower() in WORDS_ONLY else None
