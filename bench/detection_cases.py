"""What a set of the detection bench is made of, and what a tool says about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devpulse.core.categories import CATEGORIES

EXTENSIONS: Mapping[str, str] = {
    "c": "c", "cpp": "cpp", "csharp": "cs", "go": "go", "java": "java", "javascript": "js", "kotlin": "kt",
    "php": "php", "python": "py", "ruby": "rb", "rust": "rs", "typescript": "ts", "tsx": "tsx",
}  # fmt: skip
"""The ending of a file by the name of its language."""

_OF_SINGLE_RULES = frozenset({59, 88, 98, 295, 321, 326, 329, 565, 760, 943})
"""What ``core.categories`` lists for single rules: no case is chosen by it, so that figures can be compared."""

_LISTED = {number: row.name for row in CATEGORIES.values() for number in row.cwes if number not in _OF_SINGLE_RULES}
BY_CWE: Mapping[int, str] = {
    **_LISTED,
    **dict.fromkeys((23, 36, 73), "path-traversal"),
    **dict.fromkeys((77, 88), "command-injection"),
    80: "cross-site-scripting",
    95: "code-injection",
    **dict.fromkeys((259, 321), "hardcoded-secret"),
    **dict.fromkeys((326, 329, 331, 335, 338, 339), "weak-cryptography"),
    **dict.fromkeys((306, 347, 522, 759, 760), "weak-authentication"),
    943: "sql-injection",
    **dict.fromkeys((284, 285, 639), "broken-access-control"),
    **dict.fromkeys((776, 827), "xml-external-entity"),
}
"""Our category by CWE number: those that ``core.categories`` lists, then what other sets and tools call by a child or
sibling of one of them."""

OWN_CWES = frozenset(_LISTED)
"""The numbers that ``core.categories`` lists, but for those of single rules."""

ALIKE: Mapping[int, frozenset[str]] = {
    306: frozenset({"weak-authentication", "broken-access-control"}),
    **dict.fromkeys((347, 759, 760), frozenset({"weak-authentication", "weak-cryptography"})),
}
"""Where more than one category is a right name for a weakness."""


@dataclass(frozen=True, slots=True)
class Case:
    """One file to be judged. ``path`` is unique in its set; ``pair`` is shared by the two sides of a pair.

    ``category`` is the weakness the case is about, one of ours; ``cwe`` its number, 0 when the set does not say.
    """

    path: str
    text: str
    category: str
    vulnerable: bool
    pair: str = ""
    cwe: int = 0

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return self.text.count("\n") + 1


@dataclass(frozen=True, slots=True)
class Flag:
    """One finding of a tool. ``category`` is ours, empty when the tool's rule is about nothing we have."""

    category: str
    first: int
    last: int
    rule: str
    title: str = ""


Flags = Mapping[str, Sequence[Flag]]
"""What a tool found, by path."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Which lines of a file are to be flagged, and which must not be: all others where ``safe`` is ``None``."""

    lines: frozenset[int]
    safe: frozenset[int] | None = None

    def found(self, spans: Sequence[range]) -> int:
        """How many of the lines are covered."""
        return sum(any(line in span for span in spans) for line in self.lines)

    def right(self, spans: Sequence[range]) -> int:
        """How many of the spans cover a line that is to be flagged."""
        return sum(not self.lines.isdisjoint(span) for span in spans)

    def wrong(self, spans: Sequence[range]) -> int:
        """How many of the spans cover none, and a line that must not be flagged."""
        others = [span for span in spans if self.lines.isdisjoint(span)]
        return len(others) if self.safe is None else sum(not self.safe.isdisjoint(span) for span in others)


@dataclass(frozen=True, slots=True)
class CaseSet:
    """A set of cases. ``beside`` are files that a review of any of them can look up, ``truth`` the lines to be flagged
    where the set knows them; both by path."""

    name: str
    cases: tuple[Case, ...]
    beside: Mapping[str, bytes] = field(default_factory=dict)
    truth: Mapping[str, Truth] = field(default_factory=dict)


def write_cases(cases: Iterable[Case], folder: Path) -> None:
    """The files of a set on disk, for tools that read folders."""
    for case in cases:
        place = folder / case.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(case.text, encoding="utf-8", newline="")


def flagged(flags: Flags, case: Case, category: str | None = None) -> bool:
    """Whether a tool found something in a case: in one category, or in any when that is ``None``."""
    found = flags.get(case.path, ())
    if category is None:
        return bool(found)
    right = ALIKE.get(case.cwe, frozenset({category})) if category == case.category else frozenset({category})
    return any(flag.category in right for flag in found)


def spans_of(flags: Flags, case: Case) -> list[range]:
    """The lines of each finding in a case's category."""
    return [range(f.first, f.last + 1) for f in flags.get(case.path, ()) if f.category == case.category]


def read(path: Path) -> str:
    """A source text; what is no UTF-8 is replaced."""
    return path.read_bytes().decode("utf-8", errors="replace")
