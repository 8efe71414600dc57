"""What a JavaScript or TypeScript file imports, read cheaply from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import SOURCE_ROOTS, folder_above, folder_of, folders_around
from devpulse.core.languages.base import ImportReader

_FROM = re.compile(r"\b(?:import|export)\b([^'\";]{0,3000}?)\bfrom\s*['\"]([^'\"\n]+)['\"]")
_CALL = re.compile(r"\b(?:require|import)\s*+(?:\(\s*+)?['\"]([^'\"\n]+)['\"]")
_REQUIRED = re.compile(
    r"((?<![\w$])[\w$]++|\{[^{}]{0,1000}\})\s*+=\s*+(?:(?:(?:require\(['\"](?:node:)?\w+['\"]\)\.)?[\w$.]{0,60}promisify(?:All)?|pify|_interop\w{1,30}|__import\w{1,30}|__toESM)\(\s*)?"
    r"require\(\s*['\"]([^'\"\n]+)['\"]\s*\)(?:\.([\w$]+)\b(?!\s*\())?"
)
"""A module or, behind a dot, one thing of it; also behind what makes promises of callbacks."""

_ALIASED = frozenset({"child_process", "fs", "fs.promises", "fs-extra", "graceful-fs", "vm", "shelljs", "path"})
"""Modules whose functions are given other names after the import as well."""
_EITHER = re.compile(r"\?\s{0,40}(https?)(?:\.(get|request))?\s{0,40}:\s{0,40}https?\b(?:\.(?:get|request)\b)?")
_DECLARED = re.compile(r"\b(?:const|let|var)\s+([\w$]+)\s*=(?!=)")
_NEAR = 250
"""Characters between a declaration and the choice that it is given."""

_WORD = re.compile(r"[\w$]+")
_NAMESPACE = re.compile(r"\*\s*as\s+([\w$]+)")
_BRACES = re.compile(r"\{([^{}]*)\}")
_PART = re.compile(r"([\w$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?")
_EXTENSION = re.compile(r"\.(?:[cm]?[jt]sx?|json)$")

_EXTENSIONS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte")
_PACKAGE_FOLDERS = ("packages/", "libs/", "apps/")


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for listed, specifier in [*_FROM.findall(text), *(found[:2] for found in _REQUIRED.findall(text))]:
        for target in _specified(path, specifier, known):
            yield target, set(_WORD.findall(listed))
    for specifier in _CALL.findall(text):
        for target in _specified(path, specifier, known):
            yield target, set()


def _specified(path: str, specifier: str, known: AbstractSet[str]) -> Iterator[str]:
    """The file a module specifier means: relative, an ``@/`` alias, below a usual root, or a package folder."""
    if specifier.startswith("."):
        bases = [_resolve(folder_of(path), specifier)]
    else:
        alias = specifier[2:] if specifier.startswith(("@/", "~/")) else specifier
        bases = [root + alias for root in (*folders_around(path), *SOURCE_ROOTS)]
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
    candidates = [base, *(stem + extension for extension in _EXTENSIONS)]
    if stem != base:
        candidates += [base + extension for extension in _EXTENSIONS]
    candidates += [f"{base.rstrip('/')}/index{extension}" for extension in _EXTENSIONS]
    return next((candidate for candidate in candidates if candidate in known), None)


def _resolve(folder: str, specifier: str) -> str | None:
    for part in specifier.split("/")[:-1]:
        if part == "..":
            if not folder:
                return None
            folder = folder_above(folder, 1)
        elif part not in {"", "."}:
            folder += part + "/"
    last = specifier.rsplit("/", 1)[-1]
    if last == "..":
        return folder_above(folder, 1) if folder else None
    return folder.rstrip("/") if last in {"", "."} else folder + last


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    bound: list[tuple[str, str, str]] = []
    for listed, specifier in _FROM.findall(text):
        bound += _listed_names(listed, _dotted(specifier))
    for listed, specifier, member in _REQUIRED.findall(text):
        module = _dotted(specifier)
        if member:
            rows = _listed_names(listed, f"{module}.{member}" if listed.startswith("{") else module)
            bound += rows if listed.startswith("{") else [(name, module, member) for name, _, _ in rows]
        else:
            bound += _listed_names(listed, module)
    yield from bound
    yield from _aliases(text, bound)
    yield from _either(text)


def _listed_names(listed: str, module: str) -> Iterator[tuple[str, str, str]]:
    """The names of ``a, { b as c }``, ``* as d`` or ``{ b: c }`` with what each stands for."""
    for name, alias in _PART.findall("".join(_BRACES.findall(listed))):
        yield alias or name, module, name
    for name in _NAMESPACE.findall(listed):
        yield name, module, ""
    for name in _WORD.findall(_NAMESPACE.sub("", _BRACES.sub("", listed))):
        yield name, module, ""


def _aliases(text: str, bound: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Other names for what was imported: ``run = promisify(cp.exec)``, ``{ exec } = cp``."""
    known = {name: (module, inner) for name, module, inner in bound if module in _ALIASED and name.isidentifier()}
    if not known:
        return
    owners = "|".join(known)
    pattern = (
        r"(?<![\w$.])([\w$]+|\{[^{}]{0,300}\})\s*=\s*(?:[\w$.]{0,60}promisify\(\s*)?"
        rf"(?<![\w$.])({owners})(?:\.([\w$]+))?\b(?!\s*[\w$.(\[])"
    )
    for listed, owner, member in re.findall(pattern, text):
        module, inner = known[owner]
        names = list(_listed_names(listed, module))
        if listed.startswith("{"):
            yield from names if not inner and not member else ()
        elif (member or inner) and not (member and inner) and names[0][0] not in known:
            yield names[0][0], module, member or inner


def _either(text: str) -> Iterator[tuple[str, str, str]]:
    """``const lib = url.startsWith("https:") ? https : http``: two modules that have the same functions."""
    for found in _EITHER.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()].rpartition(";")[2]
        declared = _DECLARED.findall(before)
        if declared:
            yield declared[-1], found[1], found[2] or ""


def _dotted(specifier: str) -> str:
    """The parts of a specifier that name folders and the file; those of a package's own entry are its folder's."""
    plain = _EXTENSION.sub("", specifier.removeprefix("node:"))
    parts = [part for part in plain.split("/") if part and part[0] not in ".@~"]
    return ".".join(parts[:-1] if parts[-1:] == ["index"] else parts)


IMPORTS = ImportReader(files=_files, names=_names)
