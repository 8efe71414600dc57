"""What a Python file imports, read cheaply from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import SOURCE_ROOTS, folder_above, folder_of, folders_around
from devpulse.core.languages.base import ImportReader

_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n#]+)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w. \t,]+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"#[^\n]*")
_ALIASED = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for dots, module, listed in _FROM.findall(text):
        names = set(_WORD.findall(listed)) - {"as"}
        base = folder_above(folder_of(path), len(dots) - 1) if dots else None
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
    roots = [base] if base is not None else [*folders_around(path), *SOURCE_ROOTS]
    for root in roots:
        for candidate in (f"{root}{inner}.py", f"{root}{inner}/__init__.py", f"{root}{inner}.pyi"):
            if candidate in known and candidate != path:
                yield candidate, names
                return


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for _, module, listed in _FROM.findall(text):
        for name, alias in _ALIASED.findall(_COMMENT.sub("", listed)):
            yield alias or name, module, name
    for listed in _IMPORT.findall(text):
        for part in listed.split(","):
            words = part.split()
            if len(words) == 3:
                yield words[2], words[0], ""
            elif words:
                root = words[0].split(".")[0]
                yield root, root, ""


IMPORTS = ImportReader(files=_files, names=_names)
