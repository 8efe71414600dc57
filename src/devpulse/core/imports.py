"""What a file imports, and which repository files and names that means; each language brings its own reader."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from devpulse.core.folders import folder_of
from devpulse.core.languages import LANGUAGES

if TYPE_CHECKING:
    from devpulse.core.languages.base import ImportReader


@dataclass(frozen=True, slots=True)
class Imports:
    """The files a file imports with the names it takes from them, and the folders of packages it imports."""

    files: dict[str, frozenset[str]]
    folders: frozenset[str]


@dataclass(frozen=True, slots=True)
class ImportedName:
    """What a name of a file stands for: ``name`` of the dotted ``module``, or the module itself (``name`` empty)."""

    module: str
    name: str


def imports_of(path: str, language: str | None, text: str, known: AbstractSet[str]) -> Imports:
    """Resolve the imports of a file against the known paths. What cannot be found or read is left out."""
    found: dict[str, set[str]] = {}
    folders: set[str] = set()
    reader = _reader(language)
    for target, names in reader.files(path, text, known) if reader is not None else ():
        folder, name = folder_of(target), target.rpartition("/")[2]
        if name:
            found.setdefault(target, set()).update(names)
        if folder and (not name or name == "__init__.py" or name.startswith("index.")):
            folders.add(folder)
    return Imports({target: frozenset(names) for target, names in found.items()}, frozenset(folders))


@lru_cache(maxsize=32)
def imported_names(language: str | None, text: str) -> Mapping[str, ImportedName]:
    """The names that a file's imports bind, with what each stands for."""
    reader = _reader(language)
    rows = reader.names(text) if reader is not None else ()
    return MappingProxyType({bound: ImportedName(module, name) for bound, module, name in rows})


def imported_callee(language: str | None, text: str, callee: str) -> str:
    """A dotted callee of a file with its first name replaced by what that was imported as; else as it is written."""
    first, dot, rest = callee.partition(".")
    imported = imported_names(language, text).get(first)
    if imported is None:
        return callee
    return ".".join(part for part in (imported.module, imported.name) if part) + dot + rest


def _reader(language: str | None) -> ImportReader | None:
    support = LANGUAGES.get(language or "")
    return support.imports if support is not None else None
