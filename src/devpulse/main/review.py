"""``devpulse review`` and ``devpulse scan``: from a request to artifacts, a report and an exit status."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from devpulse.core.addresses import GITHUB_SERVER
from devpulse.core.change import ChangeSet
from devpulse.main.config import with_config
from devpulse.main.console import report_to, watch
from devpulse.main.engine import warm_up
from devpulse.main.job import Job, run_job
from devpulse.main.opening import Opened, narrowed, open_source
from devpulse.main.shares import end_of_job, shard_notice, shard_of
from devpulse.main.signals import signals_raise
from devpulse.output.characters import visible
from devpulse.output.paths import display_path
from devpulse.requests import ReviewRequest
from devpulse.settings import Settings

if TYPE_CHECKING:
    from devpulse.main.baseline import UsedBaseline


def run_review(request: ReviewRequest, environ: Mapping[str, str] | None = None) -> int:
    """Review a change or scan a folder; the exit status says how it ended.

    Raises:
        ConfigurationError: a setting, a file or a folder is not as it must be.
        SourceError: the change cannot be read.
        ArtifactError: an artifact cannot be written.
    """
    environ = os.environ if environ is None else environ
    started = time.monotonic()
    with signals_raise():
        early = Settings.load(request.flags, environ)
        warm_up(early)
        opened = open_request(request, early, environ)
        try:
            known = None if request.baseline is None else _read_baseline(request.baseline, opened.scope)
            change_set = opened.source.load()
            settings = with_config(request.flags, environ, early, opened)
            due = narrowed(change_set, opened.scope)
            shard = shard_of(settings) if request.command == "review" else None
            said = (*scope_notice(opened.scope, due, change_set), *shard_notice(shard, settings))
            progress = watch(request.progress, environ, request.color)
            job = Job(
                opened, due, settings, environ, progress, said, server_of(environ),
                started=started, shard=shard, baseline=known,
            )  # fmt: skip
            done = run_job(job)
            report_to(done.result, done.paths, as_json=request.as_json, environ=environ, color=request.color)
            if known is not None:
                known.say_stale(done.result.report)
            ended = done.result.cancelled is None and done.result.defect is None
            if request.write_baseline is not None and ended:
                from devpulse.main.baseline import write_baseline  # noqa: PLC0415  (few scans have one)

                write_baseline(request.write_baseline, done.result.report, known)
        finally:
            opened.close()
    return end_of_job(job, done.result)


def _read_baseline(name: str, scope: str) -> UsedBaseline:
    from devpulse.main.baseline import read_baseline  # noqa: PLC0415  (few scans have one)

    return read_baseline(name, scope)


def server_of(environ: Mapping[str, str]) -> str:
    """The GitHub server that artifacts link to."""
    return environ.get("GITHUB_SERVER_URL") or GITHUB_SERVER


def open_request(request: ReviewRequest, early: Settings, environ: Mapping[str, str]) -> Opened:
    """The source that a request names: a pull request by its number, else something on this machine.

    Raises:
        ConfigurationError, SourceError: it cannot be opened.
    """
    number = early.pull_request_number
    named = request.base or request.head or request.staged or request.diff is not None
    if number is None or named or request.command == "scan":
        return open_source(request, early.output_dir, environ.get("GIT_INDEX_FILE", ""))
    from devpulse.main.pull_request import open_numbered  # noqa: PLC0415  (the GitHub client is slow to import)

    return open_numbered(early, number, Path(request.path), environ).opened


def scope_notice(scope: str, due: ChangeSet, whole: ChangeSet) -> tuple[str, ...]:
    """What the reader must know when only what is below the folder ``scope`` was reviewed."""
    if not scope:
        return ()
    shown = visible(display_path(scope)).replace("\n", "\\n")
    files = f"{len(due.files):,} of {len(whole.files):,} files"
    return (f"Only what is below {shown} was reviewed, {files}; give the repository's root as PATH for all.",)
