"""What a PHP file imports: ``use`` of names, whose files end like their namespaces, and included files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import SOURCE_ROOTS, folder_above, folder_of, folders_around
from devpulse.core.known_paths import KnownPaths
from devpulse.core.languages.base import ImportReader

_USE = re.compile(
    r"^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([A-Za-z_][\w\\]*)"
    r"(?:[ \t]*\{([^{}]{0,3000})\}|([^;{}()]{0,1000}))[ \t]*;",
    re.MULTILINE | re.IGNORECASE,
)
_PART = re.compile(r"(?:\b(?:function|const)\s+)?\\?([A-Za-z_][\w\\]*)(?:\s+as\s+(\w+))?", re.IGNORECASE)
_INCLUDE = re.compile(
    r"\b(?:require|include)(?:_once)?\b[ \t(]*(?:(?:__DIR__|dirname\([ \t]*__FILE__[ \t]*\))[ \t]*\.[ \t]*)?"
    r"['\"]([^'\"\n$]{1,300})['\"]"
)

IMPORTED_NAMES = 500
"""Names looked up for one file; more means generated code."""


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    wanted: dict[str, list[tuple[str, ...]]] = {}
    for _, full in _used(text):
        wanted.setdefault(f"{full[-1]}.php".lower(), []).append(full)
    paths = KnownPaths.of(known)
    for file, names in wanted.items():
        places = [place for place in paths.named(file) if place != path]
        for full in names if places else ():
            best = _best(path, full, places)
            if best is not None:
                yield best, {full[-1]}
    for target in _INCLUDE.findall(text):
        found = _included(path, target, known)
        if found is not None:
            yield found, set()


def _best(path: str, full: tuple[str, ...], places: list[str]) -> str | None:
    """The file whose folders agree with the namespace the longest; an unlike one only for a short namespace."""
    scored = sorted((-_agreeing(full, place), -_shared(path, place), place) for place in places)
    agreeing = -scored[0][0]
    if agreeing > 1 or len(full) == 1 or (len(full) == 2 and len(scored) == 1):
        return scored[0][2]
    return None


def _agreeing(full: tuple[str, ...], place: str) -> int:
    parts = place.rpartition(".")[0].lower().split("/")
    count = 0
    for name, part in zip(reversed(full), reversed(parts), strict=False):
        if name.lower() != part:
            break
        count += 1
    return count


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def _included(path: str, target: str, known: AbstractSet[str]) -> str | None:
    parts = [part for part in target.split("/") if part not in {"", "."}]
    up = 0
    while up < len(parts) and parts[up] == "..":
        up += 1
    inner = "/".join(parts[up:])
    around = (*folders_around(path), *SOURCE_ROOTS)
    bases = (folder_above(folder_of(path), up),) if up else around
    return next((base + inner for base in bases if base + inner in known and base + inner != path), None)


def _used(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The names that ``use`` binds, each with the parts of the full name it stands for."""
    used: list[tuple[str, tuple[str, ...]]] = []
    for head, group, rest in _USE.findall(text):
        listed = [(head + part, alias) for part, alias in _PART.findall(group)] if group else _PART.findall(head + rest)
        for name, alias in listed:
            full = tuple(part for part in name.split("\\") if part)
            if full:
                used.append((alias or full[-1], full))
        if len(used) >= IMPORTED_NAMES:
            break
    return used


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for bound, full in _used(text):
        yield bound, ".".join(full[:-1]), full[-1]


IMPORTS = ImportReader(files=_files, names=_names)
