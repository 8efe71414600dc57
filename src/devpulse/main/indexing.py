"""The symbol index over what children may see: one way to build it for every command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devpulse.core.corpus import MAX_FILE_BYTES
from devpulse.core.index import SymbolIndex
from devpulse.core.lazy_sources import group_of
from devpulse.core.source_tree import SourceTree
from devpulse.pipeline.gate import PathGate


def index_of(tree: SourceTree, gate: PathGate) -> SymbolIndex:
    """An index over what the gate lets children see."""

    def paths() -> list[str]:
        # What is no source is not asked about: most files of some repositories.
        return [path for path in tree.paths() if group_of(path) is not None and gate.allows_name(path)]

    def read_many(wanted: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        return tree.read_many(wanted, MAX_FILE_BYTES)

    return SymbolIndex(paths, tree.read, read_many, tree.size)
