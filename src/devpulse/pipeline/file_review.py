"""The review of one task: rules, a child, verification, and findings out of all three."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from devpulse.core.annotated import ShownChange
from devpulse.core.attributes import ATTRIBUTES, is_generated
from devpulse.core.called import Definer, OwnDefinitions, called_by
from devpulse.core.change import FileChange, FileStatus, Hunk, Side
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource, Hit, Lead
from devpulse.core.languages import language_of
from devpulse.core.lookup import Lookup, RecordingResolver
from devpulse.core.messages import Usage
from devpulse.core.review import RULES_ONLY, Failed, Outcome, Partial, Reviewed, ReviewTask, Skipped
from devpulse.core.shown import MAX_LINE_CHARACTERS, show_line, show_path
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import innermost, symbols_of
from devpulse.core.task_text import render_task
from devpulse.core.trivial import trivial_reason
from devpulse.core.unseen import ONLY_HUNKS, RULES_STOPPED, lines_cut
from devpulse.core.verdict import SWAYING_CATEGORIES
from devpulse.core.widened import widen
from devpulse.pipeline.child import Child, ChildResult, shown_by
from devpulse.pipeline.conversation import ConversationSetting, Ended
from devpulse.pipeline.engines import Engines
from devpulse.pipeline.findings import Assembler, SymbolAt, deduplicate
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import Submission
from devpulse.pipeline.task_result import TaskResult
from devpulse.pipeline.texts import ChangeTexts
from devpulse.pipeline.tools import Library, ToolBox
from devpulse.pipeline.verify import Judged, Verified, Verifier, needs_verification
from devpulse.ports import ReviewModel


@dataclass(frozen=True, slots=True)
class _Review:
    """What one engine made of a task, and whether it did so in place of the one that was asked for."""

    source: FindingSource
    child: ChildResult
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Reviewer:
    """What the reviews of a run share. Nothing of one child is reachable from another.

    ``system`` gives the system prompt for the file at a path."""

    engines: Engines
    setting: ConversationSetting
    system: Callable[[str], str]
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
        # Where a rule has a question, somebody has to look.
        looked_at = prepared.complete and not prepared.stopped
        if looked_at and not leads and (trivial := self._trivial(task.change)):
            found = Assembler(prepared, FindingSource.RULE, self._symbol_at(task.change), self.mask).standing(standing)
            return TaskResult(task.id, task.change.path, Skipped(trivial), deduplicate(found), "", Usage(), 0, 0), ()
        reviews = self._reviews(task, prepared, leads)
        findings = self._findings(task, prepared, standing, leads, reviews)
        verified = self._verified(task, prepared, findings, reviews) if self.verifies else Verified(findings)
        outcome = _qualified(_with_reasons(_outcome(reviews), verified.failure), task, prepared)
        lookups = [lookup for review in reviews for lookup in review.child.lookups]
        if verified.ended is not None:
            lookups.extend(verified.ended.lookups)
        return self._result(task, reviews, verified, outcome), (*prepared.lookups, *lookups)

    def _trivial(self, change: FileChange) -> str:
        """Why nobody need look at a change, or an empty text."""
        base = None if change.base is None else self.texts.base.raw(change.base.path)
        head = None if change.head is None else self.texts.head.raw(change.head.path)
        attributes = self.texts.base.raw(ATTRIBUTES)
        return trivial_reason(
            change,
            None if base is None or not base.complete else base.text,
            None if head is None or not head.complete else head.text,
            generated=attributes is not None and attributes.complete and is_generated(change.path, attributes.text),
        )

    def _reviews(self, task: ReviewTask, prepared: Prepared, leads: tuple[Lead, ...]) -> list[_Review]:
        """The review by the engine of the run; when it gives out, what it brought and the fallback's review."""
        reviews = []
        self.engines.check()
        refusal = self.engines.refusal()
        if not refusal:
            child = self._child(self.engines.model, task, prepared, leads)
            reviews.append(_Review(self.engines.model.source, child))
            if child.unusable is None:
                return reviews
            self.engines.gave_out(child.unusable)
        if self.engines.fallback is not None:
            child = self._child(self.engines.fallback, task, prepared, leads)
            reviews.append(_Review(self.engines.fallback.source, child, instead=True))
        elif not reviews:
            nothing = Failed(f"model unavailable: {refusal}")
            reviews.append(
                _Review(self.engines.model.source, ChildResult(Submission(), nothing, Usage(), 0, 0, (), ""))
            )
        return reviews

    def _child(self, model: ReviewModel, task: ReviewTask, prepared: Prepared, leads: tuple[Lead, ...]) -> ChildResult:
        side = side_of(task.change)
        outline = self._outline(task.change)
        # Never waits: while the index would have to be built first, only the file's own definitions are known.
        index, recording = self.library.index, RecordingResolver(self.library.index)

        def definer() -> Definer:
            return index if index.ready else OwnDefinitions(outline(side))

        def text(part: ReviewTask, offered: tuple[Lead, ...], *, widened: bool) -> str:
            narrow = part.hunks
            if widened and prepared.complete:
                share = self.setting.budget.planned_content
                part = replace(part, hunks=widen(narrow, task.change.hunks, prepared.shown, outline, share))
            # Who sees a whole file needs neither the place of its lines nor what else it defines.
            whole = shows_all(part, prepared.shown)
            called = () if whole and not index.ready else self._called(narrow, part, prepared, definer())
            for symbol in called:
                if symbol.path != task.change.path:  # the file's own text is in the key of stored work
                    recording.defines(symbol.path, symbol.qualified_name)
            return render_task(
                part,
                prepared.shown,
                offered,
                self.fence,
                lambda line: None if whole else innermost(outline(side), line),
                self._places(called),
            )

        child = Child(
            replace(self.setting, model=model), self.system(task.change.path), lambda: self._tools(task), text
        )
        done = child.review(task, leads)
        return replace(done, lookups=tuple(dict.fromkeys((*done.lookups, *recording.lookups()))))

    def _called(
        self, changed: Iterable[Hunk], part: ReviewTask, prepared: Prepared, definer: Definer
    ) -> tuple[Symbol, ...]:
        """The definitions that the changed lines call and the text does not show anyway."""
        path = part.change.path
        lines = (prepared.shown.line(line) for hunk in changed for line in hunk.lines if line.added or line.removed)
        return called_by(lines, path, language_of(path), definer, shown_whole(part))

    def _places(self, symbols: Iterable[Symbol]) -> list[str]:
        return [
            show_line(self.mask(f"{s.qualified_name} {show_path(s.path)}:{s.start_line}-{s.end_line}")) for s in symbols
        ]

    def _findings(
        self,
        task: ReviewTask,
        prepared: Prepared,
        standing: tuple[Hit, ...],
        leads: tuple[Lead, ...],
        reviews: list[_Review],
    ) -> tuple[Finding, ...]:
        found: list[Finding] = []
        swayed = any(hit.category in SWAYING_CATEGORIES for hit in standing)
        for review in reviews:
            assembler = Assembler(prepared, review.source, self._symbol_at(task.change), self.mask)
            submission = review.child.submission
            judged = isinstance(review.child.outcome, Reviewed)
            if swayed and review.source is FindingSource.MODEL:
                # The file talks to its reviewer: what the model leaves out says nothing about the rules' leads.
                submission, judged = replace(submission, dismissed=()), False
            # The leads of a review that a fallback did again are the fallback's to judge.
            offered = () if review is not reviews[-1] else leads
            found.extend(assembler.assemble(submission, offered, judged=judged))
            if review.source is FindingSource.RULE:
                for lead in review.child.submission.dismissed:
                    self.setting.log.record("lead_dropped", task=task.id, lead=lead.id, reason=lead.reason)
        rules = Assembler(prepared, FindingSource.RULE, self._symbol_at(task.change), self.mask)
        return deduplicate((*rules.standing(standing), *found))

    def _verified(
        self, task: ReviewTask, prepared: Prepared, findings: tuple[Finding, ...], reviews: list[_Review]
    ) -> Verified:
        symbol_at = self._symbol_at(task.change)
        verifier = Verifier(
            replace(self.setting, model=self.engines.model),
            lambda: self._tools(task),
            self.fence,
            lambda line: symbol_at(side_of(task.change), line),
            self.mask,
        )
        gone = reviews[0].child.unusable or self.engines.down
        if gone and any(map(needs_verification, findings)):
            return Verified(findings, None, f"verification failed: {gone}")
        verified = verifier.verify(task, prepared, findings)
        if verified.ended is not None and verified.ended.unusable is not None:
            self.engines.gave_out(verified.ended.unusable)
        return verified

    def _tools(self, task: ReviewTask) -> ToolBox:
        return ToolBox(self.library, self.fence, near=task.change.path)

    def _result(self, task: ReviewTask, reviews: list[_Review], verified: Verified, outcome: Outcome) -> TaskResult:
        parts: list[ChildResult | Ended[Judged]] = [review.child for review in reviews]
        if verified.ended is not None:
            parts.append(verified.ended)
        return TaskResult(
            task.id,
            task.change.path,
            outcome,
            verified.findings,
            self.mask(reviews[-1].child.submission.summary),
            sum((part.usage for part in parts), Usage()),
            sum(part.context_tokens for part in parts),
            sum(part.steps for part in parts),
            reviews[0].child.served_model,
            sum(part.compactions for part in parts),
            tuple(dict.fromkeys(denial for part in parts for denial in part.denials)),
            self.setting.budget.window,
            max(part.largest_request for part in parts),
            sum(review.child.splits for review in reviews) + verified.splits,
        )

    def _symbol_at(self, change: FileChange) -> SymbolAt:
        outline = self._outline(change)
        return cache(lambda side, line: innermost(outline(side), line))

    def _outline(self, change: FileChange) -> Callable[[Side], tuple[Symbol, ...]]:
        return outline_of(change, self.texts)


