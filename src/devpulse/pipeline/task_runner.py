"""One task from start to saved result; runs in a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from devpulse.core.change import FileChange, FileStatus, Hunk, Side
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource, Lead
from devpulse.core.languages import language_of
from devpulse.core.lookup import Lookup
from devpulse.core.messages import Usage
from devpulse.core.reference import saved_reference
from devpulse.core.review import Outcome, Partial, Reviewed, ReviewTask, Skipped
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import enclosing_in_text
from devpulse.core.task_text import render_task
from devpulse.core.verdict import overall_risk
from devpulse.pipeline.child import Child, ChildSetting, opening
from devpulse.pipeline.findings import Assembler, deduplicate
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.resume import KeyParts, lookups_json, still_valid
from devpulse.pipeline.task_result import TaskResult, artifact_name, dump
from devpulse.pipeline.texts import ChangeTexts
from devpulse.pipeline.tools import Library, ToolBox
from devpulse.ports import ArtifactSink, ResumeStore, RunLog


@dataclass(frozen=True, slots=True)
class TaskReference:
    """All that the coordinator keeps of a task: its saved result's name and a line about it."""

    task: ReviewTask
    outcome: Outcome
    artifact: str
    line: str
    level: str
    findings: int
    tokens: int


@dataclass(frozen=True, slots=True)
class TaskRunner:
    """What the tasks of a run share. Nothing of one child is reachable from another."""

    setting: ChildSetting
    key_parts: KeyParts
    fence: Fence
    texts: ChangeTexts
    library: Library
    prepared: Callable[[FileChange], Prepared]
    sink: ArtifactSink
    store: ResumeStore | None
    log: RunLog
    mask: Callable[[str], str]

    def run(self, task: ReviewTask) -> TaskReference:
        """Reuse stored work if it still stands, else review; save the result and hand back a reference."""
        tools = ToolBox(self.library, self.fence, near=task.change.path)
        key = self._key(task)
        result = self._reused(task, key, tools)
        if result is None:
            result, lookups = self._reviewed(task, self.prepared(task.change), tools)
            if self.store is not None and result.outcome == Reviewed():
                self.store.save(key, {"result": result.to_json(), "lookups": lookups_json(lookups)})
        return self._offload(task, result)

    def _key(self, task: ReviewTask) -> str:
        change = task.change
        base = None if change.base is None else self.texts.base.raw(change.base.path)
        head = None if change.head is None else self.texts.head.raw(change.head.path)
        return self.key_parts.key(task, base, head)

    def _reused(self, task: ReviewTask, key: str, tools: ToolBox) -> TaskResult | None:
        entry = None if self.store is None else self.store.load(key)
        if entry is None:
            return None
        if not still_valid(entry, self.library.index, tools):
            self.log.record("stale", task=task.id)
            return None
        try:
            result = TaskResult.from_json(entry["result"])
        except (KeyError, TypeError, ValueError) as error:
            self.log.record("damaged", task=task.id, reason=str(error))
            return None
        self.log.record("reused", task=task.id)
        # Tokens were spent by the run that did the work, not by this one.
        return replace(result, task=task.id, outcome=Reviewed("reused"), usage=Usage(), context_tokens=0, steps=0)

    def _reviewed(self, task: ReviewTask, prepared: Prepared, tools: ToolBox) -> tuple[TaskResult, tuple[Lookup, ...]]:
        leads = _leads_of(task, prepared)
        standing = prepared.findings if task.part == 1 else ()
        if task.change.status is FileStatus.DELETED and not leads and not standing:
            return self._nothing_left(task), ()
        child = Child(
            self.setting,
            task.id,
            task.change.path,
            tools,
            opening(self.key_parts.system, self._text(task, prepared, leads)),
        ).run()
        assembler = Assembler(prepared, self.setting.model.source, self._symbol_at(task.change), self.mask)
        judged = isinstance(child.outcome, Reviewed)
        found = assembler.assemble(child.submission, leads, judged=judged)
        findings = deduplicate((*assembler.standing(standing), *found))
        if self.setting.model.source is FindingSource.RULE:
            for lead in child.submission.dismissed:
                self.log.record("lead_dropped", task=task.id, lead=lead.id, reason=lead.reason)
        result = TaskResult(
            task.id,
            task.change.path,
            _qualified(child.outcome, prepared),
            findings,
            self.mask(child.submission.summary),
            child.usage,
            child.context_tokens,
            child.steps,
        )
        return result, (*prepared.lookups, *child.lookups)

    def _nothing_left(self, task: ReviewTask) -> TaskResult:
        return TaskResult(task.id, task.change.path, Skipped("deleted"), (), "", Usage(), 0, 0)

    def _text(self, task: ReviewTask, prepared: Prepared, leads: tuple[Lead, ...]) -> str:
        symbol_at = self._symbol_at(task.change)
        side = Side.LEFT if task.change.head is None else Side.RIGHT
        return render_task(task, prepared.shown, leads, self.fence, lambda line: symbol_at(side, line))

    def _symbol_at(self, change: FileChange) -> Callable[[Side, int], Symbol | None]:
        shown = self.texts.shown(change)

        @cache
        def text(side: Side) -> str:
            lines = shown.side(side)
            return "" if lines is None else "\n".join(lines.lines)

        def symbol_at(side: Side, line: int) -> Symbol | None:
            version = change.head if side is Side.RIGHT else change.base
            language = None if version is None else language_of(version.path)
            return None if language is None else enclosing_in_text(language, text(side), line)

        return symbol_at

    def _offload(self, task: ReviewTask, result: TaskResult) -> TaskReference:
        name = artifact_name(task.id)
        self.sink.write(name, dump(result.to_json()))
        level = overall_risk(result.findings)
        line = saved_reference(name, result.findings)
        return TaskReference(task, result.outcome, name, line, level, len(result.findings), result.context_tokens)


def _leads_of(task: ReviewTask, prepared: Prepared) -> tuple[Lead, ...]:
    """The leads of a part: those it shows the first line of; what no part shows belongs to the first."""
    return tuple(
        lead
        for lead in prepared.leads
        if _shows(task.hunks, lead) or (task.part == 1 and not _shows(task.change.hunks, lead))
    )


def _shows(hunks: Iterable[Hunk], lead: Lead) -> bool:
    return any(lead.hit.start_line in hunk.numbers(lead.hit.side) for hunk in hunks)


def _qualified(outcome: Outcome, prepared: Prepared) -> Outcome:
    """A review is only whole when the child could see every changed line whole."""
    if not isinstance(outcome, Reviewed):
        return outcome
    if not prepared.complete:
        return Partial("only the hunks could be read, not the whole file")
    cut = sum(text.cut_lines for text in (prepared.shown.base, prepared.shown.head) if text is not None)
    return Partial(f"{cut} overlong {'line was' if cut == 1 else 'lines were'} cut") if cut else outcome
