"""Sets of single files: recall and false-positive rate by category, and Youden's index, which is their difference.

The mean is that of the categories, so that one with many files weighs no more than another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from detection_cases import Case, Flags, flagged

YOUDEN, RECALL = 0.75, 0.70


@dataclass(frozen=True, slots=True)
class Rate:
    """How many files there are of each kind, and how many of them are flagged in their category."""

    vulnerable: int
    safe: int
    found: int
    alarms: int

    @property
    def recall(self) -> float:
        """The share of the vulnerable files that is flagged."""
        return self.found / max(1, self.vulnerable)

    @property
    def youden(self) -> float:
        """Recall less the share of safe files that is flagged; 0 is what guessing gives."""
        return self.recall - self.alarms / max(1, self.safe)


def rate(cases: Sequence[Case], flags: Flags) -> Rate:
    """Count the files of each kind."""
    vulnerable = [case for case in cases if case.vulnerable]
    safe = [case for case in cases if not case.vulnerable]
    return Rate(
        len(vulnerable),
        len(safe),
        sum(flagged(flags, case, case.category) for case in vulnerable),
        sum(flagged(flags, case, case.category) for case in safe),
    )


def by_category(cases: Sequence[Case], flags: Flags) -> dict[str, Rate]:
    """A rate for each category."""
    names = sorted({case.category for case in cases})
    return {name: rate([case for case in cases if case.category == name], flags) for name in names}


def print_rates(title: str, cases: Sequence[Case], tools: dict[str, Flags]) -> None:
    """Recall / false-positive rate / Youden's index: a row for each category, a column for each tool."""
    rows = {tool: by_category(cases, flags) for tool, flags in tools.items()}
    print(f"\n{title}: {len(cases):,} files (recall / false-positive rate / Youden)")
    print(f"{'':<30}{'bad':>6}{'good':>6}" + "".join(f"{tool:>24}" for tool in tools))
    for name in sorted({case.category for case in cases}):
        first = next(iter(rows.values()))[name]
        each = [found[name] for found in rows.values()]
        shown = (f"{row.recall:.2f} / {row.recall - row.youden:.2f} / {row.youden:+.2f}" for row in each)
        print(f"{name:<30}{first.vulnerable:>6}{first.safe:>6}" + "".join(f"{text:>24}" for text in shown))
    means = (sum(row.youden for row in found.values()) / len(found) for found in rows.values())
    print(f"{'mean Youden':<42}" + "".join(f"{mean:>+24.3f}" for mean in means))


def print_recall(title: str, cases: Sequence[Case], tools: dict[str, Flags]) -> None:
    """Recall alone, for sets without safe files: by category, and of all files, in the right category and in any."""
    rows = {tool: by_category(cases, flags) for tool, flags in tools.items()}
    print(f"\n{title}: {len(cases):,} files, all vulnerable (found)")
    print(f"{'':<36}{'bad':>6}" + "".join(f"{tool:>12}" for tool in tools))
    for name in sorted({case.category for case in cases}):
        count = next(iter(rows.values()))[name].vulnerable
        print(f"{name:<36}{count:>6}" + "".join(f"{found[name].found:>12}" for found in rows.values()))
    for label, category in (("recall", True), ("recall, any category", False)):
        shares = (
            sum(flagged(flags, case, case.category if category else None) for case in cases) / max(1, len(cases))
            for flags in tools.values()
        )
        print(f"{label:<42}" + "".join(f"{share:>12.1%}" for share in shares))


def say(what: str, figure: float, asked: float, *, most: bool = False) -> None:
    """A share beside what is asked for."""
    missed = figure > asked if most else figure < asked
    print(f"{what:<36}{figure:.3f} (asked for: at {'most' if most else 'least'} {asked:g}){'  <-- MISSED' * missed}")
