"""``devpulse review`` and ``devpulse scan``: from a request to artifacts, a report and an exit status."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from devpulse.adapters.artifacts import FolderSink, output_folder
from devpulse.adapters.run_log import JsonLinesLog
from devpulse.adapters.store import FolderStore
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.fence import Fence
from devpulse.core.index import SymbolIndex
from devpulse.core.prompt import MAX_INSTRUCTION_TOKENS, digest, render_system
from devpulse.core.redaction import Redactor
from devpulse.core.text import decode
from devpulse.core.verdict import exit_status
from devpulse.errors import ConfigurationError
from devpulse.main.artifacts import write_artifacts
from devpulse.main.console import report_to, watch
from devpulse.main.engine import choose_engine, warm_up
from devpulse.main.opening import Opened, open_source
from devpulse.main.prices import cost_of
from devpulse.main.signals import exit_status_of, signals_raise
from devpulse.main.state import state_folder
from devpulse.options import ReviewRequest
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import RunOptions, RunPorts, Work, review_change
from devpulse.ports import SourceTree
from devpulse.settings import Settings

CRASH_STATUS = 70


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
            result = _review(request, environ, settings, opened, change_set)
        finally:
            opened.close()
    if result.cancelled is not None:
        # Reviews in flight cannot be waited for: a runner kills ten seconds after its first signal.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(exit_status_of(result.cancelled))
    return exit_status(result.report, fail_on=settings.fail_on, fail_on_incomplete=settings.incomplete_fails)


def _with_config(request: ReviewRequest, environ: Mapping[str, str], early: Settings, opened: Opened) -> Settings:
    """The final settings: the configuration file is read from the base side, never from the change."""
    side = opened.source.head() if opened.scans else opened.source.base()
    content = side.read(early.config)
    if content is None:
        if request.flags.get("config"):
            where = "in the folder" if opened.scans else "on the base side of the change"
            raise ConfigurationError(
                f"there is no file {early.config!r} {where}", hint="Leave out --config, or commit the file to the base."
            )
        return early
    return Settings.load(request.flags, environ, decode(content), early.config)


def _review(
    request: ReviewRequest, environ: Mapping[str, str], settings: Settings, opened: Opened, change_set: ChangeSet
) -> RunResult:
    redactor = Redactor()
    engine = choose_engine(settings, redactor)
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
    )
    result = review_change(work, _options(settings), ports)
    result = _noted(result, settings, store)
    paths = write_artifacts(result, sink, sarif=settings.sarif)
    report_to(result, paths, as_json=request.as_json, environ=environ)
    return result


def _store(settings: Settings, environ: Mapping[str, str], root: Path) -> FolderStore:
    return FolderStore(state_folder(settings.state_dir, environ, root) / digest(str(root.resolve())))


def _work(opened: Opened, change_set: ChangeSet, settings: Settings, redactor: Redactor) -> Work:
    head = opened.source.head()
    gate = PathGate(head.size, settings.output_dir)
    return Work(
        change_set=change_set,
        base=opened.source.base(),
        head=head,
        index=index_of(head, gate),
        gate=gate,
        redactor=redactor,
        fence=Fence(secrets.token_hex(8)),
    )


def index_of(tree: SourceTree, gate: PathGate) -> SymbolIndex:
    """An index over what the gate lets children see."""

    def paths() -> list[str]:
        return [path for path in tree.paths() if gate.allows(path)]

    return SymbolIndex(paths, tree.read, getattr(tree, "read_many", None), tree.size)


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
        verify=settings.verify,
        stop_after=settings.stop_after,
    )


def _noted(result: RunResult, settings: Settings, store: FolderStore) -> RunResult:
    """Things the reader must know that stand in no row: what was reused, what was damaged, what it cost."""
    said = []
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
    cost = cost_of(result.report.usage, settings.model, settings.price_input, settings.price_output)
    return replace(result, report=replace(result.report, notices=tuple(said), cost_usd=cost))


def _crash() -> None:
    sys.stdout.flush()
    print("stopped by --stop-after, as a crash would; run it again to resume", file=sys.stderr, flush=True)  # noqa: T201  (last words)
    os._exit(CRASH_STATUS)
