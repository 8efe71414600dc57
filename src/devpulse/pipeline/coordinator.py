"""The coordinator: its history holds one-line references and decisions, never the results themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from devpulse.core.budget import ContextUse
from devpulse.core.categories import Severity
from devpulse.core.coordinator_history import (
    COORDINATOR_TOKENS,
    DECISIONS,
    Note,
    Notes,
    SummaryNote,
    compact_notes,
    notes_to_send,
)
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding
from devpulse.core.messages import Usage
from devpulse.core.reference import decision_line
from devpulse.core.review import Coverage, Partial, Report, Reviewed
from devpulse.core.shown import show_line, show_path
from devpulse.core.verdict import counts, overall_risk
from devpulse.pipeline.summarizer import Summarizer
from devpulse.pipeline.task_runner import TaskReference
from devpulse.ports import ArtifactSink, RunLog

COORDINATOR = "coordinator"
"""The name that the log and requests know it by."""


@dataclass(slots=True)
class Coordinator:
    """Keeps the thread of a run across its children; ``references`` are what its history stands on.

    ``limit`` are the tokens its history may take. ``summarizer`` words what is summed up; without one the program
    does. ``usage``, ``context_tokens`` and ``largest_request`` are what that cost. ``saved`` are the decisions that
    stand in the artifact ``decisions.md`` because the history has no room for them.
    """

    sink: ArtifactSink
    log: RunLog
    fence: Fence
    limit: int = COORDINATOR_TOKENS
    summarizer: Summarizer | None = None
    history: Notes = ()
    references: list[TaskReference] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    compactions: int = 0
    usage: Usage = field(default_factory=Usage)
    context_tokens: int = 0
    largest_request: int = 0

    def task_finished(self, reference: TaskReference) -> None:
        """Note where a result was saved, what was refused on the way, and what was decided on the file."""
        self.references.append(reference)
        task, outcome = reference.task, reference.outcome
        part = f" (part {task.part} of {task.parts})" if task.parts > 1 else ""
        notes = [Note(f"TASK: {show_path(task.change.path)}{part}", opens_task=True), Note(reference.line)]
        if not isinstance(outcome, Reviewed):
            notes.append(Note(_one_line(f"{type(outcome).__name__.lower()}: {outcome.reason}")))
        notes += (Note(_one_line(denial), important=True) for denial in reference.denials)
        notes.append(Note(decision_line(task.change.path, reference.level), important=True))
        self.history = (*self.history, *notes)

    def concluding(self) -> None:
        """Begin the last task: from here on all that came before is earlier work."""
        self.history = (*self.history, Note("TASK: conclude", opens_task=True))

    def compact(self) -> None:
        """Bring the history within its limit. Decisions it has no room for go to the artifact, and it says so.

        Raises:
            ArtifactError: the artifact cannot be written.
        """
        compaction = compact_notes(self.history, self.limit, self._tell)
        if compaction is None:
            return
        if compaction.spilled:
            self.saved += compaction.spilled
            self.sink.write(DECISIONS, "".join(f"{line}\n" for line in self.saved))
        self.history = compaction.notes
        self.compactions += 1
        self.log.record(
            "compaction",
            task=COORDINATOR,
            before=compaction.before,
            after=compaction.after,
            turns=compaction.tasks,
            spilled=len(compaction.spilled),
            fits=compaction.fits,
        )

    def context(self) -> list[str]:
        """What the concluding request is told: all decisions, or how many of each kind stand in which file, and the
        most recent of the rest."""
        return [line for note in notes_to_send(self.history) for line in note.text.split("\n")]

    def decisions(self) -> list[str]:
        """Everything important so far, in order, word for word, wherever it stands."""
        first = self.history[0] if self.history else None
        earlier = first.lines if isinstance(first, SummaryNote) else ()
        later = (note.text for note in self.history if note.important and not isinstance(note, SummaryNote))
        return [*self.saved, *earlier, *later]

    def charged(self, report: Report) -> Report:
        """The report with what the coordinator's own requests cost."""
        return replace(
            report,
            usage=report.usage + self.usage,
            context_tokens=report.context_tokens + self.context_tokens,
            context_use=report.context_use
            + ContextUse(self._window, self.largest_request, compactions=self.compactions),
        )

    @property
    def _window(self) -> int:
        """That of its own requests; zero when none was answered."""
        return self.summarizer.budget.window if self.summarizer is not None and self.largest_request else 0

    def _tell(self, record: str, longest: int) -> str:
        if self.summarizer is None:
            return ""
        told = self.summarizer.tell(COORDINATOR, self.compactions + 1, record, self.fence, longest)
        self.usage += told.usage
        self.context_tokens += told.context_tokens
        self.largest_request = max(self.largest_request, told.largest_request)
        return told.text


def _one_line(text: str) -> str:
    return show_line(text.replace("\n", "\\n"))


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
