"""``devpulse index``: the symbol index by hand."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from devpulse.adapters.folder import folder_tree
from devpulse.adapters.git import GitScanSource, Repository
from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.symbols import Found, Symbol
from devpulse.errors import RepositoryNotFound
from devpulse.options import IndexRequest
from devpulse.output.paths import display_path
from devpulse.pipeline.gate import PathGate
from devpulse.ports import SourceTree

FOUND, NOT_FOUND = 0, 1


def run_index(request: IndexRequest) -> int:
    """Build, search or show; 1 when nothing matches.

    Raises:
        SourceError: the folder cannot be read.
    """
    tree = _tree(Path(request.root))
    gate = PathGate(tree.size)
    index = SymbolIndex(
        lambda: [path for path in tree.paths() if gate.allows(path)],
        tree.read,
        getattr(tree, "read_many", None),
        tree.size,
    )
    if request.action == "build":
        return _build(index, [path for path in tree.paths() if gate.allows(path)], as_json=request.as_json)
    name = request.name or ""
    if request.action == "search":
        return _search(index.search(name, path=request.path), name, as_json=request.as_json)
    return _show(index, name, request.path, as_json=request.as_json)


def _tree(root: Path) -> SourceTree:
    try:
        repository = Repository.open(root)
    except RepositoryNotFound:
        return folder_tree(root)
    source = GitScanSource(repository)
    source.load()
    return source.head()


def symbol_row(symbol: Symbol) -> dict[str, object]:
    """A symbol as the commands print it."""
    return {
        "name": symbol.qualified_name,
        "kind": symbol.kind,
        "path": display_path(symbol.path),
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "signature": symbol.signature,
        "docstring": symbol.docstring,
    }


def _build(index: SymbolIndex, paths: Iterable[str], *, as_json: bool) -> int:
    symbols = [symbol for path in paths if language_of(path) for symbol in index.symbols_in(path)]
    if as_json:
        _print_json([symbol_row(symbol) for symbol in symbols])
        return FOUND
    kinds = Counter(symbol.kind for symbol in symbols)
    files = len({symbol.path for symbol in symbols})
    sys.stdout.write(f"{len(symbols):,} symbols in {files:,} files\n")
    for kind, count in kinds.most_common():
        sys.stdout.write(f"{count:>9,}  {kind}\n")
    return FOUND


def _search(found: Found[Symbol], name: str, *, as_json: bool) -> int:
    if as_json:
        _print_json([symbol_row(symbol) for symbol in found.rows])
    elif not found.rows:
        sys.stderr.write(f"no definition matches {name!r}\n")
    else:
        if not found.exact:
            sys.stderr.write(f"no exact match for {name!r}; closest:\n")
        for symbol in found.rows:
            sys.stdout.write(_row(symbol))
        if found.total > len(found.rows):
            sys.stderr.write(f"{found.total - len(found.rows)} more; narrow it with --path\n")
    return FOUND if found.rows else NOT_FOUND


def _show(index: SymbolIndex, name: str, path: str | None, *, as_json: bool) -> int:
    found = index.search(name, path=path)
    symbol = next(iter(found.rows), None) if found.exact else None
    source = None if symbol is None else index.source(symbol)
    if symbol is None or source is None:
        sys.stderr.write(f"no definition is called {name!r}; try devpulse index search\n")
        return NOT_FOUND
    if as_json:
        _print_json({**symbol_row(symbol), "source": source})
        return FOUND
    sys.stdout.write(_row(symbol))
    for number, line in enumerate(source.split("\n"), symbol.start_line):
        sys.stdout.write(f"{number:>6}  {line}\n".replace("\r", ""))
    if found.total > 1:
        sys.stderr.write(f"also defined at {', '.join(f'{s.path}:{s.start_line}' for s in found.rows[1:])}\n")
    return FOUND


def _row(symbol: Symbol) -> str:
    place = f"{display_path(symbol.path)}:{symbol.start_line}-{symbol.end_line}"
    return f"{place}  {symbol.kind} {symbol.qualified_name}  {symbol.signature}\n"


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
