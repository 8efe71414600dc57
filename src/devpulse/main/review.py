"""``devpulse review`` and ``devpulse scan``: from a request to artifacts, a report and an exit status."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from devpulse.adapters.artifacts import FolderSink, output_folder, relative_output
from devpulse.adapters.run_log import JsonLinesLog
from devpulse.adapters.store import FolderStore, prune
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.fence import Fence
from devpulse.core.prompt import MAX_INSTRUCTION_TOKENS, digest, render_system
from devpulse.core.redaction import Redactor
from devpulse.core.text import decode
from devpulse.core.verdict import exit_status
from devpulse.errors import ConfigurationError, ExitStatus
from devpulse.main.artifacts import write_artifacts
from devpulse.main.build import build_digest
from devpulse.main.console import report_to, watch
from devpulse.main.deadline import Deadline
from devpulse.main.engine import choose_engine, warm_up
from devpulse.main.indexing import index_of
from devpulse.main.opening import Opened, narrowed, open_source
from devpulse.main.prices import cost_of
from devpulse.main.signals import exit_status_of, signals_raise
from devpulse.main.state import state_folder
from devpulse.options import ReviewRequest
from devpulse.output.characters import visible
from devpulse.output.masked import mask_report, mask_snippets
from devpulse.output.paths import display_path
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import RunOptions, RunPorts, Work, review_change
from devpulse.settings import Settings
from devpulse.settings.config_file import check_size


def run_review(request: ReviewRequest, environ: Mapping[str, str] | None = None) -> int:
    """Review a change or scan a folder; the exit status says how it ended.

    Raises:
        ConfigurationError: a setting, a file or a folder is not as it must be.
        SourceError: the change cannot be read.
        ArtifactError: an artifact cannot be written.
    """
    environ = os.environ if environ is None else environ
    with signals_raise():
        early = Settings.load(request.flags, environ)
        warm_up(early)
        opened = open_source(request, early.output_dir)
        try:
            change_set = opened.source.load()
            settings = _with_config(request, environ, early, opened)
            due = narrowed(change_set, opened.scope)
            said = _scope_notice(opened.scope, due, change_set)
            result = _review(request, environ, settings, opened, due, said)
        finally:
            opened.close()
    if result.cancelled is not None:
        # Reviews in flight cannot be waited for: a runner kills ten seconds after its first signal.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(exit_status_of(result.cancelled))
    if result.defect is not None:
        raise result.defect
    return exit_status(result.report, fail_on=settings.fail_on, fail_on_incomplete=settings.incomplete_fails)


def _with_config(request: ReviewRequest, environ: Mapping[str, str], early: Settings, opened: Opened) -> Settings:
    """The final settings: the configuration file is read from the base side, never from the change."""
    side = opened.source.head() if opened.scans else opened.source.base()
    check_size(side.size(early.config) or 0, early.config)
    content = side.read(early.config)
    if content is None:
        if request.flags.get("config"):
            where = "in the folder" if opened.scans else "on the base side of the change"
            raise ConfigurationError(
                f"there is no file {early.config!r} {where}", hint="Leave out --config, or commit the file to the base."
            )
        return early
    return Settings.load(request.flags, environ, decode(content), early.config)


def _scope_notice(scope: str, due: ChangeSet, whole: ChangeSet) -> tuple[str, ...]:
    if not scope:
        return ()
    shown = visible(display_path(scope)).replace("\n", "\\n")
    files = f"{len(due.files):,} of {len(whole.files):,} files"
    return (f"Only what is below {shown} was reviewed, {files}; give the repository's root as PATH for all.",)


def _review(
    request: ReviewRequest,
    environ: Mapping[str, str],
    settings: Settings,
    opened: Opened,
    change_set: ChangeSet,
    said: tuple[str, ...],
) -> RunResult:
    redactor = Redactor()
    deadline = Deadline.after(settings.time_budget_minutes)
    engine = choose_engine(settings, redactor, deadline)
    folder = output_folder(opened.root, settings.output_dir, opened.tracked)
    sink = FolderSink(folder, redactor.mask)
    sink.prepare(fresh=settings.fresh)
    store = _store(settings, environ, opened.root)
    if settings.fresh:
        store.clear()
    work = _work(opened, change_set, settings, redactor)
    ports = RunPorts(
        model=engine.model,
        fallback=engine.fallback,
        sink=sink,
        log=JsonLinesLog(sink, redactor.mask),
        progress=watch(request.progress, environ),
        store=store if change_set.pull_request is None or change_set.pull_request.trusted else None,
        crash=_crash,
        stopped=deadline.stopped,
    )
    result = review_change(work, _options(settings), ports)
    result = _noted(result, settings, store, said)
    for notice in result.report.notices:
        ports.log.record("notice", text=notice)
    # Masked as data: what a renderer escapes or breaks up is no longer what the redactor knows.
    result = replace(
        result,
        report=mask_report(result.report, redactor.mask),
        snippets=mask_snippets(result.snippets, redactor.mask),
    )
    paths = write_artifacts(result, sink, sarif=settings.sarif)
    report_to(result, paths, as_json=request.as_json, environ=environ)
    return result


def _store(settings: Settings, environ: Mapping[str, str], root: Path) -> FolderStore:
    folder = state_folder(settings.state_dir, environ, root)
    prune(folder, time.time())
    return FolderStore(folder / digest(str(root.resolve())))


def _work(opened: Opened, change_set: ChangeSet, settings: Settings, redactor: Redactor) -> Work:
    head = opened.source.head()
    gate = PathGate(head.size, relative_output(opened.root, settings.output_dir))
    return Work(
        change_set=change_set,
        base=opened.source.base(),
        head=head,
        index=index_of(head, gate),
        gate=gate,
        redactor=redactor,
        fence=Fence(secrets.token_hex(8)),
    )


def _options(settings: Settings) -> RunOptions:
    try:
        render_system(settings.instructions)
    except ValueError as error:
        raise ConfigurationError(
            str(error), hint=f"Shorten them to {MAX_INSTRUCTION_TOKENS * 4} characters."
        ) from error
    return RunOptions(
        budget=ContextBudget(settings.context_window),
        max_parallel=settings.max_parallel,
        max_steps=settings.max_steps,
        instructions=settings.instructions,
        paths=PathFilter(settings.include, settings.exclude),
        policy=settings.report_policy,
        build=build_digest(),
        verify=settings.verify,
        stop_after=settings.stop_after,
    )


def _noted(result: RunResult, settings: Settings, store: FolderStore, before: tuple[str, ...]) -> RunResult:
    """Things the reader must know that stand in no row: what was reused, what was damaged, what it cost.

    ``before`` comes first, since reports that are short of room show the first ones only."""
    said = [*before]
    if result.model_down:
        said.append(f"The model was not available: {result.model_down}")
    reused = sum(row.outcome.reason == "reused" for row in result.report.coverage)
    if reused:
        files = f"{reused} of {len(result.report.coverage)} files"
        said.append(f"{files} were reviewed before and taken from the store; --fresh redoes them.")
    if store.damaged:
        entries = f"{len(store.damaged)} damaged entries of the store"
        said.append(f"{entries} were not believed; their files were reviewed again.")
    if store.unsaved:
        said.append(f"Finished work could not be stored for the next run ({store.unsaved}).")
    if result.cancelled is not None:
        said.append("The run was cancelled; run it again to resume with what is finished.")
    said += settings.notices
    cost = cost_of(result.report.usage, settings.model, settings.price_input, settings.price_output)
    return replace(result, report=replace(result.report, notices=tuple(said), cost_usd=cost))


def _crash() -> None:
    sys.stdout.flush()
    print("stopped by --stop-after, as a crash would; run it again to resume", file=sys.stderr, flush=True)  # noqa: T201  (last words)
    os._exit(ExitStatus.INTERNAL)
