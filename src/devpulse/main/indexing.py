"""The symbol index over what children may see: one way to build it for every command."""

from __future__ import annotations

from devpulse.core.index import SymbolIndex
from devpulse.pipeline.gate import PathGate
from devpulse.ports import SourceTree


def index_of(tree: SourceTree, gate: PathGate) -> SymbolIndex:
    """An index over what the gate lets children see."""

    def paths() -> list[str]:
        return [path for path in tree.paths() if gate.allows(path)]

    return SymbolIndex(paths, tree.read, tree.read_many, tree.size)
