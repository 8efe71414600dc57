"""Shards merged: their results take the place of reviews in an ordinary run, so that its end is that of one machine.

What is read here was written by other jobs. A shard counts only if it worked on this very change, and a result only if
it is what its shard says it is. Whatever is not there is a failed task that says which job to run again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from devpulse.core.change import ChangeSet
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, ReviewTask
from devpulse.core.sharding import Shard
from devpulse.errors import ConfigurationError
from devpulse.output.shard_v1 import SHARD_NAME, ShardRecord, parse_shard
from devpulse.pipeline.allowance import Allowance
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import Plan
from devpulse.pipeline.shards import change_digest, shards_of
from devpulse.pipeline.task_result import TaskResult, artifact_name
from devpulse.pipeline.task_runner import TaskReference, offload
from devpulse.ports import ArtifactFolder, ArtifactSink, RunLog

RUN_LOG = "run_log.jsonl"
_PLANNED = "planned"
_OF_THE_WHOLE = frozenset({_PLANNED, "task_finished", "concluded"})
_LOG_BLOCK = 500
"""Lines of a log that are written at once."""

_REMEDY = "run that job again, then merge again"


@dataclass(frozen=True, slots=True)
class _Found:
    """A shard that may be used, and where it is."""

    record: ShardRecord
    folder: ArtifactFolder


@dataclass(frozen=True, slots=True)
class Gathered:
    """The shards of a change. ``placed`` gives the number of the shard of each file, ``found`` what there is of each,
    best first, ``refused`` why one that is there may not be used. ``notices`` tell of folders that were no use."""

    of: int
    placed: Mapping[str, int]
    found: Mapping[int, tuple[_Found, ...]]
    refused: Mapping[int, str]
    notices: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[_Found, ...]:
        """The best of each shard."""
        return tuple(self.found[number][0] for number in sorted(self.found))

    @property
    def engines(self) -> tuple[str, ...]:
        """Who reviewed, the one that the whole is called after first: as on one machine, the model if it did any."""
        return tuple(sorted({found.record.engine for found in self.used}, key=lambda name: name != "gemini"))

    @property
    def model_down(self) -> str:
        """Why an engine was not available, by shard; empty when all were."""
        told = [f"{found.record.shard}: {found.record.model_down}" for found in self.used if found.record.model_down]
        return "; ".join(f"shard {text}" for text in told)

    def mixed(self) -> tuple[str, ...]:
        """What the reader must know when not all shards had the same engine."""
        others = [str(found.record.shard) for found in self.used if found.record.engine not in self.engines[:1]]
        return (f"Reviewed by the offline engine alone: shard {', '.join(others)}.",) if others else ()

    def why_missing(self, number: int) -> str:
        """Why there is nothing of a shard, and what to do."""
        shard = Shard(number, self.of)
        if number in self.refused:
            return f"shard {shard} {self.refused[number]}: {_REMEDY}"
        return f"shard {shard} missing: {_REMEDY}"


def gather(folders: Sequence[ArtifactFolder], plan: Plan, change_set: ChangeSet, shards: int | None) -> Gathered:
    """Look through folders for the shards of a change; ``shards`` is how many there must be, if that is known.

    Raises:
        ConfigurationError: there is no shard at all, or it cannot be told how many there should be.
    """
    change = change_digest(change_set, plan)
    read, notices = _records(folders)
    own = [found for found in read if found.record.change == change]
    of = shards or _count(own or read)
    by_number: dict[int, list[_Found]] = {}
    refused: dict[int, str] = {}
    for found in read:
        record = found.record
        if record.shard.of != of:
            notices.append(f"{found.folder.name} was not used: it is shard {record.shard}, not one of {of}.")
        elif record.change == change:
            by_number.setdefault(record.shard.number, []).insert(0, found)
        else:
            refused[record.shard.number] = _other_change(record, change_set)
    # Of a job that ran twice the one that ended, and of two such the one named last.
    best = {number: tuple(sorted(each, key=lambda one: not one.record.ended)) for number, each in by_number.items()}
    return Gathered(of, shards_of(plan, of), best, refused, tuple(notices))


def _records(folders: Iterable[ArtifactFolder]) -> tuple[list[_Found], list[str]]:
    found, notices = [], []
    for folder in folders:
        text = folder.read(SHARD_NAME)
        if text is None:
            notices.append(f"{folder.name} was not used: it holds no {SHARD_NAME}.")
            continue
        try:
            found.append(_Found(parse_shard(text), folder))
        except ValueError:
            notices.append(f"{folder.name} was not used: its {SHARD_NAME} is damaged.")
    return found, notices


def _count(found: Sequence[_Found]) -> int:
    counts = {each.record.shard.of for each in found}
    if not counts:
        raise ConfigurationError(
            "there are no artifacts of a shard in the folders to merge",
            hint="Name the folders that review --shard wrote to, or say with --shards how many there should be.",
        )
    if len(counts) > 1:
        told = " and ".join(map(str, sorted(counts)))
        raise ConfigurationError(f"the folders hold shards of {told}", hint="Say with --shards which of them to merge.")
    return counts.pop()


def _other_change(record: ShardRecord, change_set: ChangeSet) -> str:
    own = None if change_set.pull_request is None else change_set.pull_request.head_sha
    if record.head != own:
        return f"reviewed another change (head {_short(record.head)}, not {_short(own)})"
    return "reviewed another change (the same head on another base, or with other settings)"


def _short(sha: str | None) -> str:
    return "without a commit" if sha is None else sha[:10]


@dataclass(frozen=True, slots=True)
class Merger:
    """Takes the result of each task from its shard. ``allowance`` is charged with what the shards have used."""

    gathered: Gathered
    sink: ArtifactSink
    log: RunLog
    allowance: Allowance

    def begin(self) -> None:
        """Note which shards there are, take over their logs, and charge what they used."""
        for found in self.gathered.used:
            record = found.record
            lines = _copy_log(found, self.sink)
            self.log.record(
                "shard", number=record.shard.number, of=record.shard.of, ended=record.ended, folder=found.folder.name,
                tasks=len(record.results), lines=lines,
            )  # fmt: skip
            self._charge(record.usage)

    def signed(self, result: RunResult) -> RunResult:
        """A result in the name of those who reviewed, with what the reader must know of the folders."""
        report = result.report
        engines = self.gathered.engines or (report.engine,)
        notices = (*report.notices, *self.gathered.notices, *self.gathered.mixed())
        report = replace(report, engine=engines[0], notices=notices)
        return replace(result, report=report, model_down=self.gathered.model_down)

    def run(self, task: ReviewTask) -> TaskReference:
        """The saved result of a task, saved once more among those of the whole."""
        number = self.gathered.placed[task.change.path]
        reason = self.gathered.why_missing(number)
        for found in self.gathered.found.get(number, ()):
            result = _result_of(task, found)
            if isinstance(result, TaskResult):
                if not found.record.ended:
                    self._charge(result.usage)
                return offload(task, result, self.sink)
            reason = result
        return self.failed(task, reason)

    def failed(self, task: ReviewTask, reason: str) -> TaskReference:
        """As ``TaskRunner.failed``."""
        self.log.record("task_failed", task=task.id, reason=reason)
        return offload(task, TaskResult(task.id, task.change.path, Failed(reason), (), "", Usage(), 0, 0), self.sink)

    def _charge(self, usage: Usage) -> None:
        self.allowance.take(usage.input_tokens + usage.output_tokens, usage)


def _result_of(task: ReviewTask, found: _Found) -> TaskResult | str:
    """The result of a task, or why there is none."""
    name, record = artifact_name(task.id), found.record
    text = found.folder.read(name)
    if text is None and not record.ended:
        return f"shard {record.shard} did not finish: {_REMEDY}"
    digest = None if text is None else digest_of(text)
    if text is None or (record.ended and record.results.get(task.id) != digest):
        return f"shard {record.shard} is torn ({name} is missing or was altered): {_REMEDY}"
    try:
        result = TaskResult.from_json(json.loads(text))
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return f"shard {record.shard} is torn ({name} is damaged): {_REMEDY}"
    return result if result.task == task.id else f"shard {record.shard} is torn ({name} is of another task): {_REMEDY}"


def digest_of(text: str) -> str:
    """The digest of a result as its shard records it."""
    return hashlib.sha256(text.encode()).hexdigest()


def _copy_log(found: _Found, sink: ArtifactSink) -> int:
    """Take over the log of a shard's last run, each line marked with its shard; gives the number of lines."""
    events = list(filter(None, map(_event, (found.folder.read(RUN_LOG) or "").splitlines())))
    begun = [index for index, event in enumerate(events) if event["event"] == _PLANNED]
    lines = [
        json.dumps(_renamed(event) | {"shard": str(found.record.shard)}) for event in events[max(begun, default=0) :]
    ]
    for start in range(0, len(lines), _LOG_BLOCK):
        sink.append(RUN_LOG, "\n".join(lines[start : start + _LOG_BLOCK]))
    return len(lines)


