"""Every tool over every set, each on the same files."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from detection_cases import CaseSet, Flags, write_cases
from detection_misses import write_misses
from detection_product import judge
from detection_rivals import Rival

OWN = "devpulse"


@dataclass(frozen=True, slots=True)
class Tools:
    """The product and the rivals that are there. ``misses`` is where cases that the product judges wrongly go."""

    rivals: tuple[Rival, ...]
    jobs: int
    misses: Path | None

    def judge(self, part: CaseSet, *, without: frozenset[str] = frozenset()) -> dict[str, Flags]:
        """What each tool finds in a set; ``without`` are tools that it would be no test of."""
        begin = time.perf_counter()
        flags, slowest = judge(part.cases, part.beside, self.jobs)
        took = time.perf_counter() - begin
        print(f"\n[{part.name}: {len(part.cases):,} files in {took:.1f} s, the slowest {slowest:.2f} s]", flush=True)
        if self.misses is not None:
            print(f"[{write_misses(self.misses, part, flags)} below {self.misses}]")
        found: dict[str, Flags] = {OWN: flags}
        rivals = [rival for rival in self.rivals if rival.name not in without]
        if rivals:
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                root = Path(folder).resolve()
                write_cases(part.cases, root)
                for rival in rivals:
                    found[rival.name] = rival.judge(root)
        return found
