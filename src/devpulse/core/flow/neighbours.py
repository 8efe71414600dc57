"""Functions of other files that a file calls by its imports: found with few and cheap questions to the repository."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from devpulse.core.imports import imported_names
from devpulse.core.knowledge.model import words_of
from devpulse.core.languages import LANGUAGES, language_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver, Symbol

MAX_LOOKUPS = 40
"""Names that are looked for on behalf of one file."""

MAX_FOLDERS = 6
"""Folders, from the file's own outwards, below which a module is looked for."""

MAX_TEXT = 60_000
"""Characters of another file that are read for one of its functions; of longer ones the function alone is."""

_PACKAGES = {"python": ("/__init__",), "javascript": ("/index",), "typescript": ("/index",), "tsx": ("/index",)}
_ENDINGS = {
    "python": (".py",),
    "java": (".java",),
    **dict.fromkeys(("javascript", "typescript", "tsx"), (".js", ".ts", ".tsx", ".jsx", ".mjs")),
}
# Between names and brackets: comments are bounded, since every name in them is looked at in the same way.
_GAP = r"(?:[\s\\]++|(?:#|//)[^\n]{0,500}+|/\*[^*]{0,500}+\*+/){0,8}+"
_NEXT = rf"(?:{_GAP}\??\.{_GAP}[\w$]++|{_GAP}\[[^\]\n]{{0,80}}\])"
_CALL = lazy(rf"(?<![\w$.])([\w$]++){_NEXT}{{0,6}}+(?:<[^<>()]{{0,80}}>)?{_GAP}(?:\?\.)?\(")
_STATIC_CALL = lazy(rf"(?<![\w.])[A-Z]\w*+{_GAP}\.{_GAP}(?:<[^<>()]{{0,80}}>)?\w++{_GAP}\(")
_WORD = lazy(r"\w++")
_READING = frozenset(".([")
_INPUTS = frozenset({
    "request", "req", "ctx", "event", "argv", "parse_args", "getParameter", "RequestParam", "PathVariable",
    "RequestBody", "route", "input", "namelist", "infolist", "getmembers", "getEntries", "getNextEntry",
    "get_argument", "getHeader", "getQueryString", "QueryParam", "PathParam", "searchParams", "URLSearchParams",
})  # fmt: skip
"""What a file mentions that reads from its users."""

_ROUTES = frozenset({
    "APIRouter", "FastAPI", "Body", "Query", "Param", "GetMapping", "PostMapping", "PutMapping", "PatchMapping",
    "DeleteMapping",
})  # fmt: skip
"""What a file mentions whose functions may have what users send as their parameters."""

_TELLING = _INPUTS | _ROUTES

_LIBRARIES = sys.stdlib_module_names | {
    "", "flask", "django", "fastapi", "starlette", "rest_framework", "requests", "pydantic", "sqlalchemy", "bottle",
    "tornado", "aiohttp", "werkzeug", "jinja2", "express", "react", "lodash", "axios", "http", "https", "util",
    "crypto",
}  # fmt: skip
"""Modules that are nobody's own, by the first part of their names."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A function of another file: what it is called there, and the text of that file up to its end.

    ``first`` is the number of the text's first line in the file.
    """

    name: str
    source: Source
    first: int


