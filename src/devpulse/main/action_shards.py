"""The action's part in a review over several jobs: it plans them, reviews one share, or merges all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from devpulse.core.change import ChangeSet
from devpulse.core.sharding import Shard
from devpulse.errors import ConfigurationError, ExitStatus
from devpulse.main.merge import kept_settings, merging
from devpulse.main.pull_request import OpenedPull
from devpulse.main.shares import print_plan, shard_of, write_plan
from devpulse.main.step import Step, commands_stopped
from devpulse.output.outputs import outputs_of
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work
from devpulse.settings import Settings


def plan_step(step: Step, pull: OpenedPull, change_set: ChangeSet, settings: Settings) -> int:
    """Spread the review over jobs: the matrix is an output, the table stands in the log."""
    planned = write_plan(pull.opened, change_set, settings, step.environ)
    with commands_stopped():
        print_plan(planned, as_json=False)
    folder = step.runner.for_later_steps(Path(planned.path).parent)
    step.files.write_outputs(outputs_of(None, {"artifacts": folder}, (planned.matrix, str(len(planned.loads)))))
    return ExitStatus.OK


def settings_of_step(settings: Settings) -> Settings:
    """The settings that count for the command: a merge heeds them as ``devpulse merge`` does."""
    return kept_settings(settings) if settings.command == "merge" else settings


def shard_of_step(settings: Settings) -> Shard | None:
    """The share of this job, if it has one.

    Raises:
        ConfigurationError: a share is given to another command than ``review``.
    """
    if settings.shard is not None and settings.command != "review":
        raise ConfigurationError(
            f"shard {settings.shard} is given, but the command is {settings.command}",
            hint="Use the command review: a shard is reviewed, and what all of them found is merged later.",
        )
    return shard_of(settings)


def work_of_step(step: Step, settings: Settings, pull: OpenedPull) -> Callable[[Work, RunOptions, RunPorts], RunResult]:
    """What is done with the change: its shards are merged, or it is reviewed.

    Raises:
        ConfigurationError: there is no folder to merge from.
    """
    if settings.command != "merge":
        return review_change
    if settings.from_ is None:
        raise ConfigurationError(
            "it is not said which folder holds the shards to merge", hint="Set the input from to that folder."
        )
    return merging([settings.from_], settings, pull.opened.root, step.runner.workspace)
