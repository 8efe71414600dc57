"""The product in one page: plan, review in a bounded pool, offload, conclude."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

from devpulse.core.annotated import annotate
from devpulse.core.budget import ContextBudget
from devpulse.core.coordinator_history import COORDINATOR_TOKENS
from devpulse.core.finding import FindingSource
from devpulse.core.policy import ReportPolicy, instructions_at
from devpulse.core.prompt import render_system
from devpulse.core.riskiness import riskiest_first
from devpulse.core.sharding import Shard
from devpulse.core.symbols import SymbolSearch
from devpulse.errors import DevpulseError
from devpulse.output.paths import display_path
from devpulse.pipeline.allowance import Allowance, CountedModel
from devpulse.pipeline.conversation import ConversationSetting
from devpulse.pipeline.coordinator import Coordinator
from devpulse.pipeline.engines import Engines, no_clock
from devpulse.pipeline.file_review import Reviewer
from devpulse.pipeline.joining import Joiner, RunResult
from devpulse.pipeline.plan import PathFilter, Plan, make_plan, opened_up, plan_json, status_of
from devpulse.pipeline.pool import Pool
from devpulse.pipeline.resume import KeyParts
from devpulse.pipeline.share import Share
from devpulse.pipeline.summarizer import Summarizer
from devpulse.pipeline.task_runner import TaskReference, TaskRunner
from devpulse.pipeline.texts import ChangeTexts
from devpulse.pipeline.tools import Library, ToolBox
from devpulse.pipeline.work import Reading, Work, read_work
from devpulse.ports import ArtifactSink, Progress, ResumeStore, ReviewModel, RunLog

if TYPE_CHECKING:
    from devpulse.pipeline.conclusion import Concluder
    from devpulse.pipeline.merge import Merger, Merging

NOTES = "progress_notes.md"
CANCELLED = "cancelled"

Value = TypeVar("Value")


def _never() -> str:
    """A run without an end to its time."""
    return ""


def _nothing() -> None:
    """A run with nothing to do beside."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run was asked to do; plain values, already validated. ``build`` names the program's version exactly.
    ``model_sums_up`` lets the engine word the summaries of overgrown histories. ``token_budget`` are the tokens after
    which nothing new is begun, no task and no conclusion, ``None`` for no limit; what is begun is finished.
    ``shard`` is the share of the work that is done here: nothing is claimed of the rest, and nothing concluded.
    ``ahead`` more files than ``max_parallel`` are got ready while requests are under way, by an engine that itself
    holds requests back which are too many at once."""

    budget: ContextBudget
    max_parallel: int
    max_steps: int
    instructions: str
    paths: PathFilter
    policy: ReportPolicy
    build: str
    verify: bool = True
    stop_after: int | None = None
    model_sums_up: bool = False
    token_budget: int | None = None
    shard: Shard | None = None
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class RunPorts:
    """The outside world of a run. ``crash`` ends the process at once, for ``--stop-after``.

    ``fallback`` takes over when ``model`` is down; ``None`` when it must be that model. ``stopped``
    gives the reason why nothing new may be begun, for example a time budget, or an empty text; ``over`` the reason why
    not even the rules may. ``clock`` gives seconds and never goes back; where it stands still, an engine that is down
    is not tried again. ``meanwhile`` is called once, in a thread of its own, when the first of several
    files is done; it raises nothing.
    """

    model: ReviewModel
    fallback: ReviewModel | None
    sink: ArtifactSink
    log: RunLog
    progress: Progress
    store: ResumeStore | None
    crash: Callable[[], None]
    stopped: Callable[[], str]
    over: Callable[[], str] = _never
    clock: Callable[[], float] = no_clock
    meanwhile: Callable[[], None] = _nothing


def review_change(
    work: Work,
    options: RunOptions,
    ports: RunPorts,
    reading: Reading | None = None,
    merging: Merging | None = None,
) -> RunResult:
    """Review every file of a change and conclude.

    ``reading`` is one of the same work, its renamed files opened up, that another run has used. With ``merging``
    nothing is reviewed: the results come from shards.

    Raises:
        ModelMisconfigured: the model's key, name or permission is wrong, so that no request can succeed.
        ConfigurationError: there is nothing to merge.

    A cancelled run (``KeyboardInterrupt``) still concludes with what it has; ``RunResult.cancelled``
    is then the signal's exception and everything unfinished is skipped with that reason.
    """
    work = replace(work, change_set=opened_up(work.change_set, work.head))
    options = replace(options, budget=options.budget.for_a_run())
    allowance = Allowance(options.token_budget, guess=options.budget.window)
    ports = _counted(ports, allowance)
    plan = make_plan(work.change_set.files, options.budget.planned_content, options.paths)
    merger = None if merging is None else merging.merger(plan, work.change_set, ports, allowance)
    share = Share.of(plan, work.change_set, options.shard, ports)
    plan = share.plan
    _announce(plan, work.change_set.rung, ports, merger)
    cancelled = Event()
    reading = reading or read_work(work, keep=2 * options.max_parallel)
    reviewer = _reviewer(
        work, options, ports, reading.texts, lambda: CANCELLED if cancelled.is_set() else ports.stopped()
    )
    coordinator = _coordinator(work, options, ports, reviewer, allowance)
    interrupt = _learn_secrets(reading.texts)
    tasks = riskiest_first(plan.tasks) if interrupt is None else ()
    if ports.model.source is FindingSource.MODEL and tasks and merger is None:
        _prepare_aside(work.index)
    runner = merger or _runner(options, ports, reviewer, reading, allowance)
    pool = Pool(runner, tasks, options.max_parallel, lambda task: ports.progress.began(task.change.path), options.ahead)
    interrupt = _drive(pool, coordinator, options, ports, cancelled) or interrupt
    statuses = {r.task.id: (status_of(r.outcome), r.line) for r in coordinator.references}
    joiner = Joiner(plan, share.due, options.policy, ports.model, ports.sink, reading.texts)

    def joined() -> RunResult:
        ports.sink.write("plan.json", plan_json(plan, display_path, statuses))
        return joiner.join(coordinator.references, cancelled=interrupt is not None)

    result, late = _despite_signal(joined)
    interrupt = interrupt or late
    result = replace(result, report=coordinator.charged(result.report), model_down=reviewer.engines.outage)
    result = merger.signed(result) if merger is not None else result
    if interrupt is None and share.concludes(result) and not reviewer.engines.failing:
        concluder = _concluder(work, options, ports, reviewer, allowance)
        result, interrupt = _concluded(result, coordinator, concluder)
    result = _charged(result, allowance, ports)
    if interrupt is None:
        _, interrupt = _despite_signal(lambda: share.end(coordinator.references, result))
    return replace(result, cancelled=interrupt, defect=pool.defect)


def _announce(plan: Plan, rung: str, ports: RunPorts, merger: Merger | None) -> None:
    ports.sink.write("plan.json", plan_json(plan, display_path))
    ports.log.record("planned", tasks=len(plan.tasks), skipped=len(plan.skipped), rung=rung)
    if merger is not None:
        merger.begin()


def _charged(result: RunResult, allowance: Allowance, ports: RunPorts) -> RunResult:
    """The result with what the run cost: not the sum of the tasks, since one that an error ended, or a signal cut off,
    has been paid for too."""
    usage = allowance.reported
    ports.log.record("concluded", risk=result.report.risk, findings=len(result.report.findings))
    return replace(result, report=replace(result.report, usage=usage, cost_usd=usage.cost))


def _counted(ports: RunPorts, allowance: Allowance) -> RunPorts:
    """The outside world with its engines counted."""
    fallback = ports.fallback
    return replace(
        ports,
        model=CountedModel(ports.model, allowance),
        fallback=None if fallback is None else CountedModel(fallback, allowance),
    )


def _prepare_aside(index: SymbolSearch) -> None:
    """Have the index read in a thread that nobody waits for: a model's first request names what the changed lines
    call if it is ready by then. The thread may outlive the run, with the repository closed under it."""

    def prepare() -> None:
        # Who asks the index in earnest is told. RuntimeError: nothing can be started while the interpreter ends.
        with suppress(DevpulseError, OSError, ValueError, RuntimeError):
            index.prepare()

    Thread(target=prepare, name="index", daemon=True).start()


def _coordinator(
    work: Work, options: RunOptions, ports: RunPorts, reviewer: Reviewer, allowance: Allowance
) -> Coordinator:
    def stopped() -> str:
        return reviewer.engines.down or reviewer.setting.stopped() or allowance.stopped()

    summarizer = Summarizer(ports.model, options.budget, ports.log, stopped)
    return Coordinator(
        ports.sink,
        ports.log,
        work.fence,
        min(COORDINATOR_TOKENS, options.budget.history),
        summarizer if options.model_sums_up else None,
    )


def _despite_signal(step: Callable[[], Value]) -> tuple[Value, KeyboardInterrupt | None]:
    """What a step gives that may be done twice: a signal in the middle of it must not lose what is finished."""
    try:
        return step(), None
    except KeyboardInterrupt as signal:
        return step(), signal


def _learn_secrets(texts: ChangeTexts) -> KeyboardInterrupt | None:
    """Know every secret of the change before any of its files is shown anywhere."""
    try:
        texts.head.learn()
        texts.base.learn()
    except KeyboardInterrupt as signal:
        return signal
    return None


def _drive(
    pool: Pool, coordinator: Coordinator, options: RunOptions, ports: RunPorts, cancelled: Event
) -> KeyboardInterrupt | None:
    """Run the pool to its end, or to the signal that ends it, which is given back.

    Whatever ends it early sets ``cancelled``, so that no child asks for more."""

    def end() -> None:
        pool.close()
        ports.progress.closed()

    interrupt, whole = None, False
    try:
        ports.progress.started(pool.size)
        for reference in pool.finished():
            _note(reference, coordinator, ports)
            coordinator.compact()
            if len(coordinator.references) == options.stop_after:
                ports.progress.closed()  # a crash leaves no display behind that hides the cursor
                ports.crash()
            if len(coordinator.references) == 1 < pool.size and options.stop_after is None:
                # Not in this thread: a signal that meets it in the middle of an import can leave the import lock held.
                Thread(target=ports.meanwhile, name="meanwhile", daemon=True).start()
        whole = True
    except KeyboardInterrupt as signal:
        cancelled.set()
        interrupt = signal
        _despite_signal(lambda: _note_the_rest(pool, coordinator, ports))
    finally:
        if not whole:
            cancelled.set()
        _, late = _despite_signal(end)
    return interrupt or late


def _note_the_rest(pool: Pool, coordinator: Coordinator, ports: RunPorts) -> None:
    """Note what has ended by now, and wait for nothing more."""
    known = {reference.task.id for reference in coordinator.references}
    for reference in pool.abandon():
        if reference.task.id not in known:
            _note(reference, coordinator, ports)


def _concluder(work: Work, options: RunOptions, ports: RunPorts, reviewer: Reviewer, allowance: Allowance) -> Concluder:
    from devpulse.pipeline.conclusion import Concluder  # noqa: PLC0415  (not before everything is reviewed)

    tools = ToolBox(reviewer.library, work.fence, near="")
    # Like a task it is let in once, now; a conclusion that is stored costs nothing and is taken all the same.
    refused = allowance.stopped()
    setting = replace(reviewer.setting, stopped=lambda: refused or reviewer.setting.stopped())
    return Concluder(setting, tools, work.fence, work.redactor.mask, ports.store, options.build)


def _concluded(
    result: RunResult, coordinator: Coordinator, concluder: Concluder
) -> tuple[RunResult, KeyboardInterrupt | None]:
    """The result with the model's conclusion; without it when a signal comes first."""
    coordinator.concluding()
    try:
        return replace(result, report=concluder.conclude(result.report, coordinator.context())), None
    except KeyboardInterrupt as signal:
        return result, signal


