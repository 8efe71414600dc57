"""What one machine has to do of a plan, and the record it leaves for the merge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from devpulse.core.change import ChangeSet
from devpulse.core.sharding import Shard
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import Plan
from devpulse.pipeline.task_runner import TaskReference
from devpulse.ports import ArtifactSink, ReviewModel

if TYPE_CHECKING:
    from devpulse.output.shard_v1 import ShardRecord


class SharePorts(Protocol):
    """What a share needs of the outside world."""

    @property
    def model(self) -> ReviewModel:
        """The engine."""
        ...

    @property
    def sink(self) -> ArtifactSink:
        """Where the record goes."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """``plan`` are the tasks that are due here, ``due`` is the part of the change that is reported on. ``record`` is
    that of a shard, ``None`` where there is but one machine."""

    plan: Plan
    due: ChangeSet
    ports: SharePorts
    record: ShardRecord | None = None

    @classmethod
    def of(cls, whole: Plan, change_set: ChangeSet, shard: Shard | None, ports: SharePorts) -> Share:
        """All of a plan, or the tasks of one shard with their files, which is then noted in the artifacts."""
        if shard is None:
            return cls(whole, change_set, ports)
        from devpulse.output.shard_v1 import SHARD_NAME, ShardRecord, render_shard  # noqa: PLC0415  (one machine needs none of it)
        from devpulse.pipeline.shards import change_digest, only_planned, share_of  # noqa: PLC0415  (as above)

        pull = change_set.pull_request
        head = None if pull is None else pull.head_sha
        record = ShardRecord(shard, change_digest(change_set, whole), head, ports.model.name)
        ports.sink.write(SHARD_NAME, render_shard(record))
        plan = share_of(whole, shard)
        return cls(plan, only_planned(change_set, plan), ports, record)

    def concludes(self, result: RunResult) -> bool:
        """Whether the engine here is to conclude: on the findings of a whole change, and on its own only."""
        return self.record is None and result.report.engine == self.ports.model.name

    def end(self, references: Iterable[TaskReference], result: RunResult) -> None:
        """Note that a shard has ended, and which results it left. One that is gone by now is not among them."""
        if self.record is None:
            return
        from devpulse.output.shard_v1 import SHARD_NAME, render_shard  # noqa: PLC0415  (as above)
        from devpulse.pipeline.merge import digest_of  # noqa: PLC0415  (as above)

        saved = {reference.task.id: self.ports.sink.read(reference.artifact) for reference in references}
        record = replace(
            self.record,
            ended=True,
            results={task: digest_of(text) for task, text in saved.items() if text is not None},
            usage=result.report.usage,
            model_down=result.model_down,
        )
        self.ports.sink.write(SHARD_NAME, render_shard(record))
