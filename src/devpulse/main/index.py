"""``devpulse index``: the symbol index by hand."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.core.languages import language_of
from devpulse.core.ranking import is_within
from devpulse.core.source_tree import SourceTree
from devpulse.core.symbols import Found, Symbol
from devpulse.errors import RepositoryNotFound
from devpulse.main.index_rows import IndexRows, place
from devpulse.main.indexing import index_of
from devpulse.main.scope import scope_of
from devpulse.output.characters import inert_lines
from devpulse.pipeline.gate import PathGate
from devpulse.requests import IndexRequest

FOUND, NOT_FOUND = 0, 1


@dataclass(frozen=True, slots=True)
class _Place:
    """The files to index, and the folder among them that rows are wanted of; empty for all."""

    tree: SourceTree
    scope: str


def run_index(request: IndexRequest) -> int:
    """Build, search or show; 1 when nothing matches.

    Raises:
        SourceError: the folder cannot be read.
    """
    where = _place(Path(request.root))
    gate = PathGate(where.tree.size)
    rows = IndexRows(index_of(where.tree, gate))
    if request.action == "build":
        paths = [path for path in where.tree.paths() if is_within(path, where.scope) and gate.allows(path)]
        return _build(rows, paths, as_json=request.as_json)
    name, within = request.name or "", _within(where.scope, request.path)
    found = rows.index.search(name, path=within)
    if request.action == "search":
        return _search(rows, found, name, as_json=request.as_json)
    return _show(rows, found, name, as_json=request.as_json)


def _place(root: Path) -> _Place:
    try:
        layout = find_layout(root)
    except RepositoryNotFound:
        from devpulse.adapters.folder import folder_tree  # noqa: PLC0415  (a rare case, and it needs what compares)

        return _Place(folder_tree(root), "")
    if layout.bare:
        from devpulse.adapters.git import Repository  # noqa: PLC0415  (a rare case, and most of what git is for)

        repository = Repository.open(root)
        return _Place(repository.tree(repository.resolve("HEAD")), "")
    return _Place(tracked_tree(layout), scope_of(root, layout.root))


def _within(scope: str, path: str | None) -> str | None:
    """Where to look: ``path`` as rows name it, or relative to the folder asked for."""
    if path is None or not scope:
        return path or scope or None
    return path if is_within(path.removeprefix("./"), scope) else f"{scope}/{path.removeprefix('./')}"


def _build(rows: IndexRows, paths: list[str], *, as_json: bool) -> int:
    symbols = [symbol for path in paths if language_of(path) for symbol in rows.index.symbols_in(path)]
    if as_json:
        _print_json([rows.row(symbol) for symbol in symbols])
        return FOUND
    kinds = Counter(symbol.kind for symbol in symbols)
    files = len({symbol.path for symbol in symbols})
    sys.stdout.write(f"{len(symbols):,} symbols in {files:,} files\n")
    for kind, count in kinds.most_common():
        sys.stdout.write(f"{count:>9,}  {kind}\n")
    return FOUND


def _search(rows: IndexRows, found: Found[Symbol], name: str, *, as_json: bool) -> int:
    if as_json:
        _print_json([rows.row(symbol) for symbol in found.rows])
    elif not found.rows:
        sys.stderr.write(f"no definition matches {name!r}\n")
    else:
        if not found.exact:
            sys.stderr.write(f"no exact match for {name!r}; closest:\n")
        for symbol in found.rows:
            sys.stdout.write(inert_lines(rows.line(symbol)))
        if found.total > len(found.rows):
            sys.stderr.write(f"{found.total - len(found.rows)} more; narrow it with --path\n")
    return FOUND if found.rows else NOT_FOUND


def _show(rows: IndexRows, found: Found[Symbol], name: str, *, as_json: bool) -> int:
    symbol = next(iter(found.rows), None) if found.exact else None
    source = None if symbol is None else rows.source(symbol)
    if symbol is None or source is None:
        sys.stderr.write(f"no definition is called {name!r}; try devpulse index search\n")
        return NOT_FOUND
    if as_json:
        _print_json({**rows.row(symbol), "source": "\n".join(source)})
        return FOUND
    sys.stdout.write(inert_lines(rows.line(symbol)))
    for number, line in enumerate(source, symbol.start_line):
        sys.stdout.write(f"{number:>6}  {inert_lines(line)}\n")
    if found.total > 1:
        sys.stderr.write(f"also defined at {', '.join(map(place, found.rows[1:]))}\n")
    return FOUND


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
