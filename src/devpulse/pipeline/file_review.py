"""The review of one task: rules, a child, verification, and findings out of all three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from devpulse.core.change import FileChange, FileStatus, Side
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource, Lead
from devpulse.core.languages import language_of
from devpulse.core.lookup import Lookup
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, ReviewTask, Skipped
from devpulse.core.shown import MAX_LINE_CHARACTERS
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import enclosing_in_text
from devpulse.core.task_text import render_task
from devpulse.errors import ModelUnavailable
from devpulse.pipeline.child import Child, ChildResult, shows
from devpulse.pipeline.conversation import ConversationSetting
from devpulse.pipeline.engines import Engines
from devpulse.pipeline.findings import Assembler, SymbolAt, deduplicate
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import Submission
from devpulse.pipeline.task_result import TaskResult
from devpulse.pipeline.texts import ChangeTexts
from devpulse.pipeline.tools import Library, ToolBox
from devpulse.pipeline.verify import Verified, Verifier

RULES_ONLY = "model unavailable, rules only"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """What the reviews of a run share. Nothing of one child is reachable from another."""

    engines: Engines
    setting: ConversationSetting
    system: str
    verifies: bool
    fence: Fence
    texts: ChangeTexts
    library: Library
    mask: Callable[[str], str]

    def review(self, task: ReviewTask, prepared: Prepared) -> tuple[TaskResult, tuple[Lookup, ...]]:
        """Review a task from the beginning; also gives everything that was looked up on the way.

        Raises:
            ModelMisconfigured: no request of the run can succeed.
        """
        leads = leads_of(task, prepared)
        standing = prepared.findings if task.part == 1 else ()
        if task.change.status is FileStatus.DELETED and not leads and not standing:
            return TaskResult(task.id, task.change.path, Skipped("deleted"), (), "", Usage(), 0, 0), ()
        child, source, why = self._child(task, prepared, leads)
        assembler = Assembler(prepared, source, self._symbol_at(task.change), self.mask)
        judged = isinstance(child.outcome, Reviewed)
        found = assembler.assemble(child.submission, leads, judged=judged)
        findings = deduplicate((*assembler.standing(standing), *found))
        if source is FindingSource.RULE:
            for lead in child.submission.dismissed:
                self.setting.log.record("lead_dropped", task=task.id, lead=lead.id, reason=lead.reason)
        verified = self._verified(task, prepared, findings) if self.verifies else Verified(findings)
        outcome = _qualified(_with_reasons(child.outcome, why, verified.failure), task, prepared)
        result = self._result(task, child, verified, outcome)
        return result, (*prepared.lookups, *child.lookups, *(verified.ended.lookups if verified.ended else ()))

    def _child(
        self, task: ReviewTask, prepared: Prepared, leads: tuple[Lead, ...]
    ) -> tuple[ChildResult, FindingSource, str]:
        side = Side.LEFT if task.change.head is None else Side.RIGHT
        symbol_at = self._symbol_at(task.change)

        def text(part: ReviewTask, offered: tuple[Lead, ...]) -> str:
            return render_task(part, prepared.shown, offered, self.fence, lambda line: symbol_at(side, line))

        def work(setting: ConversationSetting) -> ChildResult:
            return Child(setting, self.system, lambda: self._tools(task), text).review(task, leads)

        try:
            answered = self.engines.ask(lambda model: work(replace(self.setting, model=model)))
        except ModelUnavailable as error:
            nothing = ChildResult(Submission(), Failed(f"model unavailable: {error}"), Usage(), 0, 0, (), "")
            return nothing, FindingSource.MODEL, ""
        return answered.value, answered.model.source, RULES_ONLY if answered.instead_because else ""

    def _verified(self, task: ReviewTask, prepared: Prepared, findings: tuple[Finding, ...]) -> Verified:
        symbol_at = self._symbol_at(task.change)
        setting = replace(self.setting, model=self.engines.model)
        verifier = Verifier(setting, self._tools(task), self.fence, lambda line: symbol_at(Side.RIGHT, line), self.mask)
        return verifier.verify(task, prepared, findings)

    def _tools(self, task: ReviewTask) -> ToolBox:
        return ToolBox(self.library, self.fence, near=task.change.path)

    def _result(self, task: ReviewTask, child: ChildResult, verified: Verified, outcome: Outcome) -> TaskResult:
        ended = verified.ended
        return TaskResult(
            task.id,
            task.change.path,
            outcome,
            verified.findings,
            self.mask(child.submission.summary),
            child.usage + ended.usage if ended else child.usage,
            child.context_tokens + (ended.context_tokens if ended else 0),
            child.steps + (ended.steps if ended else 0),
            child.served_model,
        )

    def _symbol_at(self, change: FileChange) -> SymbolAt:
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


def leads_of(task: ReviewTask, prepared: Prepared) -> tuple[Lead, ...]:
    """The leads of a part: those it shows the first line of; what no part shows belongs to the first."""
    return tuple(
        lead
        for lead in prepared.leads
        if shows(task.hunks, lead) or (task.part == 1 and not shows(task.change.hunks, lead))
    )


def _with_reasons(outcome: Outcome, *reasons: str) -> Outcome:
    """Partial when there is any reason for it; what already is worse stays, with the reasons added."""
    told = [reason for reason in reasons if reason]
    if not told or isinstance(outcome, Failed | Skipped):
        return outcome
    return Partial("; ".join([*told, outcome.reason] if outcome.reason else told))


def _qualified(outcome: Outcome, task: ReviewTask, prepared: Prepared) -> Outcome:
    """A review is only whole when the child could see every changed line whole."""
    if not isinstance(outcome, Reviewed):
        return outcome
    if not prepared.complete:
        return Partial("only the hunks could be read, not the whole file")
    cut = sum(len(line.text) > MAX_LINE_CHARACTERS for hunk in task.hunks for line in hunk.lines)
    return Partial(f"{cut} overlong {'line was' if cut == 1 else 'lines were'} cut") if cut else outcome
