"""A plan over several machines. Each works it out for itself from the same change; a digest tells a changed one."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devpulse.core.change import ChangeSet, FileChange
from devpulse.core.review import ReviewTask
from devpulse.core.sharding import Shard, spread
from devpulse.pipeline.plan import Plan

TASK_TOKENS = 1_500
"""What a task takes beside its diff: prompt, declarations of tools, its answer. Many small files are work, too."""


@dataclass(frozen=True, slots=True)
class ShardLoad:
    """What falls to one shard."""

    shard: Shard
    tasks: int
    tokens: int


def shards_of(plan: Plan, count: int) -> dict[str, int]:
    """The number of the shard of each file, by path. The parts of a file stay together: its rules run once."""
    weights: Counter[str] = Counter()
    for task in plan.tasks:
        weights[task.change.path] += task.content_tokens + TASK_TOKENS
    return spread(weights, count)


def share_of(plan: Plan, shard: Shard) -> Plan:
    """The tasks of one shard. What needs no task is nobody's share: it is reported when the shards are merged."""
    placed = shards_of(plan, shard.of)
    return Plan(tuple(task for task in plan.tasks if placed[task.change.path] == shard.number), ())


def only_planned(change_set: ChangeSet, plan: Plan) -> ChangeSet:
    """The change with those files only that a plan has tasks for."""
    paths = {task.change.path for task in plan.tasks}
    return replace(change_set, files=tuple(change for change in change_set.files if change.path in paths))


def loads_of(tasks: Sequence[ReviewTask], placed: Mapping[str, int], count: int) -> tuple[ShardLoad, ...]:
    """What falls to each shard that has anything to do."""
    number_of, tokens = Counter[int](), Counter[int]()
    for task in tasks:
        number = placed[task.change.path]
        number_of[number] += 1
        tokens[number] += task.content_tokens
    return tuple(ShardLoad(Shard(n, count), number_of[n], tokens[n]) for n in sorted(number_of))


def matrix_of(loads: Sequence[ShardLoad]) -> dict[str, Any]:
    """The ``matrix`` of a workflow's ``strategy``; shards without a task need no job."""
    return {"include": [{"shard": str(load.shard), "number": load.shard.number} for load in loads]}


def change_digest(change_set: ChangeSet, plan: Plan) -> str:
    """64 hex digits for a change and how it was split: equal on two machines only if their shares are of one whole."""
    pull = change_set.pull_request
    sums = hashlib.sha256()
    for row in (
        "devpulse.shards/1",
        *(() if pull is None else (pull.base_sha, str(pull.head_sha))),
        *(f"{task.id} {task.part}/{task.parts} {task.content_tokens}" for task in plan.tasks),
        *(f"{change.path}\0{_content(change)}" for change in change_set.files),
    ):
        sums.update(f"{row}\n".encode("utf-8", "surrogatepass"))
    return sums.hexdigest()


def _content(change: FileChange) -> str:
    """What a file holds: its objects where both are known, else the lines of its diff."""
    versions = [version for version in (change.base, change.head) if version is not None]
    if all(version.blob is not None for version in versions):
        return " ".join(f"{version.mode} {version.blob}" for version in versions)
    return "\n".join(f"{line.old} {line.new} {line.text}" for hunk in change.hunks for line in hunk.lines)
