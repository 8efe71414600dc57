"""The paths of a tree with the look-ups that readers of imports need, each worked out once for all files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from devpulse.core.folders import folder_of


class KnownPaths(frozenset[str]):
    """A set of paths that also finds them by their last part, and folders by what they hold."""

    @classmethod
    def of(cls, paths: AbstractSet[str]) -> KnownPaths:
        """The paths themselves when they are such a set already."""
        return paths if isinstance(paths, cls) else cls(paths)

    def named(self, name: str) -> Sequence[str]:
        """The paths whose last part is ``name``, whatever its case, sorted."""
        return self._by_name.get(name.lower(), ())

    def folders_with(self, endings: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
        """The folders that hold files with one of the endings, sorted, by their own name (the root's is empty)."""
        if endings not in self._folders:
            found: dict[str, list[str]] = {}
            for folder in sorted({folder_of(path) for path in self if path.endswith(endings)}):
                found.setdefault(folder[folder.rfind("/", 0, -1) + 1 : -1], []).append(folder)
            self._folders[endings] = {name: tuple(folders) for name, folders in found.items()}
        return self._folders[endings]

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self):
            found.setdefault(path[path.rfind("/") + 1 :].lower(), []).append(path)
        return found

    @cached_property
    def _folders(self) -> dict[tuple[str, ...], dict[str, tuple[str, ...]]]:
        return {}
