"""Sharing a review out: the plan of a command, and what a shard and a merge say and exit with."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from devpulse.adapters.artifacts import FolderSink, output_folder
from devpulse.adapters.output_lock import lock_output
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.redaction import Redactor
from devpulse.core.sharding import Shard
from devpulse.core.verdict import nothing_reviewed
from devpulse.errors import ConfigurationError, ExitStatus
from devpulse.main.job import Job, end_of
from devpulse.main.opening import Opened
from devpulse.main.own_secrets import learn_own_secrets
from devpulse.main.window import window_of
from devpulse.output.coverage import plural
from devpulse.output.paths import display_path
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import PathFilter, make_plan, opened_up, plan_json
from devpulse.pipeline.shards import ShardLoad, loads_of, matrix_of, shards_of
from devpulse.settings import Settings


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan that is written. ``skipped`` counts the files that need no task."""

    path: str
    loads: tuple[ShardLoad, ...]
    skipped: int

    @property
    def matrix(self) -> str:
        """For ``fromJSON`` in the ``strategy`` of a workflow, on one line."""
        return json.dumps(matrix_of(self.loads), separators=(",", ":"))

    def to_text(self) -> str:
        """A table for people."""
        rows = [
            *(f"shard {each.shard}: {plural(each.tasks, 'task')}, about {each.tokens:,} tokens" for each in self.loads),
            f"without a task: {plural(self.skipped, 'file')}",
            f"written: {self.path}",
        ]
        return "".join(f"{row}\n" for row in rows)


def wanted_shards(settings: Settings) -> int:
    """How many shards are asked for.

    Raises:
        ConfigurationError: it was not said.
    """
    if settings.shards is None:
        raise ConfigurationError(
            "it is not said how many shards the review is to be spread over", hint="Give --shards N."
        )
    return settings.shards


def write_plan(opened: Opened, change_set: ChangeSet, settings: Settings, environ: Mapping[str, str]) -> Planned:
    """Work out who reviews what and write ``plan.json``; results of an earlier run in the folder go.

    Raises:
        ConfigurationError: the number of shards or the output folder is not as it must be.
        OutputFolderInUse: another run is at work there.
        ArtifactError: it cannot be written.
    """
    count = wanted_shards(settings)
    redactor = Redactor()
    learn_own_secrets(settings, environ, redactor)
    files = opened_up(change_set, opened.source.head()).files
    budget = ContextBudget(window_of(settings)).for_a_run()
    plan = make_plan(files, budget.planned_content, PathFilter(settings.include, settings.exclude))
    placed = shards_of(plan, count)
    folder = output_folder(opened.root, settings.output_dir, opened.tracked)
    with ExitStack() as undo:
        undo.callback(lock_output(folder).release)
        sink = FolderSink(folder, redactor.mask)
        sink.prepare(fresh=False)
        shards = {path: str(Shard(number, count)) for path, number in placed.items()}
        path = sink.write("plan.json", plan_json(plan, display_path, shards=shards))
    return Planned(path, loads_of(plan.tasks, placed, count), len(plan.skipped))


def print_plan(planned: Planned, *, as_json: bool) -> None:
    """Show a plan on standard output: the matrix as JSON alone, or a table."""
    sys.stdout.write(f"{planned.matrix}\n" if as_json else planned.to_text())


def shard_of(settings: Settings) -> Shard | None:
    """The share of this machine, ``None`` for all of it."""
    return None if settings.shard is None else Shard.parse(settings.shard)


def shard_notice(shard: Shard | None, settings: Settings) -> tuple[str, ...]:
    """What the reader of a shard's report must know."""
    if shard is None:
        return ()
    said = f"This is shard {shard} only: nothing is said of other files. devpulse merge reports on the whole change."
    if settings.fail_on is None and not settings.incomplete_fails:
        return (said,)
    return (said, "fail-on and fail-on-incomplete have no effect on a shard: give them to devpulse merge.")


def end_of_job(job: Job, result: RunResult) -> int:
    """The exit status of a finished job. The gate is the merge's: a shard fails only if it could do nothing."""
    status = end_of(result, job.settings)
    if job.shard is None:
        return status
    return ExitStatus.NOTHING_REVIEWED if nothing_reviewed(result.report.coverage) else ExitStatus.OK