def outline_of(change: FileChange, texts: ChangeTexts) -> Callable[[Side], tuple[Symbol, ...]]:
    """The definitions of either side of a changed file, in the text as it is shown."""
    shown = texts.shown(change)

    @cache
    def outline(side: Side) -> tuple[Symbol, ...]:
        version, text = change.head if side is Side.RIGHT else change.base, shown.side(side)
        if version is None or text is None:
            return ()
        language = language_of(version.path)
        return () if language is None else symbols_of(version.path, language, text.code)

    return outline


def side_of(change: FileChange) -> Side:
    """The side that a review reads on: the head, or the base of a file that is gone."""
    return Side.LEFT if change.head is None else Side.RIGHT


def shows_all(part: ReviewTask, shown: ShownChange) -> bool:
    """Whether the hunks of a part have every line of the file that is reviewed."""
    text = shown.side(side_of(part.change))
    return text is not None and sum(hunk.span(side_of(part.change))[1] for hunk in part.hunks) == len(text.lines)


def shown_whole(part: ReviewTask) -> Callable[[Symbol], bool]:
    """Says whether the hunks of a part show every line of a definition."""
    seen = frozenset[int]().union(*(hunk.numbers(side_of(part.change)) for hunk in part.hunks))

    def is_shown(symbol: Symbol) -> bool:
        lines = range(symbol.start_line, symbol.end_line + 1)
        return symbol.path == part.change.path and seen.issuperset(lines)

    return is_shown


def leads_of(task: ReviewTask, prepared: Prepared) -> tuple[Lead, ...]:
    """The leads of a part: those it shows the first line of; what no part shows belongs to the first."""
    if not prepared.leads:
        return ()
    here, anywhere = shown_by(task.hunks), shown_by(task.change.hunks)
    return tuple(lead for lead in prepared.leads if here(lead) or (task.part == 1 and not anywhere(lead)))


def _outcome(reviews: list[_Review]) -> Outcome:
    """That of the last review; a fallback's is never more than partial."""
    last = reviews[-1]
    return _with_reasons(last.child.outcome, RULES_ONLY) if last.instead else last.child.outcome


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
        return Partial(ONLY_HUNKS)
    if prepared.stopped:
        return Partial(RULES_STOPPED)
    sides = (prepared.shown.base, prepared.shown.head)
    if all(side is None or side.longest <= MAX_LINE_CHARACTERS for side in sides):
        return outcome
    rows = (prepared.shown.line(line) for hunk in task.hunks for line in hunk.lines)
    cut = sum(len(row) > MAX_LINE_CHARACTERS for row in rows)
    return Partial(lines_cut(cut)) if cut else outcome
