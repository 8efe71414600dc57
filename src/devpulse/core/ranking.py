"""Which of several definitions a question most likely means: the nearest one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.folders import folder_of
from devpulse.core.imports import Imports
from devpulse.core.languages import LANGUAGES, language_of
from devpulse.core.lazy_pattern import lazy

_FOREIGN = lazy(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendored|_vendor|third_party|dist|build|out|generated|__generated__)/"
    r"|[.-](?:min|bundle)\.[cm]?js$|_pb2(?:_grpc)?\.pyi?$|\.generated\.\w+$|(?:^|/)(?:bundle|polyfills?)\.js$",
    re.IGNORECASE,
)
_TESTS = lazy(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|specs?|testing|testdata|fixtures|e2e)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest)\.py$|\.(?:test|spec|stories)\.[cm]?[jt]sx?$"
    r"|_(?:test|spec|unittest)\.(?:go|rb|c|cc|cpp|cxx|rs)$|(?-i:(?:Tests?|TestCase|Spec|IT)\.(?:java|kt|php|cs)$)",
    re.IGNORECASE,
)

SAME_FILE, IMPORTED, SAME_FOLDER, SAME_LANGUAGE, REST, REMOTE = range(6)
"""How near a file is; ``REMOTE`` are tests, vendored and generated files."""

CERTAINLY_NEAR = (IMPORTED, 1)
"""Ranks below this are the asking file itself and files from which it imports the very name."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Ranks paths as seen from ``near``; smaller is nearer. Without ``near`` only remote files come last."""

    near: str | None
    name: str
    imports: Imports

    def __call__(self, path: str) -> tuple[int, int, int, str]:
        """The sort key of a path."""
        if path == self.near:
            return (SAME_FILE, 0, 0, path)
        names = self.imports.files.get(path)
        if names is not None:
            return (IMPORTED, 0 if self.name in names else 1, 0, path)
        shared = -_shared_folders(self.near, path) if self.near else 0
        if path.startswith(_prefixes(self.imports.folders)) and not remoteness(path):
            return (IMPORTED, 2, shared, path)
        away = remoteness(path)
        if away and (self.near is None or remoteness(self.near) != away):
            return (REMOTE, away, shared, path)
        return (self._distance(path), away, shared, path)

    def _distance(self, path: str) -> int:
        if self.near is None:
            return REST
        if folder_of(path) == folder_of(self.near):
            return SAME_FOLDER
        return SAME_LANGUAGE if family_of(path) == family_of(self.near) else REST


@lru_cache(maxsize=64)
def _prefixes(folders: frozenset[str]) -> tuple[str, ...]:
    return tuple(folders)


@lru_cache(maxsize=20_000)
def remoteness(path: str) -> int:
    """0 for the project's own code, 1 for tests, 2 for vendored and generated files."""
    if _FOREIGN.search(path):
        return 2
    return 1 if _TESTS.search(path) else 0


def is_within(path: str, place: str | None) -> bool:
    """Whether a path is the file ``place`` or lies in the folder ``place``; everything lies within ``None``."""
    if not place or place in {".", "./"}:
        return True
    folder = place.removeprefix("./").rstrip("/")
    return path == folder or path.startswith(folder + "/")


@lru_cache(maxsize=20_000)
def family_of(path: str) -> str | None:
    """The languages that call each other, of which a file's is one; ``None`` without a grammar."""
    language = language_of(path)
    support = LANGUAGES.get(language or "")
    return support.family or support.name if support is not None else None


def _shared_folders(one: str, other: str) -> int:
    shared = 0
    for folder in _folders_around(one):
        if not other.startswith(folder):
            break
        shared += 1
    return shared


@lru_cache(maxsize=64)
def _folders_around(path: str) -> tuple[str, ...]:
    """The folders that hold a path, the outermost first, each with its slash."""
    return tuple(path[: at + 1] for at, character in enumerate(path) if character == "/")
