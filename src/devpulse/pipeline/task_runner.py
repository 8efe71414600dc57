"""One task from start to saved result; runs in a worker thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from devpulse.core.change import FileChange
from devpulse.core.messages import Usage
from devpulse.core.reference import saved_reference
from devpulse.core.review import Failed, Outcome, Reviewed, ReviewTask, SkipKind, Skipped
from devpulse.core.verdict import overall_risk
from devpulse.pipeline.allowance import Allowance
from devpulse.pipeline.file_review import Reviewer
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.resume import KeyParts, lookups_json, still_valid
from devpulse.pipeline.task_result import TaskResult, artifact_name, dump
from devpulse.pipeline.tools import ToolBox
from devpulse.ports import ArtifactSink, ResumeStore, RunLog


@dataclass(frozen=True, slots=True)
class TaskReference:
    """All that the coordinator keeps of a task: its saved result's name, a line about it, and what was denied."""

    task: ReviewTask
    outcome: Outcome
    artifact: str
    line: str
    level: str
    findings: int
    tokens: int
    denials: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskRunner:
    """What the tasks of a run share. ``allowance`` lets them begin; ``over`` says why not even the rules may run."""

    reviewer: Reviewer
    allowance: Allowance
    key_parts: KeyParts
    prepared: Callable[[FileChange], Prepared]
    over: Callable[[], str]
    sink: ArtifactSink
    store: ResumeStore | None
    log: RunLog

    def run(self, task: ReviewTask) -> TaskReference:
        """Reuse stored work if it still stands, else review; save the result and hand back a reference."""
        if over := self.over():
            unread = Skipped(f"{over}, not even the rules ran", SkipKind.LIMIT)
            return offload(task, TaskResult(task.id, task.change.path, unread, (), "", Usage(), 0, 0), self.sink)
        key = self._key(task)
        result = self._reused(task, key)
        if result is None:
            with self.allowance.task(self.reviewer.setting.stopped) as refused:
                # Also of a file that no child may be asked about, what the rules found stands.
                reviewer = self._stopped(refused) if refused else self.reviewer
                result, lookups = reviewer.review(task, self.prepared(task.change))
            if self.store is not None and result.outcome == Reviewed():
                self.store.save(key, {"result": result.to_json(), "lookups": lookups_json(lookups)})
        return offload(task, result, self.sink)

    def failed(self, task: ReviewTask, reason: str) -> TaskReference:
        """The reference of a task that an error ended; its result is saved like any other."""
        result = TaskResult(task.id, task.change.path, Failed(reason), (), "", Usage(), 0, 0)
        self.log.record("task_failed", task=task.id, reason=reason)
        return offload(task, result, self.sink)

    def _stopped(self, reason: str) -> Reviewer:
        return replace(self.reviewer, setting=replace(self.reviewer.setting, stopped=lambda: reason))

    def _key(self, task: ReviewTask) -> str:
        change = task.change
        base = None if change.base is None else self.reviewer.texts.base.raw(change.base.path)
        head = None if change.head is None else self.reviewer.texts.head.raw(change.head.path)
        return self.key_parts.key(task, self.reviewer.system(change.path), base, head)

    def _reused(self, task: ReviewTask, key: str) -> TaskResult | None:
        entry = None if self.store is None else self.store.load(key)
        if entry is None:
            return None
        library = self.reviewer.library
        if not still_valid(entry, library.index, ToolBox(library, self.reviewer.fence, near=task.change.path)):
            self.log.record("stale", task=task.id)
            return None
        try:
            result = TaskResult.from_json(entry["result"])
        except (KeyError, TypeError, ValueError) as error:
            self.log.record("damaged", task=task.id, reason=str(error))
            return None
        self.log.record("reused", task=task.id)
        # Tokens were spent by the run that did the work, not by this one.
        return replace(
            result, task=task.id, outcome=Reviewed("reused"), usage=Usage(), context_tokens=0, steps=0, compactions=0,
            window=0, largest_request=0, splits=0,
        )  # fmt: skip


def offload(task: ReviewTask, result: TaskResult, sink: ArtifactSink) -> TaskReference:
    """Save the result of a task; gives all that is kept of it."""
    name = artifact_name(task.id)
    sink.write(name, dump(result.to_json()))
    level = overall_risk(result.findings)
    line = saved_reference(name, result.findings)
    return TaskReference(
        task, result.outcome, name, line, level, len(result.findings), result.context_tokens, result.denials
    )
