"""The middle of every command that reviews: from an opened change to written artifacts."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from devpulse.adapters.artifacts import FolderSink, output_folder, relative_output
from devpulse.adapters.masked_progress import MaskedProgress
from devpulse.adapters.masked_store import MaskedStore
from devpulse.adapters.output_lock import OutputLock, lock_output
from devpulse.adapters.run_log import JsonLinesLog
from devpulse.adapters.scratch_folder import remove_abandoned
from devpulse.adapters.store import FolderStore, prune
from devpulse.core.addresses import GITHUB_SERVER
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.fence import Fence
from devpulse.core.prompt import MAX_INSTRUCTION_TOKENS, digest, render_system
from devpulse.core.redaction import Redactor
from devpulse.core.sharding import Shard
from devpulse.core.verdict import exit_status
from devpulse.errors import ConfigurationError, ExitStatus
from devpulse.main.build import build_digest
from devpulse.main.deadline import Deadline
from devpulse.main.engine import Chosen, choose_engine
from devpulse.main.indexing import index_of
from devpulse.main.opening import Opened
from devpulse.main.own_secrets import learn_own_secrets
from devpulse.main.signals import exit_status_of, signals_wait
from devpulse.main.state import state_folder
from devpulse.main.window import window_notice, window_of
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import NOTES, RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work
from devpulse.ports import Progress
from devpulse.settings import Settings

if TYPE_CHECKING:
    from devpulse.main.baseline import UsedBaseline

_HOW_TO_RESUME = {
    False: "run it again to resume with what is finished",
    True: "run it again without --fresh to resume with what is finished",
}


@dataclass(frozen=True, slots=True)
class Job:
    """A change that is opened and loaded, and how it is to be reviewed.

    ``notices`` come first in the report: what the reader must know about the change as a whole.
    ``server_url`` is the GitHub server that the artifacts link to, ``review`` what is done with the change.
    ``started`` is when the time of the run began to count, a reading of ``time.monotonic``. ``shard`` is the share of
    the work that is done here, ``None`` for all of it. ``decided`` applies what people decided about findings.
    ``baseline`` lists findings that are known.
    """

    opened: Opened
    change_set: ChangeSet
    settings: Settings
    environ: Mapping[str, str]
    progress: Progress
    notices: tuple[str, ...] = ()
    server_url: str = GITHUB_SERVER
    review: Callable[[Work, RunOptions, RunPorts], RunResult] = review_change
    started: float = field(default_factory=time.monotonic)
    shard: Shard | None = None
    decided: Callable[[RunResult], RunResult] = lambda result: result
    baseline: UsedBaseline | None = None

    @property
    def deadline(self) -> Deadline:
        """The end of the run's time."""
        return Deadline.after(self.settings.time_budget_minutes, started=self.started)


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: the masked result, the path of each artifact by what it is, and where more can be written.

    No other run gets into the output folder until this is dropped, with ``lock``.
    """

    result: RunResult
    paths: Mapping[str, str]
    sink: FolderSink
    log: JsonLinesLog
    lock: OutputLock


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where a run keeps what it does: artifacts and log in a locked folder, finished work in the store."""

    sink: FolderSink
    store: FolderStore
    state: Path
    lock: OutputLock
    log: JsonLinesLog


