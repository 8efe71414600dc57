"""What a developer of rules needs to see: each case judged wrongly, with its text and the lines that were flagged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from detection_cases import Case, CaseSet, Flag, Flags, Truth, flagged, spans_of

MISSED, ALARM = "missed", "false-alarm"


def write_misses(folder: Path, part: CaseSet, flags: Flags) -> dict[str, int]:
    """Write one file for each case judged wrongly, below ``folder`` and the set's name; gives how many of each kind.

    The files of an earlier run are removed.
    """
    target = folder / part.name.replace(" ", "-")
    for old in target.glob("*/*/*.txt"):
        old.unlink()
    count = {MISSED: 0, ALARM: 0}
    for case in part.cases:
        for kind in _wrong(case, flags, part.truth):
            count[kind] += 1
            name = "-".join(filter(None, (case.pair, case.path.replace("/", "_"))))
            place = target / kind / case.category / f"{name}.txt"
            place.parent.mkdir(parents=True, exist_ok=True)
            shown = _shown(case, flags.get(case.path, ()), part.truth.get(case.path, Truth(frozenset())).lines)
            place.write_text(shown, encoding="utf-8", errors="replace")
    return count


def _wrong(case: Case, flags: Flags, truth: Mapping[str, Truth]) -> Iterator[str]:
    """In which ways a case was judged wrongly: line by line where the truth says lines."""
    if case.path not in truth:
        if flagged(flags, case, case.category) is not case.vulnerable:
            yield MISSED if case.vulnerable else ALARM
        return
    spans, told = spans_of(flags, case), truth[case.path]
    if told.found(spans) < len(told.lines):
        yield MISSED
    if told.wrong(spans):
        yield ALARM


def _shown(case: Case, flags: Sequence[Flag], truth: frozenset[int]) -> str:
    """The text; ``>`` stands before flagged lines and ``!`` before those that should be."""
    said = [f"# {f.category} {f.first}-{f.last} {f.rule}: {f.title}" for f in flags] or ["# nothing was flagged"]
    rows = []
    for number, line in enumerate(case.text.split("\n"), 1):
        mark = ">" if any(flag.first <= number <= flag.last for flag in flags) else " "
        rows.append(f"{'!' if number in truth else ' '}{mark}{number:>4} {line}")
    side = "vulnerable" if case.vulnerable else "safe"
    return "\n".join([f"# {case.category}, {side}, {case.path}", *said, *rows, ""])
