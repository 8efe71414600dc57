"""What a file imports, read cheaply from its text, and which repository files that means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n#]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w. \t,]+)", re.MULTILINE)
_ES_FROM = re.compile(r"\b(?:import|export)\b([^'\";]{0,3000}?)\bfrom\s*['\"]([^'\"\n]+)['\"]")
_ES_CALL = re.compile(r"\b(?:require|import)\s*\(?\s*['\"]([^'\"\n]+)['\"]")
_ES_REQUIRED = re.compile(r"([\w$]+|\{[^{}]{0,1000}\})\s*=\s*require\(\s*['\"]([^'\"\n]+)['\"]")
_WORD = re.compile(r"[\w$]+")

_ES_EXTENSIONS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte")
_SOURCE_ROOTS = ("", "src/", "lib/", "app/")
_PACKAGE_FOLDERS = ("packages/", "libs/", "apps/")


@dataclass(frozen=True, slots=True)
class Imports:
    """The files a file imports with the names it takes from them, and the folders of packages it imports."""

    files: dict[str, frozenset[str]]
    folders: frozenset[str]


def imports_of(path: str, language: str | None, text: str, known: AbstractSet[str]) -> Imports:
    """Resolve the imports of a file against the known paths. What cannot be found is left out."""
    found: dict[str, set[str]] = {}
    folders: set[str] = set()
    pairs = _python(path, text, known) if language == "python" else _ecmascript(path, text, known)
    for target, names in pairs:
        folder, name = folder_of(target), target.rpartition("/")[2]
        if name:
            found.setdefault(target, set()).update(names)
        if folder and (not name or name == "__init__.py" or name.startswith("index.")):
            folders.add(folder)
    return Imports({target: frozenset(names) for target, names in found.items()}, frozenset(folders))


def folder_of(path: str) -> str:
    """The folder with its slash, or empty for the root."""
    return path[: path.rfind("/") + 1]


def _python(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for dots, module, listed in _FROM.findall(text):
        names = set(_WORD.findall(listed)) - {"as"}
        base = _up(folder_of(path), len(dots) - 1) if dots else None
        yield from _module(base, path, module, known, names)
        for name in names:
            # ``from package import module`` names a file, not a definition.
            yield from _module(base, path, f"{module}.{name}".strip("."), known, set())
    for listed in _IMPORT.findall(text):
        for part in listed.split(","):
            words = part.split()
            if words:
                yield from _module(None, path, words[0], known, set())


def _module(
    base: str | None, path: str, module: str, known: AbstractSet[str], names: set[str]
) -> Iterator[tuple[str, set[str]]]:
    """The file of a dotted module: below ``base``, else below the folders around ``path`` and the usual roots."""
    inner = module.replace(".", "/")
    if not inner:
        if base is not None and base + "__init__.py" in known:
            yield base + "__init__.py", names
        return
    roots = [base] if base is not None else [*_ancestors(path), *_SOURCE_ROOTS]
    for root in roots:
        for candidate in (f"{root}{inner}.py", f"{root}{inner}/__init__.py", f"{root}{inner}.pyi"):
            if candidate in known and candidate != path:
                yield candidate, names
                return


def _ecmascript(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for listed, specifier in [*_ES_FROM.findall(text), *_ES_REQUIRED.findall(text)]:
        for target in _specified(path, specifier, known):
            yield target, set(_WORD.findall(listed))
    for specifier in _ES_CALL.findall(text):
        for target in _specified(path, specifier, known):
            yield target, set()


def _specified(path: str, specifier: str, known: AbstractSet[str]) -> Iterator[str]:
    """The file a module specifier means: relative, an ``@/`` alias, below a usual root, or a package folder."""
    if specifier.startswith("."):
        bases = [_resolve(folder_of(path), specifier)]
    else:
        alias = specifier[2:] if specifier.startswith(("@/", "~/")) else specifier
        bases = [root + alias for root in (*_ancestors(path), *_SOURCE_ROOTS)]
    for base in bases:
        target = _with_extension(base, known) if base is not None else None
        if target is not None and target != path:
            yield target
            return
    if not specifier.startswith("."):
        name = specifier.split("/")[1 if specifier.startswith("@") and "/" in specifier else 0]
        yield from (f"{folder}{name}/" for folder in _PACKAGE_FOLDERS)


def _with_extension(base: str, known: AbstractSet[str]) -> str | None:
    # TypeScript's ESM style writes ``./x.js`` for the file ``x.ts``.
    stem = re.sub(r"\.[cm]?jsx?$", "", base)
    candidates = [base, *(stem + extension for extension in _ES_EXTENSIONS)]
    if stem != base:
        candidates += [base + extension for extension in _ES_EXTENSIONS]
    candidates += [f"{base.rstrip('/')}/index{extension}" for extension in _ES_EXTENSIONS]
    return next((candidate for candidate in candidates if candidate in known), None)


def _resolve(folder: str, specifier: str) -> str | None:
    for part in specifier.split("/")[:-1]:
        if part == "..":
            if not folder:
                return None
            folder = _up(folder, 1)
        elif part not in {"", "."}:
            folder += part + "/"
    last = specifier.rsplit("/", 1)[-1]
    if last == "..":
        return _up(folder, 1) if folder else None
    return folder.rstrip("/") if last in {"", "."} else folder + last


def _up(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = folder_of(folder.rstrip("/"))
    return folder


def _ancestors(path: str) -> list[str]:
    """The folders around a path, innermost first."""
    folders: list[str] = []
    folder = folder_of(path)
    while folder:
        folders.append(folder)
        folder = _up(folder, 1)
    return folders
