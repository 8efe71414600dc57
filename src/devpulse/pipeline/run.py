"""The product in one page: plan, review in a bounded pool, offload, conclude."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from threading import Event
from typing import Self

from devpulse.core.annotated import annotate
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet, FileChange, Side
from devpulse.core.fence import Fence
from devpulse.core.policy import ReportPolicy
from devpulse.core.prompt import render_system
from devpulse.core.redaction import Redactor
from devpulse.core.review import ReviewTask
from devpulse.core.symbols import SymbolSearch
from devpulse.output.paths import display_path
from devpulse.pipeline.conclusion import Concluder
from devpulse.pipeline.conversation import ConversationSetting
from devpulse.pipeline.coordinator import Coordinator
from devpulse.pipeline.engines import Engines
from devpulse.pipeline.file_review import Reviewer
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import Joiner, RunResult
from devpulse.pipeline.memo import Memo
from devpulse.pipeline.plan import PathFilter, make_plan, plan_json
from devpulse.pipeline.prepare import Prepared, prepare
from devpulse.pipeline.resume import KeyParts
from devpulse.pipeline.task_runner import TaskReference, TaskRunner
from devpulse.pipeline.texts import ChangeTexts, SideTexts
from devpulse.pipeline.tools import Library, ToolBox
from devpulse.ports import ArtifactSink, Progress, ResumeStore, ReviewModel, RunLog, SourceTree

NOTES = "progress_notes.md"
_CONTENT_MARGIN_PERCENT = 90
"""Parts are planned a little below their share: headings and escapes of hidden characters come on top."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run was asked to do; plain values, already validated."""

    budget: ContextBudget
    max_parallel: int
    max_steps: int
    instructions: str
    paths: PathFilter
    policy: ReportPolicy
    verify: bool = True
    stop_after: int | None = None


@dataclass(frozen=True, slots=True)
class RunPorts:
    """The outside world of a run. ``crash`` ends the process at once, for ``--stop-after``.

    ``fallback`` takes over when ``model`` is down; ``None`` when it must be that model.
    """

    model: ReviewModel
    fallback: ReviewModel | None
    sink: ArtifactSink
    log: RunLog
    progress: Progress
    store: ResumeStore | None
    crash: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Work:
    """The change under review and everything that can be asked about it."""

    change_set: ChangeSet
    base: SourceTree
    head: SourceTree
    index: SymbolSearch
    gate: PathGate
    redactor: Redactor
    fence: Fence


def review_change(work: Work, options: RunOptions, ports: RunPorts) -> RunResult:
    """Review every file of a change and conclude.

    Raises:
        ModelMisconfigured: the model's key, name or permission is wrong, so that no request can succeed.

    A cancelled run (``KeyboardInterrupt``) still concludes with what it has; ``RunResult.cancelled``
    is then the signal's exception and everything unfinished is skipped with that reason.
    """
    plan = make_plan(
        work.change_set.files, options.budget.active_content * _CONTENT_MARGIN_PERCENT // 100, options.paths
    )
    ports.sink.write("plan.json", plan_json(plan, display_path))
    ports.log.record("planned", tasks=len(plan.tasks), skipped=len(plan.skipped), rung=work.change_set.rung)
    cancelled = Event()
    texts = _texts(work)
    reviewer = _reviewer(work, options, ports, texts, cancelled.is_set)
    runner = _runner(work, options, ports, reviewer)
    coordinator = Coordinator()
    references: list[TaskReference] = []
    interrupt: KeyboardInterrupt | None = None
    ports.progress.started(len(plan.tasks))
    with _Pool(runner, plan.tasks, options.max_parallel) as pool:
        try:
            for reference in pool.finished():
                references.append(reference)
                _note(reference, coordinator, ports)
                if len(references) == options.stop_after:
                    ports.crash()
        except KeyboardInterrupt as signal:
            interrupt = signal
            cancelled.set()
            known = {reference.task.id for reference in references}
            references += [late for late in pool.abandon() if late.task.id not in known]
        finally:
            ports.progress.closed()
    joiner = Joiner(plan, work.change_set, options.policy, ports.model, ports.sink, texts)
    result = joiner.join(references, cancelled=interrupt is not None)
    if interrupt is None and not reviewer.engines.down:
        tools = ToolBox(reviewer.library, work.fence, near="")
        concluder = Concluder(reviewer.setting, tools, work.fence, work.redactor.mask)
        result = replace(result, report=concluder.conclude(result.report, coordinator.decisions()))
    ports.log.record("concluded", risk=result.report.risk, findings=len(result.report.findings))
    return replace(result, cancelled=interrupt, model_down=reviewer.engines.down)


