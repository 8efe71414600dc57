"""What a Rust file imports, read cheaply from its text: ``use`` paths and ``mod`` declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_above, folder_of, folders_around
from devpulse.core.languages.base import ImportReader

_USE = re.compile(r"^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+([^;]{1,4000});", re.MULTILINE)
_MOD = re.compile(r"^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*")
_TOKEN = re.compile(r"::|[{},*]|\bas\b|\w+")

_ROOT_FILES = frozenset({"mod.rs", "lib.rs", "main.rs"})
USES = 2000
"""Names read from one file's ``use`` declarations; more is generated."""


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for name in _MOD.findall(text):
        target = _module_file(_own_folder(path), [name], known)
        if target is not None:
            yield target, set()
    for parts, _ in _uses(text):
        yield from _used(path, parts, known)


def _used(path: str, parts: list[str], known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    """The file of a path: its longest beginning that names one, the next part being the name taken from it."""
    folder, rest = _start(path, parts, known)
    if folder is None:
        return
    for size in range(len(rest), 0, -1):
        target = _module_file(folder, rest[:size], known)
        if target is not None and target != path:
            yield target, set(rest[size : size + 1])
            return
    roots = (folder + name for name in ("lib.rs", "main.rs", "mod.rs"))
    target = next((root for root in roots if root in known), None)
    if rest and target is not None and target != path:
        yield target, set(rest[:1])


def _start(path: str, parts: list[str], known: AbstractSet[str]) -> tuple[str | None, list[str]]:
    """The folder a path starts in, and its parts below that: ``crate``, ``self``, ``super``, another crate here."""
    first, rest = parts[0], parts[1:]
    if first == "crate":
        return _crate_folder(path, known), rest
    if first == "self":
        return _own_folder(path), rest
    if first == "super":
        folder = folder_above(_own_folder(path), 1)
        while rest[:1] == ["super"]:
            folder, rest = folder_above(folder, 1), rest[1:]
        return folder, rest
    named = first.replace("_", "-")
    around = [*folders_around(path), ""]
    places = (
        f"{folder}{inner}{name}/src/" for folder in around for inner in ("", "crates/") for name in (first, named)
    )
    crate = next((place for place in places if place + "lib.rs" in known), None)
    return (crate, rest) if crate is not None else (_own_folder(path), parts)


def _crate_folder(path: str, known: AbstractSet[str]) -> str:
    """The nearest folder around a file with the crate's root file in it."""
    around = folders_around(path)
    roots = (folder for folder in around if folder + "lib.rs" in known or folder + "main.rs" in known)
    return next(roots, around[-1] if around else "")


def _own_folder(path: str) -> str:
    """Where a file's own modules lie: beside a root file, else in the folder called like the file."""
    name = path.rpartition("/")[2]
    return folder_of(path) if name in _ROOT_FILES else path.removesuffix(".rs") + "/"


def _module_file(folder: str, parts: list[str], known: AbstractSet[str]) -> str | None:
    base = folder + "/".join(parts)
    return next((target for target in (f"{base}.rs", f"{base}/mod.rs") if target in known), None)


def _uses(text: str) -> Iterator[tuple[list[str], str]]:
    """The full paths of all ``use`` declarations, each with the name it binds (empty for ``*``)."""
    left = USES
    for tree in _USE.findall(text):
        for parts, bound in _leaves(_COMMENT.sub("", tree)):
            left -= 1
            if left < 0:
                return
            yield parts, bound


def _leaves(tree: str) -> Iterator[tuple[list[str], str]]:
    """``a::{b::C, d as e, self}`` as ``a::b::C``, ``a::d`` (bound as ``e``), ``a``."""
    prefixes: list[list[str]] = []
    parts: list[str] = []
    alias = ""
    renaming = False
    for lexeme in [*_TOKEN.findall(tree), ","]:
        if lexeme == "{":
            prefixes.append(parts)
            parts = list(parts)
        elif lexeme in {",", "}"}:
            base = prefixes[-1] if prefixes else []
            if len(parts) > len(base):
                yield _leaf(parts, alias)
            if lexeme == "}" and prefixes:
                prefixes.pop()
                parts = []
            else:
                parts = list(base)
            alias, renaming = "", False
        elif lexeme == "as":
            renaming = True
        elif lexeme != "::":
            if renaming:
                alias = lexeme
            elif len(parts) < 20:
                parts = [*parts, lexeme]


def _leaf(parts: list[str], alias: str) -> tuple[list[str], str]:
    if parts[-1] == "*":
        return parts[:-1] or parts, ""
    if parts[-1] == "self" and len(parts) > 1:
        return parts[:-1], alias or parts[-2]
    return parts, alias or parts[-1]


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for parts, bound in _uses(text):
        module = [part for part in parts[:-1] if part not in {"crate", "self", "super"}]
        if bound and bound != "_":
            yield bound, ".".join(module), parts[-1]


IMPORTS = ImportReader(files=_files, names=_names)
