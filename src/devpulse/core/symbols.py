"""Symbols: what a definition is, and what can be asked about definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Row_co = TypeVar("Row_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. The span is exact and starts at its first decorator or annotation.

    ``kind`` is a ctags-like word: function, method, class, interface, enum, type, constant, route …
    ``qualified_name`` joins the enclosing names with dots (``Class.method``). ``signature`` is the
    definition line without its body, on one line; ``docstring`` is the first comment or string
    that documents it, or empty.
    """

    name: str
    qualified_name: str
    kind: str
    path: str
    start_line: int
    end_line: int
    signature: str
    docstring: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A line that mentions a name, with the innermost symbol around it (``None`` at module level)."""

    path: str
    line: int
    text: str
    symbol: str | None


@dataclass(frozen=True, slots=True)
class Found(Generic[Row_co]):
    """The first rows of an answer, best first, and how many there are in all."""

    rows: tuple[Row_co, ...]
    total: int
    exact: bool = True


class Resolver(Protocol):
    """What rules and tools may ask about the repository; implemented by the symbol index.

    ``near`` is the path the question comes from: closer definitions rank first.
    """

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """Definitions with exactly this name, or ``Class.method`` / ``module.name``."""
        ...

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:
        """Lines that mention the name as a whole word, definitions included."""
        ...

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """The innermost symbol around a line, or ``None`` at module level."""
        ...

    def source(self, symbol: Symbol) -> str | None:
        """The text of the symbol's span, or ``None`` when its file can no longer be read."""
        ...

    def defines(self, path: str, qualified_name: str) -> bool:
        """Whether a file defines a symbol called exactly so; reads that file alone."""
        ...


class SymbolSearch(Resolver, Protocol):
    """A resolver that can also be searched by part of a name; what the tools need."""

    @property
    def ready(self) -> bool:
        """Whether a question about a name is answered without reading the repository first."""
        ...

    def prepare(self) -> None:
        """Do now, perhaps in a thread, what the first question about a name would do. May fail as reading may."""
        ...

    def search(self, query: str, *, path: str | None = None, near: str | None = None, limit: int = 10) -> Found[Symbol]:
        """Symbols by exact name, else case-insensitive, else substring, else closest spelling.

        ``Found.exact`` says whether the names match exactly. ``path`` limits to a file or folder.
        """
        ...
