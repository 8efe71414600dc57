"""What a Go file imports, read cheaply from its text. A package is a folder; its name need not be repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_of
from devpulse.core.known_paths import KnownPaths
from devpulse.core.languages.base import ImportReader

_IMPORT = re.compile(r"^import[ \t]+(\([^)]{0,20000}\)|[^\n]+)", re.MULTILINE)
_SPEC = re.compile(r"(?:([\w.]+)[ \t]+)?[\"`]([^\"`\n]+)[\"`]")
_VERSION = re.compile(r"v\d+")

_STANDARD = frozenset(
    {
        "archive",
        "compress",
        "container",
        "crypto",
        "database",
        "debug",
        "encoding",
        "go",
        "hash",
        "html",
        "image",
        "index",
        "io",
        "log",
        "math",
        "mime",
        "net",
        "os",
        "path",
        "regexp",
        "runtime",
        "sync",
        "testing",
        "text",
        "time",
        "unicode",
    }
)
"""First names of the standard library's packages that have packages below them."""


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    folders = KnownPaths.of(known).folders_with((".go",))
    for _, imported in _specs(text):
        target = _folder(imported, folders)
        if target is not None and target != folder_of(path):
            yield target, set()


def _folder(imported: str, folders: Mapping[str, Sequence[str]]) -> str | None:
    """The folder whose path is the longest end of the import path: the module's own name has no folder."""
    parts = imported.split("/")
    if len(parts) == 1 or parts[0] in _STANDARD:
        return None
    ends = ("/".join(parts[start:]) + "/" for start in range(len(parts)))
    named = folders.get(parts[-1], ())
    return next((folder for folder in ends if folder in named), None)


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for alias, imported in _specs(text):
        parts = [part for part in imported.split("/") if not _VERSION.fullmatch(part)] or [imported]
        if alias not in {"_", "."}:
            yield alias or parts[-1], ".".join(parts), ""


def _specs(text: str) -> Iterator[tuple[str, str]]:
    for listed in _IMPORT.findall(text):
        yield from _SPEC.findall(listed)


IMPORTS = ImportReader(files=_files, names=_names)