def run_job(job: Job) -> Done:
    """Review the change and write the artifacts.

    Raises:
        OutputFolderInUse: another run is at work in the output folder.
        ConfigurationError: a setting or a folder is not as it must be.
        ArtifactError: an artifact cannot be written.
        ModelMisconfigured: the model's key, name or permission is wrong.
    """
    settings = job.settings
    redactor = Redactor()
    learn_own_secrets(settings, job.environ, redactor)
    deadline = job.deadline
    engine = choose_engine(settings, deadline)
    remove_abandoned(time.time())
    folder = output_folder(job.opened.root, settings.output_dir, job.opened.tracked)
    lock = lock_output(folder)
    with ExitStack() as undo:
        undo.callback(lock.release)
        kept = _kept(job, folder, lock, redactor)
        ports = RunPorts(
            model=engine.model,
            fallback=engine.fallback,
            sink=kept.sink,
            log=kept.log,
            progress=MaskedProgress(job.progress, redactor.mask),
            store=MaskedStore(kept.store, redactor.mask) if _is_trusted(job.change_set) else None,
            crash=_crash,
            stopped=deadline.stopped,
            over=deadline.over,
            clock=deadline.clock,
            meanwhile=_load_reports,
        )
        result = _decided(job, job.review(_work(job, redactor), _options(job, engine), ports))
        if engine.pacer is not None and engine.pacer.refused:
            kept.log.record("asked_too_much", refused=engine.pacer.refused, least_parallel=engine.pacer.least)
        with signals_wait():  # what is finished is written down first
            done = _written(job, result, kept, redactor)
            if result.cancelled is None:
                prune(kept.state, time.time())  # last of all: nothing of the run waits for it
        undo.pop_all()
    return done


def _load_reports() -> None:
    """Import what writes the reports, so that it is there when the last answer is."""
    # What is missing is told when it is needed: until then the review goes on.
    with suppress(ImportError, OSError):
        from devpulse.main.artifacts import load_renderers  # noqa: PLC0415  (nothing of a report is needed before)

        load_renderers()


def _decided(job: Job, result: RunResult) -> RunResult:
    """The result with what people decided. A signal while GitHub is asked cancels the run, and every finding counts."""
    try:
        return job.decided(result)
    except KeyboardInterrupt as signal:
        from devpulse.output.comments.decisions import NOT_KNOWN  # noqa: PLC0415  (nobody is asked before)

        said = f"{NOT_KNOWN}: the run was cancelled before GitHub told."
        report = replace(result.report, notices=(*result.report.notices, said))
        return replace(result, report=report, cancelled=signal)


def _kept(job: Job, folder: Path, lock: OutputLock, redactor: Redactor) -> _Kept:
    settings = job.settings
    sink = FolderSink(folder, redactor.mask)
    sink.prepare(fresh=settings.fresh)
    log = JsonLinesLog(sink, redactor.mask)
    for name, size in sink.torn.items():
        log.record("torn_line_removed", file=name, bytes=size)
    state = state_folder(settings.state_dir, job.environ, job.opened.root)
    store = FolderStore(state / digest(str(job.opened.root.resolve())))
    if settings.fresh:
        store.clear()
    return _Kept(sink, store, state, lock, log)


def _is_trusted(change_set: ChangeSet) -> bool:
    return change_set.pull_request is None or change_set.pull_request.trusted


def _written(job: Job, result: RunResult, kept: _Kept, redactor: Redactor) -> Done:
    from devpulse.main.artifacts import write_artifacts  # noqa: PLC0415  (nothing of a report is needed before)
    from devpulse.output.masked import mask_report, mask_snippets  # noqa: PLC0415  (as above)

    settings = job.settings
    known = () if job.baseline is None else job.baseline.notices(result.report)
    result = _noted(result, settings, kept, (*job.notices, *known))
    for notice in result.report.notices:
        kept.log.record("notice", text=notice)
    # Masked as data: what a renderer escapes or breaks up is no longer what the redactor knows.
    result = replace(
        result,
        report=mask_report(result.report, redactor.mask),
        snippets=mask_snippets(result.snippets, redactor.mask),
    )
    paths = write_artifacts(result, kept.sink, sarif=settings.sarif, server_url=job.server_url)
    return Done(result, paths, kept.sink, kept.log, kept.lock)


def end_of(result: RunResult, settings: Settings, *, resumes: bool = True) -> int:
    """The exit status of a finished run; a cancelled one ends the process here, an unforeseen error is raised.

    ``resumes``: a later run takes over what this one has finished."""
    if result.cancelled is not None:
        # Reviews in flight cannot be waited for: a runner kills ten seconds after its first signal.
        sys.stdout.flush()
        print(f"interrupted: {_HOW_TO_RESUME[settings.fresh] if resumes else 'run it again'}", file=sys.stderr)  # noqa: T201  (last words)
        sys.stderr.flush()
        os._exit(exit_status_of(result.cancelled))
    if result.defect is not None:
        raise result.defect
    return exit_status(result.report, fail_on=settings.fail_on, fail_on_incomplete=settings.incomplete_fails)