def _reviewer(
    work: Work, options: RunOptions, ports: RunPorts, texts: ChangeTexts, stopped: Callable[[], str]
) -> Reviewer:
    changes = {change.path: change for change in work.change_set.files}

    def diff(path: str) -> str | None:
        change = changes.get(path)
        return None if change is None else annotate(change.hunks, texts.shown(change), lambda _line: None)

    return Reviewer(
        engines=Engines(ports.model, ports.fallback, ports.log, ports.clock),
        setting=ConversationSetting(
            ports.model, options.budget, options.max_steps, ports.log, stopped, options.model_sums_up
        ),
        system=lambda path: render_system(instructions_at(options.instructions, options.policy.path_rules, path)),
        verifies=options.verify,
        fence=work.fence,
        texts=texts,
        library=Library(work.gate, work.index, texts.head.shown, diff, work.redactor.mask),
        mask=work.redactor.mask,
    )


def _runner(
    options: RunOptions, ports: RunPorts, reviewer: Reviewer, reading: Reading, allowance: Allowance
) -> TaskRunner:
    return TaskRunner(
        reviewer=reviewer,
        allowance=allowance,
        key_parts=KeyParts(
            ports.model,
            options.max_steps,
            options.budget.window,
            options.verify,
            options.build,
            options.model_sums_up,
        ),
        prepared=reading.prepared,
        over=ports.over,
        sink=ports.sink,
        store=ports.store,
        log=ports.log,
    )


def _note(reference: TaskReference, coordinator: Coordinator, ports: RunPorts) -> None:
    task = reference.task
    coordinator.task_finished(reference)
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
