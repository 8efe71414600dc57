"""What a Java or Kotlin file imports, read cheaply from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.known_paths import KnownPaths
from devpulse.core.languages.base import ImportReader

_IMPORT = re.compile(
    r"^[ \t]*import[ \t]+(static[ \t]+)?([\w$`]+(?:\.[\w$`]+)*)(\.\*)?(?:[ \t]+as[ \t]+([\w$`]+))?", re.MULTILINE
)
_ENDINGS = (".java", ".kt")
_MEMBER_DEPTH = 2
"""Names behind a type in an import: ``a.b.Type.Inner.member``."""


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    """Packages lie below many source roots, so the known paths are matched by how they end."""
    types: dict[str, set[str]] = {}
    packages: dict[str, set[str]] = {}
    for static, dotted, wildcard, _ in _IMPORT.findall(text):
        parts = dotted.replace("`", "").split(".")
        names = set() if wildcard else {parts[-1]}
        # A file of the package may hold a type or, in Kotlin, a function under any file name.
        package = parts if wildcard else parts[:-1]
        if not static and package:
            packages.setdefault("/".join(package) + "/", set()).update(names)
        for length in range(max(2, len(parts) - _MEMBER_DEPTH), len(parts) + 1):
            types.setdefault("/".join(parts[:length]), set()).update(names)
    found = {}
    for target, stem in _ending_with(types, known):
        if target != path:
            found[target] = types[stem]
    yield from found.items()
    taken = {name for names in found.values() for name in names}
    for folder, package in _folders_ending_with(packages, known):
        if not packages[package] or packages[package] - taken:
            yield folder, set()


def _ending_with(stems: dict[str, set[str]], known: AbstractSet[str]) -> Iterator[tuple[str, str]]:
    paths = KnownPaths.of(known)
    for stem in stems:
        for path in (path for ending in _ENDINGS for path in paths.named(stem.rpartition("/")[2] + ending)):
            if f"/{path.rpartition('.')[0]}".endswith(f"/{stem}"):
                yield path, stem


def _folders_ending_with(packages: dict[str, set[str]], known: AbstractSet[str]) -> Iterator[tuple[str, str]]:
    folders = KnownPaths.of(known).folders_with(_ENDINGS)
    for package in packages:
        found = folders.get(package.split("/")[-2], ())
        yield from ((folder, package) for folder in found if f"/{folder}".endswith(f"/{package}"))


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for _, dotted, wildcard, alias in _IMPORT.findall(text):
        module, _, name = dotted.replace("`", "").rpartition(".")
        if not wildcard:
            yield alias.strip("`") or name, module, name


IMPORTS = ImportReader(files=_files, names=_names)
"""``files`` gives the files of imported types and, for ``a.b.*`` and names without a file of their own, folders."""
