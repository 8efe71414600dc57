"""Which definitions a call may mean: by its owner, the file's imports and scopes, never just the nearest name."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.candidates import module_parts
from devpulse.core.imports import ImportedName, imported_names
from devpulse.core.ranking import remoteness
from devpulse.core.source import Source
from devpulse.core.symbols import Found, Resolver, Symbol

MAX_CANDIDATES = 5
"""Definitions looked at for one call; when there are more, nothing is concluded from them."""

_RECEIVERS = frozenset({"self", "cls", "this", "super()"})
_OWN_METHODS = frozenset({"java", "ruby"})
"""Languages in which a bare name calls a method of the class around."""


@dataclass(frozen=True, slots=True)
class Callees:
    """The definitions a call may mean. ``name`` finds them in the index, and nothing else.

    ``complete`` is false when there are more than were looked at.
    """

    name: str
    symbols: tuple[Symbol, ...]
    complete: bool = True

    def name_of(self, symbol: Symbol) -> str:
        """What to ask the index for to get this definition rather than another one."""
        return self.name if len(self.symbols) == 1 else _qualified(symbol)


def find_callees(callee: str, source: Source, resolver: Resolver) -> Callees:
    """The definitions that ``callee``, as written in ``source``, may mean; none for a library's."""
    parts = [part for part in callee.split(".") if part]
    if not parts:
        return Callees("", ())
    imported = None if callee.startswith(".") else imported_names(source.language, source.text).get(parts[0])
    if imported is not None:
        return _imported(imported, parts, source, resolver)
    own = f"{parts[-2]}.{parts[-1]}" if len(parts) > 1 and parts[-2] not in _RECEIVERS else ""
    if own:  # a class of the same file; anything else of that name would have to be imported
        exact = resolver.definitions(own, near=source.path, limit=MAX_CANDIDATES)
        rows = tuple(symbol for symbol in exact.rows if symbol.path == source.path)
        if rows:
            return _callees(own, rows, exact, source)
    found = resolver.definitions(parts[-1], near=source.path, limit=MAX_CANDIDATES)
    rows = found.rows
    if callee == parts[-1]:  # called by its bare name: the file's own function hides all others
        if source.language not in _OWN_METHODS:
            rows = tuple(symbol for symbol in rows if symbol.kind != "method")
        rows = tuple(symbol for symbol in rows if symbol.path == source.path) or rows
    elif len(parts) == 2 and parts[0] in _RECEIVERS:
        methods = (symbol for symbol in rows if symbol.path == source.path and symbol.kind == "method")
        rows = tuple(methods) or rows
    return _callees(parts[-1], rows, found, source)


def _imported(imported: ImportedName, parts: list[str], source: Source, resolver: Resolver) -> Callees:
    """By module and name; else by name alone among what lies in that module, which may hand it on."""
    inner = [imported.name, *parts[1:]] if imported.name or len(parts) > 1 else parts
    exact = ".".join(part for part in (imported.module, *inner) if part)
    found = resolver.definitions(exact, near=source.path, limit=MAX_CANDIDATES)
    if found.rows:
        return _callees(exact, found.rows, found, source)
    last = exact.rpartition(".")[2]
    found = resolver.definitions(last, near=source.path, limit=MAX_CANDIDATES)
    within = {part for part in (imported.module.rpartition(".")[2], imported.name) if part and part != last}
    rows = tuple(symbol for symbol in found.rows if not within or within.intersection(module_parts(symbol.path)))
    # Without any, the name is that of a library, and must not be looked up as one of the repository's.
    return _callees(exact, rows, found, source) if rows else Callees(exact, ())


def _callees(name: str, rows: tuple[Symbol, ...], found: Found[Symbol], source: Source) -> Callees:
    """Without those of tests and vendored code, which rank last and stand in for the real one."""
    near = tuple(symbol for symbol in rows if remoteness(symbol.path) <= remoteness(source.path))
    kept = near or rows
    alone = len(kept) == 1
    certain = alone and kept[0].path == source.path
    complete = certain or found.total <= len(found.rows) or len(kept) < len(rows)
    if alone:
        only = found.total == 1 or (certain and len(found.rows) == 1)
        return Callees(name if only else _qualified(kept[0]), kept, complete)
    # Here the plain name would lead to one that was ruled out.
    plain = found.total == 0 or "." in name
    return Callees(name if plain else f"{module_parts(source.path)[-1]}.{name}", kept, complete)


def _qualified(symbol: Symbol) -> str:
    return f"{module_parts(symbol.path)[-1]}.{symbol.qualified_name}"
