"""How fast the symbol index answers on a given folder, as ratios to reading the same bytes.

    python bench/bench_index.py FOLDER [--questions 60]

Prints one table. Times are of this machine and moment; only the ratios travel.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.lazy_sources import LazySources


class Folder:
    """A folder as the index wants to see it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.listed = [
            path.relative_to(root).as_posix()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.is_symlink() and language_of(path.name)
        ]

    def paths(self) -> Sequence[str]:
        """The source files."""
        return self.listed

    def read(self, path: str) -> bytes | None:
        """The content, or ``None``."""
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return None


def milliseconds(task: Callable[..., object], *arguments: object, **options: object) -> float:
    """The wall time of a call."""
    begin = time.perf_counter()
    task(*arguments, **options)
    return (time.perf_counter() - begin) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    asked = parser.parse_args()
    folder = Folder(asked.folder)
    sizes = sum(len(folder.read(path) or b"") for path in folder.listed)
    reading = min(milliseconds(lambda: [folder.read(path) for path in folder.listed]) for _ in range(5))

    def names() -> None:
        LazySources(folder.paths, folder.read, None, None).defined_names()

    scanning = min(milliseconds(names) for _ in range(5))
    print(f"{len(folder.listed)} files, {sizes / 1e6:.1f} MB, read in {reading:.0f} ms")
    print(f"names: {scanning:.0f} ms, {scanning / reading:.1f} x reading")
    index = SymbolIndex(folder.paths, folder.read)
    chosen = random.Random(7).sample(  # noqa: S311  (a sample, not a secret)
        folder.listed, min(asked.questions, len(folder.listed))
    )
    questions = [(path, symbols[len(symbols) // 2].name) for path in chosen if (symbols := index.symbols_in(path))]
    index.definitions("warm_up")
    rows: dict[str, list[float]] = {"definitions": [], "definitions again": [], "references": []}
    for path, name in questions:
        rows["definitions"].append(milliseconds(index.definitions, name, near=path))
        rows["definitions again"].append(milliseconds(index.definitions, name, near=path))
        rows["references"].append(milliseconds(index.references, name, path=path))
    rows["search, misspelt"] = [milliseconds(index.search, name[:-1] + "qz") for _, name in questions[:10]]
    for label, times in rows.items():
        print(f"{label}: p50 {percentile(times, 0.5):.1f} ms, p95 {percentile(times, 0.95):.1f} ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:.0f} MB, {peak * 1e6 / sizes:.1f} x the sources")


if __name__ == "__main__":
    main()
