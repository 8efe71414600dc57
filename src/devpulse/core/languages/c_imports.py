"""What a C or C++ file includes, read cheaply from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_above, folder_of, folders_around
from devpulse.core.languages.base import ImportReader

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*([\"<])([^\">\n]+)[\">]", re.MULTILINE)
_ROOTS = ("", "include/", "src/", "source/", "lib/", "deps/", "third_party/")
_BODIES = (".c", ".cc", ".cpp", ".cxx")
_BODY_FOLDERS = (("/include/", "/src/"), ("include/", "src/"))


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for _, included in _INCLUDE.findall(text):
        header = _header(path, included, known)
        if header is not None and header != path:
            yield header, set()
            yield from ((body, set()) for body in _bodies(header, known) if body != path)


def _header(path: str, included: str, known: AbstractSet[str]) -> str | None:
    """The file an include means: beside the including file, below a folder around it or a usual root, or its end."""
    beside = _resolve(folder_of(path), included)
    around = [f"{folder}{root}" for folder in (*folders_around(path), "") for root in _ROOTS]
    places = [beside, *(_resolve(folder, included) for folder in around)]
    return next((place for place in places if place is not None and place in known), None)


def _resolve(folder: str, included: str) -> str | None:
    parts = included.split("/")
    for part in parts[:-1]:
        if part == "..":
            if not folder:
                return None
            folder = folder_above(folder, 1)
        elif part not in {"", "."}:
            folder += part + "/"
    return folder + parts[-1]


def _bodies(header: str, known: AbstractSet[str]) -> Iterator[str]:
    """The files that define what a header declares: called like it, beside it or in the sources' folder."""
    stem = header.rpartition(".")[0]
    stems = {stem: None, **{stem.replace(one, two, 1): None for one, two in _BODY_FOLDERS}}
    yield from (f"{name}{body}" for name in stems for body in _BODIES if f"{name}{body}" in known)


def _names(text: str) -> Iterator[tuple[str, str, str]]:  # noqa: ARG001  (the reader's fixed signature)
    """Nothing: an include binds no name of its own."""
    yield from ()


IMPORTS = ImportReader(files=_files, names=_names)