def _texts(work: Work) -> ChangeTexts:
    files, fragments = work.change_set.files, work.change_set.fragments
    return ChangeTexts(
        base=SideTexts(work.base, Side.LEFT, files, work.redactor, fragments),
        head=SideTexts(work.head, Side.RIGHT, files, work.redactor, fragments),
    )


def _reviewer(
    work: Work, options: RunOptions, ports: RunPorts, texts: ChangeTexts, cancelled: Callable[[], bool]
) -> Reviewer:
    changes = {change.path: change for change in work.change_set.files}

    def diff(path: str) -> str | None:
        change = changes.get(path)
        return None if change is None else annotate(change.hunks, texts.shown(change), lambda _line: None)

    return Reviewer(
        engines=Engines(ports.model, ports.fallback, ports.log),
        setting=ConversationSetting(ports.model, options.budget, options.max_steps, ports.log, cancelled),
        system=render_system(options.instructions),
        verifies=options.verify,
        fence=work.fence,
        texts=texts,
        library=Library(work.gate, work.index, texts.head.shown, diff, work.redactor.mask),
        mask=work.redactor.mask,
    )


def _runner(work: Work, options: RunOptions, ports: RunPorts, reviewer: Reviewer) -> TaskRunner:
    def prepared(change: FileChange) -> Prepared:
        return prepare(change, reviewer.texts, work.index)

    return TaskRunner(
        reviewer=reviewer,
        key_parts=KeyParts(reviewer.system, ports.model, options.max_steps, options.budget.window, options.verify),
        prepared=Memo(prepared, size=2 * options.max_parallel),
        sink=ports.sink,
        store=ports.store,
        log=ports.log,
    )


class _Pool:
    """The bounded pool over the tasks of a plan. Leaving it waits for its threads unless it was abandoned."""

    def __init__(self, runner: TaskRunner, tasks: Sequence[ReviewTask], size: int) -> None:
        self._executor = ThreadPoolExecutor(size, thread_name_prefix="child")
        self._futures = [self._executor.submit(runner.run, task) for task in tasks]
        self._waits = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._executor.shutdown(wait=self._waits, cancel_futures=True)

    def finished(self) -> Iterator[TaskReference]:
        """References in the order the tasks end. A task's unexpected error ends the run: it is a fault of ours."""
        return (future.result() for future in as_completed(self._futures))

    def abandon(self) -> list[TaskReference]:
        """Start nothing more, wait for nothing; gives what is finished at this moment."""
        self._waits = False
        for future in self._futures:
            future.cancel()
        done = [future for future in self._futures if future.done() and not future.cancelled()]
        return [future.result() for future in done if future.exception() is None]


def _note(reference: TaskReference, coordinator: Coordinator, ports: RunPorts) -> None:
    task = reference.task
    coordinator.task_finished(task.change.path, reference.line, reference.level)
    ports.sink.append(
        NOTES, f"DONE {json.dumps(display_path(task.change.path))} level={reference.level} task={task.id}"
    )
    ports.log.record(
        "task_finished",
        task=task.id,
        outcome=type(reference.outcome).__name__.lower(),
        reason=reference.outcome.reason,
        result=reference.line,
        tokens=reference.tokens,
    )
    ports.progress.finished(task.change.path, reference.outcome, reference.findings, reference.level, reference.tokens)
