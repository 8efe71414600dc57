"""``devpulse merge``: the artifacts of all shards become those of one run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from devpulse.adapters.shard_folders import shard_folders
from devpulse.errors import ConfigurationError
from devpulse.main.config import with_config
from devpulse.main.console import report_to, watch
from devpulse.main.engine import warm_up
from devpulse.main.job import Job, end_of, run_job
from devpulse.main.opening import narrowed
from devpulse.main.review import open_request, scope_notice, server_of
from devpulse.main.signals import signals_raise
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.merge import Merging
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work
from devpulse.requests import MergeRequest
from devpulse.settings import Settings


def run_merge(request: MergeRequest, environ: Mapping[str, str] | None = None) -> int:
    """Join the shards of a change and report on the whole; the exit status is that of one machine's review.

    Raises:
        ConfigurationError: a setting, a file or a folder is not as it must be, or there is no shard.
        SourceError: the change cannot be read.
        ArtifactError: an artifact cannot be written.
    """
    environ = os.environ if environ is None else environ
    started = time.monotonic()
    asked = request.review
    with signals_raise():
        early = Settings.load(asked.flags, environ)
        merge = merging(request.folders, early, Path(asked.path))
        warm_up(early)
        opened = open_request(asked, early, environ)
        try:
            change_set = opened.source.load()
            settings = kept_settings(with_config(asked.flags, environ, early, opened))
            due = narrowed(change_set, opened.scope)
            said = scope_notice(opened.scope, due, change_set)
            progress = watch(asked.progress, environ, asked.color)
            job = Job(opened, due, settings, environ, progress, said, server_of(environ), merge, started)
            done = run_job(job)
            report_to(done.result, done.paths, as_json=asked.as_json, environ=environ, color=asked.color)
        finally:
            opened.close()
    return end_of(done.result, settings)


def merging(
    names: Iterable[str], settings: Settings, root: Path, base: Path = Path()
) -> Callable[[Work, RunOptions, RunPorts], RunResult]:
    """What a job does in place of reviewing: take the results from folders. Relative names start from ``base``.

    ``root`` is the folder that artifacts go below.

    Raises:
        ConfigurationError: a name is no folder, or is the one that is written to.
    """
    folders = shard_folders(names, base)
    target = (root / settings.output_dir).resolve()
    for each in folders:
        place = each.folder.resolve()
        if place == target or target in place.parents or place in target.parents:
            raise ConfigurationError(
                f"the folder {each.name!r} is where the merged artifacts would go",
                hint="Keep those of the shards apart, or choose another folder with --output-dir.",
            )
    merge = Merging(folders, settings.shards)
    return lambda work, options, ports: review_change(work, options, ports, merging=merge)


def kept_settings(settings: Settings) -> Settings:
    """Settings without what a merge has no part in: it clears no store, and stops after no task."""
    return replace(settings, fresh=False, stop_after=None)
