"""Members of classes, looked for in the classes they are built on as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from devpulse.core.kinds import is_container
from devpulse.core.receivers import bases_of
from devpulse.core.symbols import Symbol

MOST_CLASSES = 16
"""Classes looked at for one question."""


@dataclass(frozen=True, slots=True)
class Inheritance:
    """Finds members. ``defined(name, near)`` gives the definitions of a name, nearest first, ``symbols_in(path)`` a
    file's symbols."""

    defined: Callable[[str, str | None], Sequence[Symbol]]
    symbols_in: Callable[[str], Sequence[Symbol]]

    def members(self, name: str, owners: Iterable[str], near: str | None, *, above: bool = False) -> list[Symbol]:
        """The members called ``name`` of the classes ``owners``, each from the nearest class that has one.

        ``above``: not of the classes themselves, only of those they are built on.
        """
        found: list[Symbol] = []
        for owner in owners:
            starts = self._classes(owner, near)
            found += self._first(name, starts, above=above)
        return list(dict.fromkeys(found))

    def inherited(self, name: str, path: str) -> list[Symbol]:
        """The members called ``name`` that classes of a file have from the classes they are built on."""
        found: list[Symbol] = []
        for symbol in self.symbols_in(path):
            if is_container(symbol.kind) and len(found) < MOST_CLASSES:
                found += self._first(name, [symbol], above=True)
        return list(dict.fromkeys(found))

    def _first(self, name: str, starts: Sequence[Symbol], *, above: bool) -> list[Symbol]:
        seen: list[Symbol] = []
        pending = list(starts)
        while pending and len(seen) < MOST_CLASSES:
            owner = pending.pop(0)
            if owner in seen:
                continue
            seen.append(owner)
            members = [] if above and owner in starts else self._own(owner, name)
            if members:
                return members
            pending += [base for listed in bases_of(owner.signature) for base in self._classes(listed, owner.path)]
        return []

    def _own(self, owner: Symbol, name: str) -> list[Symbol]:
        full = f"{owner.qualified_name}.{name}"
        return [symbol for symbol in self.symbols_in(owner.path) if symbol.qualified_name == full]

    def _classes(self, name: str, near: str | None) -> list[Symbol]:
        return [symbol for symbol in self.defined(name, near) if is_container(symbol.kind)][:1]
