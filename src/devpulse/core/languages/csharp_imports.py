"""What a C# file uses, read cheaply from its text: namespaces, by the convention that folders are named after them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from devpulse.core.folders import folder_of
from devpulse.core.known_paths import KnownPaths
from devpulse.core.languages.base import ImportReader

_USING = re.compile(
    r"^[ \t]*(?:global[ \t]+)?using[ \t]+(?:(static)[ \t]+)?(?:@?(\w+)[ \t]*=[ \t]*)?"
    r"(?:global::)?([\w.]+)(?:<[^\n;]*>)?[ \t]*;",
    re.MULTILINE,
)
_NAMESPACE = re.compile(r"^[ \t]*namespace[ \t]+([\w.]+)", re.MULTILINE)


def _files(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[str, set[str]]]:
    own = {name.split(".")[0] for name in _NAMESPACE.findall(text)}
    paths = KnownPaths.of(known)
    folders = paths.folders_with((".cs",))
    for static, alias, dotted in _USING.findall(text):
        if static or alias:  # a type, or a namespace under another name
            namespace, _, name = dotted.rpartition(".")
            found = [target for target in paths.named(f"{name}.cs") if target.endswith(f"/{name}.cs")]
            yield from ((target, {name}) for target in found if target != path and _is_named(target, namespace))
        for folder in _named(folders, dotted, shorten=dotted.split(".")[0] in own):
            yield folder, set()


def _named(folders: Mapping[str, Sequence[str]], namespace: str, *, shorten: bool) -> list[str]:
    """The folders called like a namespace; a project's own may leave out its first parts (``src/Api/Orders/``)."""
    parts = namespace.split(".")
    # A folder's own name may hold dots: ``src/Shop.Orders/``.
    alike = [places for own, places in folders.items() if f".{own}".endswith(f".{parts[-1]}")]
    for first in range(len(parts) if shorten else 1):
        wanted = ".".join(parts[first:])
        found = sorted(folder for places in alike for folder in places if _is_named(folder, wanted))
        if found:
            return found
    return []


def _is_named(path: str, namespace: str) -> bool:
    return f".{folder_of(path).replace('/', '.')}".endswith(f".{namespace}.")


def _names(text: str) -> Iterator[tuple[str, str, str]]:
    for static, alias, dotted in _USING.findall(text):
        module, _, name = dotted.rpartition(".")
        if alias:
            yield alias, module, name
        elif static:
            yield name, module, name


IMPORTS = ImportReader(files=_files, names=_names)
"""``files`` gives the folders of used namespaces, and the files of types named by ``using static`` or an alias."""
