"""The coordinator: its history holds one-line references and decisions, never the results themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding
from devpulse.core.reference import decision_line
from devpulse.core.review import Coverage, Partial, Reviewed
from devpulse.core.verdict import counts, overall_risk
from devpulse.pipeline.task_runner import TaskReference


@dataclass(frozen=True, slots=True)
class Note:
    """One line of the coordinator's history; important ones are never summarised."""

    text: str
    important: bool = False


@dataclass(slots=True)
class Coordinator:
    """Keeps the thread of a run across its children; ``references`` are what its history stands on."""

    history: list[Note] = field(default_factory=list)
    references: list[TaskReference] = field(default_factory=list)

    def task_finished(self, reference: TaskReference) -> None:
        """Note where a result was saved and what was decided on the file."""
        self.references.append(reference)
        self.history.append(Note(reference.line))
        self.history.append(Note(decision_line(reference.task.change.path, reference.level), important=True))

    def decisions(self) -> list[str]:
        """Every decision so far, in order, word for word."""
        return [note.text for note in self.history if note.important]


def conclude(findings: Sequence[Finding], coverage: Sequence[Coverage]) -> tuple[str, str]:
    """Risk and a summary in words, the same for the same findings and coverage."""
    risk = overall_risk(findings)
    counting = [finding for finding in findings if counts(finding)]
    done = sum(isinstance(row.outcome, Reviewed) for row in coverage)
    partly = sum(isinstance(row.outcome, Partial) for row in coverage)
    seen = f"{done} of {len(coverage)} changed files reviewed" + (f", {partly} in part" if partly else "")
    if not coverage:
        return risk, "The change is empty: there was nothing to review."
    if not done and not partly:
        return risk, f"Nothing was reviewed: none of {len(coverage)} changed files could or had to be."
    if not counting:
        return risk, f"No counting finding; {seen}."
    levels = Counter(finding.severity for finding in counting)
    listed = ", ".join(f"{levels[s]} {s}" for s in sorted(Severity, key=lambda s: -s.rank) if levels[s])
    files = len({finding.path for finding in counting})
    place = "1 file" if files == 1 else f"{files} files"
    return risk, f"{_count(len(counting), 'finding')} in {place} ({listed}); {seen}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
