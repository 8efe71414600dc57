"""The product in one page: plan, review in a bounded pool, offload, conclude."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event

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
from devpulse.pipeline.child import ChildSetting
from devpulse.pipeline.coordinator import Coordinator
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import Joiner, RunResult
from devpulse.pipeline.memo import Memo
from devpulse.pipeline.plan import PathFilter, make_plan, plan_json
from devpulse.pipeline.prepare import Prepared, prepare
from devpulse.pipeline.resume import KeyParts
from devpulse.pipeline.task_runner import TaskReference, TaskRunner
from devpulse.pipeline.texts import ChangeTexts, SideTexts
from devpulse.pipeline.tools import Library
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
    stop_after: int | None = None


@dataclass(frozen=True, slots=True)
class RunPorts:
    """The outside world of a run. ``crash`` ends the process at once, for ``--stop-after``."""

    model: ReviewModel
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
    runner = _runner(work, options, ports, texts, cancelled.is_set)
    coordinator = Coordinator()
    references: list[TaskReference] = []
    interrupt: KeyboardInterrupt | None = None
    ports.progress.started(len(plan.tasks))
    pool = ThreadPoolExecutor(options.max_parallel, thread_name_prefix="child")
    try:
        for reference in _finished(pool, runner, plan.tasks):
            references.append(reference)
            _note(reference, coordinator, ports)
            if len(references) == options.stop_after:
                ports.crash()
    except KeyboardInterrupt as signal:
        interrupt = signal
        cancelled.set()
    finally:
        pool.shutdown(wait=interrupt is None, cancel_futures=True)
        ports.progress.closed()
    joiner = Joiner(plan, work.change_set, options.policy, ports.model, ports.sink, texts)
    result = joiner.join(references, cancelled=interrupt is not None)
    ports.log.record("concluded", risk=result.report.risk, findings=len(result.report.findings))
    return replace(result, cancelled=interrupt)


def _texts(work: Work) -> ChangeTexts:
    files, fragments = work.change_set.files, work.change_set.fragments
    return ChangeTexts(
        base=SideTexts(work.base, Side.LEFT, files, work.redactor, fragments),
        head=SideTexts(work.head, Side.RIGHT, files, work.redactor, fragments),
    )


def _runner(
    work: Work, options: RunOptions, ports: RunPorts, texts: ChangeTexts, cancelled: Callable[[], bool]
) -> TaskRunner:
    system = render_system(options.instructions)
    changes = {change.path: change for change in work.change_set.files}

    def diff(path: str) -> str | None:
        change = changes.get(path)
        return None if change is None else annotate(change.hunks, texts.shown(change), lambda _line: None)

    def prepared(change: FileChange) -> Prepared:
        return prepare(change, texts, work.index)

    memo = Memo(prepared, size=2 * options.max_parallel)
    return TaskRunner(
        setting=ChildSetting(ports.model, options.budget, options.max_steps, ports.log, cancelled),
        key_parts=KeyParts(system, ports.model, options.max_steps, options.budget.window),
        fence=work.fence,
        texts=texts,
        library=Library(work.gate, work.index, texts.head.shown, diff, work.redactor.mask),
        prepared=memo,
        sink=ports.sink,
        store=ports.store,
        log=ports.log,
        mask=work.redactor.mask,
    )


def _finished(pool: ThreadPoolExecutor, runner: TaskRunner, tasks: Sequence[ReviewTask]) -> Iterator[TaskReference]:
    """References in the order the tasks end. A task's unexpected error ends the run: it is a fault of ours."""
    waiting: set[Future[TaskReference]] = {pool.submit(runner.run, task) for task in tasks}
    while waiting:
        # A time limit lets the main thread notice a signal on platforms where a bare wait does not.
        done, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


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
