"""Does the right definition come first when a name has several?

    python bench/select_ambiguous.py NAME=FOLDER ... --jedi PYTHON [--cases 60]

PYTHON is an interpreter of its own with jedi (``python -m venv jedi-venv && jedi-venv/bin/pip install jedi``). Truth
is what jedi's ``goto`` says about calls in code outside tests; ``jedi_truth`` says which calls count. Three questions
a case, each from the file of the call:

  name         the bare name
  as written   the call as it stands in the code, when it is plain: ``self.save``, ``models.Order.save``,
               ``super().save``. This is what a child reads, so this is judged.
  in its class the same, with the class that the call is made in for ``self``, ``cls`` and ``super()``:
               ``Order.save``, ``super(Order).save``

Right is the definition whose file and lines hold the target. "last" is what a ``dict`` of names would answer.
jedi follows imports much as the ranking does, which favours it; calls jedi cannot follow are left out, and they are
likely the harder ones. Repositories after ``--tuned`` were looked at while the ranking was written; they are
reported apart and not judged.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.core.index import SymbolIndex
from devpulse.core.symbols import Symbol
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate

FIRST, FIRST_THREE = 0.85, 0.95
LEAST_CASES = 100

Case = dict[str, Any]


@dataclass
class Score:
    """How many answers were right in the first place, and within the first three."""

    cases: int = 0
    first: int = 0
    three: int = 0

    def add(self, place: int | None) -> None:
        """Count an answer; ``place`` is where the right definition stood, from 0."""
        self.cases += 1
        self.first += place == 0
        self.three += place is not None and place < 3

    def plus(self, other: Score) -> Score:
        """Both together."""
        return Score(self.cases + other.cases, self.first + other.first, self.three + other.three)

    def __str__(self) -> str:
        if not self.cases:
            return f"{'-':>7}{'-':>8}"
        return f"{100 * self.first / self.cases:>6.1f}%{100 * self.three / self.cases:>7.1f}%"


def place_of(rows: Sequence[Symbol], case: Case) -> int | None:
    """Where the right definition stands among the rows."""
    path, line = case["target"]
    right = (number for number, row in enumerate(rows) if row.path == path and row.start_line <= line <= row.end_line)
    return next(right, None)


def questions(index: SymbolIndex, case: Case) -> dict[str, str]:
    """The questions of a case, by what they are called."""
    around = index.enclosing(case["path"], case["line"])
    owner = around.qualified_name.rpartition(".")[0].split(".")[-1] if around is not None else ""
    placed = case["written"]
    for itself, of_class in (("self.", f"{owner}."), ("cls.", f"{owner}."), ("super().", f"super({owner}).")):
        if owner and placed == f"{itself}{case['name']}":
            placed = f"{of_class}{case['name']}"
    return {"name": case["name"], "written": case["written"], "placed": placed}


def judge(folder: Path, cases: Sequence[Case], show: Callable[[str], None]) -> dict[str, Score]:
    """Ask the index about every case."""
    tree = tracked_tree(find_layout(folder))
    index = index_of(tree, PathGate(tree.size))
    scores = {kind: Score() for kind in ("last", "name", "written", "placed")}
    for case in cases:
        every = index.definitions(case["name"], limit=10_000).rows
        scores["last"].add(place_of(every[-1:], case))
        for kind, question in questions(index, case).items():
            place = place_of(index.search(question, near=case["path"], limit=10).rows, case)
            scores[kind].add(place)
            if place != 0:
                show(f"    {kind}: {question} from {case['path']}:{case['line']} is {case['target']}, at {place}")
    return scores


def truth(python: str, folder: Path, cases: int) -> list[Case]:
    """Cases with their truth, from jedi."""
    script = str(Path(__file__).with_name("jedi_truth.py"))
    done = subprocess.run(  # noqa: S603  (our own script)
        [python, script, str(folder), "--cases", str(cases)], capture_output=True, check=True
    )
    found: list[Case] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--tuned", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--jedi", default="", metavar="PYTHON")
    parser.add_argument("--truth", default="", metavar="FOLDER", help="NAME.json with cases found before")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--show", action="store_true", help="print the cases that were not right")
    asked = parser.parse_args(arguments)
    print(f"\nRight definition of ambiguous names: first, in the first three\n{'':<26}{'cases':>6}", end="")
    print(f"{'last wins':>16}{'name':>16}{'as written':>16}{'in its class':>16}")
    total: dict[str, Score] = {}
    for repository in [*asked.repositories, *asked.tuned]:
        name, _, place = repository.partition("=")
        stored = Path(asked.truth) / f"{name}.json"
        if not (Path(place) / ".git").exists() or not (asked.jedi or stored.is_file()):
            print(f"{name:<26}skipped: {'no interpreter with jedi' if place else 'no folder'}, or no git checkout")
            continue
        cases = json.loads(stored.read_text()) if stored.is_file() else truth(asked.jedi, Path(place), asked.cases)
        misses: list[str] = []
        scores = judge(Path(place), cases, misses.append)
        tuned = repository in asked.tuned
        row = "".join(f"{score!s:>16}" for score in scores.values())
        print(f"{name + (' (tuned)' if tuned else ''):<26}{len(cases):>6}{row}")
        if asked.show:
            print("\n".join(misses))
        if not tuned:
            total = {kind: total.get(kind, Score()).plus(score) for kind, score in scores.items()}
    if total:
        judged(total)


def judged(total: dict[str, Score]) -> None:
    """Print the sum and what is asked for."""
    row = "".join(f"{score!s:>16}" for score in total.values())
    print(f"{'together, not tuned':<26}{total['name'].cases:>6}{row}")
    score = total["written"]
    met = score.cases >= LEAST_CASES
    met = met and score.first >= FIRST * score.cases and score.three >= FIRST_THREE * score.cases
    print(f"asked for, as written: first {FIRST:.0%}, first three {FIRST_THREE:.0%}, {LEAST_CASES} cases", end=": ")
    print("met" if met else "MISSED")


if __name__ == "__main__":
    main()