def _work(job: Job, redactor: Redactor) -> Work:
    head = job.opened.source.head()
    gate = PathGate(head.size, relative_output(job.opened.root, job.settings.output_dir), head.paths)
    return Work(
        change_set=job.change_set,
        base=job.opened.source.base(),
        head=head,
        index=index_of(head, gate),
        gate=gate,
        redactor=redactor,
        fence=Fence(secrets.token_hex(8)),
    )


def _options(job: Job, engine: Chosen) -> RunOptions:
    settings, shard = job.settings, job.shard
    try:
        render_system(settings.instructions)
    except ValueError as error:
        raise ConfigurationError(
            str(error), hint=f"Shorten them to {MAX_INSTRUCTION_TOKENS * 4} characters."
        ) from error
    return RunOptions(
        budget=ContextBudget(window_of(settings)),
        max_parallel=engine.at_once(settings.max_parallel),
        max_steps=settings.max_steps,
        instructions=settings.instructions,
        paths=PathFilter(settings.include, settings.exclude),
        # A scan has no base but the folder itself.
        policy=replace(
            settings.report_policy,
            allow_new_suppressions=settings.allow_new_suppressions or job.opened.scans,
            baseline=frozenset[str]() if job.baseline is None else job.baseline.baseline.fingerprints,
        ),
        build=build_digest(),
        verify=settings.verify,
        stop_after=settings.stop_after,
        model_sums_up=settings.summarize == "model",
        token_budget=_budget_of(settings.token_budget, shard),
        shard=shard,
        # The pacer lets no more than max-parallel requests out; as many children are ready when answers come together.
        ahead=0 if engine.pacer is None else settings.max_parallel,
    )


def _budget_of(tokens: int | None, shard: Shard | None) -> int | None:
    """What one machine may use of the tokens of a run: shards are alike in size, so are their parts of it."""
    return tokens if tokens is None or shard is None else max(1, tokens // shard.of)


def _noted(result: RunResult, settings: Settings, kept: _Kept, before: tuple[str, ...]) -> RunResult:
    """Things the reader must know that stand in no row: what was reused, what was damaged, what it cost.

    ``before`` comes first, since reports that are short of room show the first ones only."""
    said = [*before, *result.report.notices]
    if result.model_down:
        said.append(f"The model was not available: {result.model_down}")
    reused = sum(row.outcome.reason == "reused" for row in result.report.coverage)
    if reused:
        files = f"{reused} of {len(result.report.coverage)} files"
        said.append(f"{files} were reviewed before and taken from the store; --fresh redoes them.")
    if kept.store.damaged:
        entries = f"{len(kept.store.damaged)} damaged entries of the store"
        said.append(f"{entries} were not believed; their files were reviewed again.")
    if kept.store.unsaved:
        said.append(f"Finished work could not be stored for the next run ({kept.store.unsaved}).")
    if kept.sink.altered:
        said.append(
            f"{NOTES} was altered at line {kept.sink.altered}: it was not believed and was written anew. "
            "What is finished is known from the store."
        )
    if kept.lock.missing:
        said.append(
            f"The output folder could not be locked ({kept.lock.missing}): make sure that no other run uses it."
        )
    if result.cancelled is not None:
        said.append(f"The run was cancelled; {_HOW_TO_RESUME[settings.fresh]}.")
    said += (window_notice(settings), *settings.notices)
    return replace(result, report=replace(result.report, notices=tuple(filter(None, said))))


def _crash() -> None:
    sys.stdout.flush()
    print("stopped by --stop-after, as a crash would; run it again to resume", file=sys.stderr, flush=True)  # noqa: T201  (last words)
    os._exit(ExitStatus.INTERNAL)