@dataclass(slots=True)
class Neighbours:
    """What is asked for one file under review; every question goes through its resolver."""

    resolver: Resolver
    _known: dict[tuple[str, str], Neighbour | None] = field(default_factory=dict)

    def find(self, callee: str, source: Source) -> Neighbour | None:
        """The function that a callee means by the imports of ``source``; ``None`` for a library's, and at the bound."""
        key = (source.path, callee)
        if key not in self._known:
            self._known[key] = self._find(callee, source) if len(self._known) < MAX_LOOKUPS else None
        return self._known[key]

    def _find(self, callee: str, source: Source) -> Neighbour | None:
        for path, name in _places(callee, source):
            # One file is read for this; only what it does define is worth an index of all of them.
            if path != source.path and self.resolver.defines(path, name):
                asked = f"{path.rpartition('/')[2].partition('.')[0]}.{name}"
                found = self.resolver.definitions(asked, near=path, limit=5)
                rows = [row for row in found.rows if row.path == path and row.qualified_name == name]
                return self._read(rows[0]) if len(rows) == 1 else None
        return None

    def _read(self, symbol: Symbol) -> Neighbour | None:
        language = language_of(symbol.path)
        if language is None or symbol.kind in ("class", "interface", "type", "enum"):
            return None
        text, first = self.resolver.source(replace(symbol, start_line=1)), 1
        if text is None or len(text) > MAX_TEXT:
            text, first = self.resolver.source(symbol), symbol.start_line
            if text is None or len(text) > MAX_TEXT:
                return None
            text = LANGUAGES[language].standalone(symbol.kind, text)
        if language != "python":  # a class that is cut off is closed again
            text += "\n" + "}" * symbol.qualified_name.count(".")
        return Neighbour(symbol.qualified_name, Source(symbol.path, language, text, frozenset()), first)


@lru_cache(maxsize=8)
def may_hand_on(language: str, text: str) -> bool:
    """Whether a file may give what is not to be trusted to another file's function: cheap, and asked before a walk."""
    if language not in _ENDINGS or words_of(text).isdisjoint(_TELLING):
        return False
    return language == "java" or bool(_own_names(language, text))


def handed_on_at(language: str, text: str) -> list[int]:
    """Where a text calls what may be a function of another file, if it has something to give; numbers of characters."""
    if not may_hand_on(language, text):
        return []
    if language == "java":
        return [call.start() for call in _STATIC_CALL.finditer(text)]
    own = _own_names(language, text)
    return [call.start() for call in _CALL.finditer(text) if call[1] in own]


def inputs_at(text: str, *, read: bool = False) -> list[int]:
    """Where a text mentions what it takes from its users; ``read``: and takes something out of it, as no import and no
    query in a text does. Numbers of characters.
    """
    found = [word for word in _WORD.finditer(text) if word.group() in _INPUTS]
    return [word.start() for word in found if not read or text[word.end() : word.end() + 1] in _READING]


def _own_names(language: str, text: str) -> frozenset[str]:
    """The names of a text that stand for something of a file that is no library's."""
    imported = imported_names(language, text).items()
    return frozenset(name for name, meant in imported if meant.module.partition(".")[0] not in _LIBRARIES)


def _places(callee: str, source: Source) -> Iterator[tuple[str, str]]:
    """Where a callee may be defined by the imports of a file: paths, each with the qualified name it has there."""
    endings = _ENDINGS.get(source.language or "")
    parts = callee.split(".")
    if endings is None or "" in parts:
        return
    imported = imported_names(source.language, source.text).get(parts[0])
    if imported is not None:
        parts = [part for part in (*imported.module.split("."), imported.name, *parts[1:]) if part]
        if not parts or parts[0] in _LIBRARIES:
            return
    elif source.language != "java" or len(parts) != 2 or not parts[0][:1].isupper():
        return
    for module, name in _splits(parts, source.language or ""):
        folder = source.path.rpartition("/")[0]
        for _ in range(MAX_FOLDERS):
            for inside in ("", *_PACKAGES.get(source.language or "", ())):
                for ending in endings:
                    yield f"{folder}/{module}{inside}{ending}".removeprefix("/"), name
            if not folder:
                break
            folder = folder.rpartition("/")[0]


def _splits(parts: list[str], language: str) -> Iterator[tuple[str, str]]:
    """A dotted name as the path of a module, and what is called so in it: a function, or a method of a class."""
    if language == "java":
        yield "/".join(parts[:-1]), ".".join(parts[-2:])
        return
    for names in (1, 2):
        if len(parts) > names:
            yield "/".join(parts[:-names]), ".".join(parts[-names:])