def _event(text: str) -> dict[str, Any] | None:
    """An event of a log; ``None`` for what is none."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(row, dict) and isinstance(row.get("time"), str) and isinstance(row.get("event"), str)
    return row if is_event else None


def _renamed(event: dict[str, Any]) -> dict[str, Any]:
    """What begins or finishes in the whole has a name of its own where it was that of a shard."""
    return event | {"event": f"shard_{event['event']}"} if event["event"] in _OF_THE_WHOLE else event


@dataclass(frozen=True, slots=True)
class Merging:
    """What is to be merged: folders of shards, and how many shards there must be, if that is known."""

    folders: tuple[ArtifactFolder, ...]
    shards: int | None = None

    def merger(self, plan: Plan, change_set: ChangeSet, ports: MergePorts, allowance: Allowance) -> Merger:
        """What merges the shards of a change.

        Raises:
            ConfigurationError: as ``gather``.
        """
        return Merger(gather(self.folders, plan, change_set, self.shards), ports.sink, ports.log, allowance)


class MergePorts(Protocol):
    """What a merge needs of the outside world."""

    @property
    def sink(self) -> ArtifactSink:
        """Where the artifacts of the whole go."""
        ...

    @property
    def log(self) -> RunLog:
        """The log of the whole."""
        ...
