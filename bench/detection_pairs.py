"""Pairs of a vulnerable and a fixed text: is the one flagged, and the other left alone?

"right" is a pair whose vulnerable side is flagged in the pair's category and whose fixed side is not; "false alarms"
are the fixed sides flagged in it. Both are also given for any category at all, which asks for a fixed side without
any finding.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from detection_cases import EXTENSIONS, Case, CaseSet, Flags, flagged
from detection_rates import say

RIGHT, EACH, ALARMS, TASKS = 0.70, 0.50, 0.12, 0.60


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides of one flaw."""

    name: str
    vulnerable: Case
    fixed: Case

    @property
    def category(self) -> str:
        """What both sides are about."""
        return self.vulnerable.category


@dataclass(frozen=True, slots=True)
class PairScore:
    """How many pairs there are, and of how many each thing is true."""

    pairs: int
    found: int
    alarms: int
    right: int
    found_any: int
    alarms_any: int
    right_any: int


def read_pairs(path: Path) -> CaseSet:
    """The pairs of a file with one JSON object a line: ``pair, category, language, vulnerable, fixed``.

    The names of files and folders say nothing about the case, as some rules read them.
    """
    cases = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        for side in ("vulnerable", "fixed"):
            place = f"p{number:04}{side[0]}/module.{EXTENSIONS[row['language']]}"
            cases.append(Case(place, row[side], row["category"], side == "vulnerable", row["pair"]))
    return CaseSet("fix pairs", tuple(cases))


def pairs_of(cases: Iterable[Case]) -> list[Pair]:
    """The pairs among the cases, in their order; a case without its other side is left out."""
    sides: dict[str, dict[bool, Case]] = {}
    for case in cases:
        if case.pair:
            sides.setdefault(case.pair, {})[case.vulnerable] = case
    return [Pair(name, both[True], both[False]) for name, both in sides.items() if len(both) > 1]


def score(pairs: Sequence[Pair], flags: Flags) -> PairScore:
    """Count the pairs of each kind."""
    count: Counter[str] = Counter()
    for pair in pairs:
        for end, category in (("", pair.category), ("_any", None)):
            found, alarm = flagged(flags, pair.vulnerable, category), flagged(flags, pair.fixed, category)
            count["found" + end] += found
            count["alarms" + end] += alarm
            count["right" + end] += found and not alarm
    names = (f"{kind}{end}" for end in ("", "_any") for kind in ("found", "alarms", "right"))
    return PairScore(len(pairs), *(count[name] for name in names))


def print_pairs(title: str, pairs: Sequence[Pair], tools: dict[str, Flags]) -> None:
    """One row a tool and category, and one for all."""
    print(f"\n{title}: {len(pairs)} pairs (found / alarms / right in the pair's category, then in any)")
    print(f"{'':<36}{'pairs':>6}{'found':>7}{'alarms':>7}{'right':>7}{'':>8}{'found':>8}{'alarms':>7}{'right':>7}")
    for tool, flags in tools.items():
        for category in (*sorted({pair.category for pair in pairs}), "all"):
            row = score([pair for pair in pairs if category in ("all", pair.category)], flags)
            share = f"{row.right / row.pairs:>8.1%}"
            known = f"{row.pairs:>6}{row.found:>7}{row.alarms:>7}{row.right:>7}{share}"
            print(f"{tool + ' ' + category:<36}{known}{row.found_any:>8}{row.alarms_any:>7}{row.right_any:>7}")


def print_asked(pairs: Sequence[Pair], flags: Flags) -> None:
    """What is asked of the product on real fix pairs."""
    whole = score(pairs, flags)
    each = {}
    for category in sorted({pair.category for pair in pairs}):
        row = score([pair for pair in pairs if pair.category == category], flags)
        each[category] = row.right / row.pairs
    worst = min(each, key=lambda name: each[name])
    say("right", whole.right / whole.pairs, RIGHT)
    say(f"worst class ({worst})", each[worst], EACH)
    say("false alarms", whole.alarms / whole.pairs, ALARMS, most=True)
