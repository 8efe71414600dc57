"""What a Ruby file loads: by ``require``, or by naming a constant whose file carries its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_above, folder_of, folders_around
from devpulse.core.languages.base import ImportReader

_REQUIRE = re.compile(r"^[ \t]*(require|require_relative|load)\b[ \t(]*['\"]([^'\"\n#]+)['\"]", re.MULTILINE)
_AUTOLOAD = re.compile(r"^[ \t]*autoload\b[ \t(]*:(\w+)[ \t]*,[ \t]*['\"]([^'\"\n#]+)['\"]", re.MULTILINE)
_CONSTANT = re.compile(r"(?<![\w:.@$])(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)")
_ACRONYM = re.compile(r"([A-Z\d]+)([A-Z][a-z])")
_HUMP = re.compile(r"([a-z\d])([A-Z])")

CONSTANTS = 300
"""Different constants looked up for one file; more means generated code."""

_ROOTS = ("", "lib/", "src/")
_RAILS = ("models", "controllers", "services", "helpers", "jobs", "mailers", "policies", "serializers", "channels")
_AUTOLOADED = (
    *(f"app/{folder}/" for folder in _RAILS),
    *(f"app/{folder}/concerns/" for folder in ("models", "controllers")),
    "lib/",
    "app/",
    "",
)
"""Folders whose files are found by their constant's name."""


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    for word, target in _REQUIRE.findall(text):
        found = _required(path, target, known, relative=word == "require_relative")
        if found is not None:
            yield found, set()
    for name, target in _AUTOLOAD.findall(text):
        found = _required(path, target, known, relative=False)
        if found is not None:
            yield found, {name}
    for constant in _constants(text):
        found = _autoloaded(path, constant, known)
        if found is not None:
            yield found, {constant.rpartition("::")[2]}


def _required(path: str, target: str, known: AbstractSet[str], *, relative: bool) -> str | None:
    if relative or target.startswith("."):
        inner = _resolve(folder_of(path), target)
        bases = [inner] if inner is not None else []
    else:
        # A gem inside a larger repository has a ``lib`` of its own.
        around = folders_around(path)
        bases = [root + target for root in (*(folder + "lib/" for folder in around), *around, *_ROOTS)]
    for base in bases:
        for candidate in (base if base.endswith(".rb") else f"{base}.rb", base):
            if candidate in known and candidate != path:
                return candidate
    return None


def _resolve(folder: str, target: str) -> str | None:
    parts = target.split("/")
    while parts and parts[0] in {".", ".."}:
        if parts.pop(0) == "..":
            if not folder:
                return None
            folder = folder_above(folder, 1)
    inner = "/".join(parts)
    return None if "/../" in f"/{inner}/" else folder + inner


def _constants(text: str) -> list[str]:
    return list(dict.fromkeys(_CONSTANT.findall(text)))[:CONSTANTS]


def _autoloaded(path: str, constant: str, known: AbstractSet[str]) -> str | None:
    """The file that defines a constant by the rule of Rails: ``Shop::OrderLine`` in ``shop/order_line.rb``."""
    inner = snake_case(constant)
    around = folders_around(path)
    # The constant may be written relative to a namespace: the file's own, or one whose folder is around the file.
    roots = (path.removesuffix(".rb") + "/", *around, *(folder + "lib/" for folder in around), *_AUTOLOADED)
    engines = (folder_above(folder, 1) for folder in around if folder.endswith("app/"))
    below = (engine + root for engine in engines for root in _AUTOLOADED)
    for root in (*roots, *below):
        candidate = f"{root}{inner}.rb"
        if candidate in known and candidate != path:
            return candidate
    return None


def snake_case(constant: str) -> str:
    """``Shop::HTTPClient2`` as ``shop/http_client2``."""
    spaced = _HUMP.sub(r"\1_\2", _ACRONYM.sub(r"\1_\2", constant))
    return spaced.replace("::", "/").lower()


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for constant in _constants(text):
        module, _, name = constant.rpartition("::")
        if module:
            yield name, module.replace("::", "."), name


IMPORTS = ImportReader(files=_files, names=_names)
"""``names`` gives the constants written with their namespace; Ruby's ``require`` binds none."""
