"""What a C# file uses, read cheaply from its text: namespaces, by the convention that folders are named after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_of
from devpulse.core.languages.base import ImportReader

_USING = re.compile(
    r"^[ \t]*(?:global[ \t]+)?using[ \t]+(?:(static)[ \t]+)?(?:@?(\w+)[ \t]*=[ \t]*)?"
    r"(?:global::)?([\w.]+)(?:<[^\n;]*>)?[ \t]*;",
    re.MULTILINE,
)
_NAMESPACE = re.compile(r"^[ \t]*namespace[ \t]+([\w.]+)", re.MULTILINE)


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    own = {name.split(".")[0] for name in _NAMESPACE.findall(text)}
    folders = {folder: f".{folder.replace('/', '.')}" for folder in {folder_of(p) for p in known if p.endswith(".cs")}}
    for static, alias, dotted in _USING.findall(text):
        if static or alias:  # a type, or a namespace under another name
            namespace, _, name = dotted.rpartition(".")
            found = [p for p in known if p.endswith(f"/{name}.cs") and _is_named(folders[folder_of(p)], namespace)]
            yield from ((target, {name}) for target in found if target != path)
        for folder in _named(folders, dotted, shorten=dotted.split(".")[0] in own):
            yield folder, set()


def _named(folders: dict[str, str], namespace: str, *, shorten: bool) -> list[str]:
    """The folders called like a namespace; a project's own may leave out its first parts (``src/Api/Orders/``)."""
    parts = namespace.split(".")
    for first in range(len(parts) if shorten else 1):
        found = sorted(folder for folder, dots in folders.items() if _is_named(dots, ".".join(parts[first:])))
        if found:
            return found
    return []


def _is_named(dotted_folder: str, namespace: str) -> bool:
    return dotted_folder.endswith(f".{namespace}.")


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for static, alias, dotted in _USING.findall(text):
        module, _, name = dotted.rpartition(".")
        if alias:
            yield alias, module, name
        elif static:
            yield name, module, name


IMPORTS = ImportReader(files=_files, names=_names)
"""``files`` gives the folders of used namespaces, and the files of types named by ``using static`` or an alias."""
