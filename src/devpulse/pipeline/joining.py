"""From saved results to one report: parts joined, findings deduplicated, policy applied, risk concluded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from devpulse.core.budget import ContextUse
from devpulse.core.change import ChangeSet, FileChange, Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.policy import ReportPolicy, apply_policy
from devpulse.core.review import Coverage, Failed, Outcome, Partial, Report, Reviewed, SkipKind, Skipped
from devpulse.core.unseen import is_unseen
from devpulse.core.verdict import is_incomplete
from devpulse.output.comments.place import Place, place_of
from devpulse.output.snippets import Snippet
from devpulse.pipeline.coordinator import conclude
from devpulse.pipeline.findings import deduplicate
from devpulse.pipeline.plan import Plan
from devpulse.pipeline.snippets import snippet_of
from devpulse.pipeline.suppression import suppressed_inline
from devpulse.pipeline.task_result import TaskResult
from devpulse.pipeline.task_runner import TaskReference
from devpulse.pipeline.texts import ChangeTexts
from devpulse.ports import ArtifactSink, ReviewModel

if TYPE_CHECKING:
    from devpulse.core.comparison import Comparison


@dataclass(frozen=True, slots=True)
class RunResult:
    """The report, and what renderers need beside it.

    By fingerprint: the code around each finding, the nearest head line of each LEFT finding, and the place
    where each open one is told. ``deleted`` are the paths without a head. ``model_down`` says why the engine asked for
    was not available, and is empty when it was. ``defect`` is an error that nobody foresaw: to be raised when
    everything else is written. ``comparison`` stands beside the report of ``compare``.
    """

    report: Report
    snippets: dict[str, Snippet]
    head_lines: dict[str, int]
    deleted: frozenset[str] = frozenset()
    places: Mapping[str, Place] = field(default_factory=dict)
    model_down: str = ""
    defect: BaseException | None = None
    cancelled: KeyboardInterrupt | None = None
    comparison: Comparison | None = None

    def head_line(self, finding: Finding) -> int | None:
        """The head line nearest to a finding; ``None`` when its file has no head."""
        if finding.path in self.deleted:
            return None
        return finding.start_line if finding.side is Side.RIGHT else self.head_lines.get(finding.fingerprint, 1)


@dataclass(frozen=True, slots=True)
class Joiner:
    """Concludes a run from its plan, its references and its saved results."""

    plan: Plan
    change_set: ChangeSet
    policy: ReportPolicy
    model: ReviewModel
    sink: ArtifactSink
    texts: ChangeTexts

    def join(self, references: Sequence[TaskReference], *, cancelled: bool) -> RunResult:
        """Load every saved result back and build the report."""
        results = {reference.task.id: self._load(reference) for reference in references}
        missing: Outcome = Skipped("cancelled", SkipKind.LIMIT) if cancelled else Failed("it was never started")
        by_path: dict[str, list[TaskResult | Outcome]] = {}
        for task in self.plan.tasks:
            by_path.setdefault(task.change.path, []).append(results.get(task.id, missing))
        skipped = {change.path: reason for change, reason in self.plan.skipped}
        coverage = tuple(self._row(change, by_path, skipped) for change in self.change_set.files)
        findings = self._findings(results)
        risk, summary = conclude(findings, coverage)
        done = [result for result in results.values() if isinstance(result, TaskResult)]
        report = Report(
            pull_request=self.change_set.pull_request,
            engine=self.model.name,
            model=", ".join(sorted({result.model for result in done if result.model})) or None,
            risk=risk,
            summary=summary,
            coverage=coverage,
            findings=findings,
            usage=sum((result.usage for result in done), Usage()),
            context_tokens=sum(result.context_tokens for result in done),
            rung=self.change_set.rung,
            rung_reason=self.change_set.rung_reason,
            incomplete=is_incomplete(row.outcome for row in coverage),
            context_use=sum((result.context_use for result in done), ContextUse()),
        )
        deleted = frozenset(change.path for change in self.change_set.files if change.head is None)
        return RunResult(report, self._snippets(findings), self._head_lines(findings), deleted, self._places(findings))

    def _load(self, reference: TaskReference) -> TaskResult | Outcome:
        text = self.sink.read(reference.artifact)
        if text is None:
            return Failed(f"its result {reference.artifact} is gone")
        try:
            return TaskResult.from_json(json.loads(text))
        except (KeyError, TypeError, ValueError):
            return Failed(f"its result {reference.artifact} was altered during the run")

    def _row(
        self,
        change: FileChange,
        by_path: dict[str, list[TaskResult | Outcome]],
        skipped: dict[str, Skipped],
    ) -> Coverage:
        if change.path in skipped:
            return Coverage(change.path, skipped[change.path], 0, 0)
        parts = by_path[change.path]
        outcomes = [part.outcome if isinstance(part, TaskResult) else part for part in parts]
        tokens = sum(_tokens(part) for part in parts if isinstance(part, TaskResult))
        return Coverage(change.path, joined_outcome(outcomes), len(parts), tokens)

    def _findings(self, results: Mapping[str, TaskResult | Outcome]) -> tuple[Finding, ...]:
        changes = {change.path: change for change in self.change_set.files}
        found = [
            # The saved path is masked and written for people; the plan has the real one.
            replace(finding, path=task.change.path)
            for task in self.plan.tasks
            if isinstance(result := results.get(task.id), TaskResult)
            for finding in result.findings
        ]
        judged = [
            apply_policy(self._accepted(f, changes[f.path]), changes[f.path], self.policy) for f in deduplicate(found)
        ]
        return tuple(sorted(judged, key=lambda f: (-f.severity.rank, -f.confidence.rank, f.path, f.start_line)))

    def _accepted(self, finding: Finding, change: FileChange) -> Finding:
        return suppressed_inline(finding, change, self.texts, allow_new=self.policy.allow_new_suppressions)

    def _snippets(self, findings: Iterable[Finding]) -> dict[str, Snippet]:
        changes = {change.path: change for change in self.change_set.files}
        cut = ((finding.fingerprint, snippet_of(finding, changes, self.texts)) for finding in findings)
        return {fingerprint: snippet for fingerprint, snippet in cut if snippet is not None}

    def _places(self, findings: Iterable[Finding]) -> dict[str, Place]:
        changes = {change.path: change for change in self.change_set.files}
        return {f.fingerprint: place_of(f, changes[f.path]) for f in findings if f.status is FindingStatus.OPEN}

    def _head_lines(self, findings: Iterable[Finding]) -> dict[str, int]:
        changes = {change.path: change for change in self.change_set.files}
        return {
            finding.fingerprint: nearest_head_line(changes[finding.path], finding.start_line)
            for finding in findings
            if finding.side is Side.LEFT
        }


def joined_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a file from those of its parts: whole only if every part is that needed a review."""
    due = [(number, o) for number, o in enumerate(outcomes, 1) if not _by_policy(o)]
    if not due or len(outcomes) == 1:
        return outcomes[0]
    broken = [(number, o) for number, o in due if not isinstance(o, Reviewed)]
    if not broken:
        return Reviewed("reused" if all(o.reason == "reused" for _, o in due) else "")
    first = broken[0][1]
    if len(broken) == len(due) and len({type(o) for _, o in due}) == 1 and not isinstance(first, Partial):
        return first
    # What was not done comes before what could not be shown, so that it is always among the reasons named.
    broken.sort(key=lambda row: is_unseen(row[1].reason))
    reasons = "; ".join(f"part {number}: {o.reason}" for number, o in broken[:5])
    more = f" and {len(broken) - 5} more parts" if len(broken) > 5 else ""
    return Partial(f"{reasons}{more} (of {len(outcomes)})")


def is_unseen_in_parts(reason: str) -> bool:
    """Whether the reason of a joined outcome names parts of which something could not be shown, and nothing else."""
    told = re.fullmatch(r"(part \d+: .*?)(?: and \d+ more parts)? \(of \d+\)", reason)
    return told is not None and all(is_unseen(part.partition(": ")[2]) for part in told[1].split("; "))


def _by_policy(outcome: Outcome) -> bool:
    return isinstance(outcome, Skipped) and outcome.kind is SkipKind.POLICY


def _tokens(result: TaskResult) -> int:
    """Input and output as reported; an engine that reports none is estimated."""
    return result.usage.input_tokens + result.usage.output_tokens or result.context_tokens


def nearest_head_line(change: FileChange, old_line: int) -> int:
    """The head line nearest to a removed line within its hunk; without any, the line the hunk starts at, at least 1."""
    for hunk in change.hunks:
        if old_line not in hunk.numbers(Side.LEFT):
            continue
        index = next(i for i, line in enumerate(hunk.lines) if line.old == old_line)
        numbered = [(abs(i - index), line.new) for i, line in enumerate(hunk.lines) if line.new is not None]
        return min(numbered, default=(0, max(1, hunk.new_start)))[1]
    return 1
