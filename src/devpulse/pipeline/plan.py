"""The plan: one task for each reviewable file or part of one, and a reason for every file without."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from devpulse.core.annotated import split_hunks
from devpulse.core.change import ChangeSet, FileChange, FileKind, FileStatus
from devpulse.core.content import blob_id, whole_file
from devpulse.core.embedded import host_of
from devpulse.core.languages import language_of
from devpulse.core.packed_lines import characters_of
from devpulse.core.prompt import digest
from devpulse.core.redaction import find_secrets, redact
from devpulse.core.review import Failed, Outcome, ReviewTask, SkipKind, Skipped
from devpulse.core.rules.hidden_unicode import hides_in_name
from devpulse.core.source_tree import SourceTree
from devpulse.pipeline.gate import MAX_FILE_BYTES, MAX_LINE_NUMBER
from devpulse.pipeline.texts import last_line

MAX_CHANGE_CHARACTERS = 4_000_000
"""A larger change of one file would take hundreds of contexts; it is named and left out."""

Status = Literal["pending", "completed", "failed"]
"""Where a task stands. One that a cancelled run did not get to stays pending."""

_PENDING: tuple[Status, str] = ("pending", "")
_EMPTY_BLOBS = tuple(blob_id(b"", algorithm) for algorithm in ("sha1", "sha256"))


@dataclass(frozen=True, slots=True)
class PathFilter:
    """Which paths are reviewed: any ``include`` (all when empty) and no ``exclude``; gitignore patterns."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def allows(self) -> Callable[[str], bool]:
        """A compiled test for paths."""
        if not self.include and not self.exclude:
            return lambda _path: True
        from pathspec import GitIgnoreSpec  # noqa: PLC0415  (most runs have no pattern)

        include = GitIgnoreSpec.from_lines(self.include)
        exclude = GitIgnoreSpec.from_lines(self.exclude)
        return lambda path: (not self.include or include.match_file(path)) and not exclude.match_file(path)


@dataclass(frozen=True, slots=True)
class Plan:
    """``tasks`` in the order of the change; ``skipped`` are the files that need none."""

    tasks: tuple[ReviewTask, ...]
    skipped: tuple[tuple[FileChange, Skipped], ...]


def opened_up(change_set: ChangeSet, head: SourceTree) -> ChangeSet:
    """The change with every file that became code by its new name shown whole, and every one whose new name deceives.

    A rename that gives a file another language (``notes.txt`` to ``app.py``) changes what it does
    although its text is the same: all of it counts as added.
    """
    return replace(change_set, files=tuple(_whole_if_new_meaning(change, head) for change in change_set.files))


def _whole_if_new_meaning(change: FileChange, head: SourceTree) -> FileChange:
    version, language = change.head, _meaning(change.path)
    if change.previous_path is None or version is None or version.kind is not FileKind.TEXT:
        return change
    as_before = language is None or language == _meaning(change.previous_path)
    if as_before and not hides_in_name(change.path):
        return change
    size = head.size(version.path)
    data = head.read(version.path) if size is not None and size <= MAX_FILE_BYTES else None
    return change if data is None else whole_file(version.path, version.mode, data, version.blob)


def _meaning(path: str) -> str | None:
    """What a path says that its file is: code of a language, or a page with code in it."""
    return language_of(path) or host_of(path)


def make_plan(changes: Sequence[FileChange], share: int, paths: PathFilter) -> Plan:
    """Split the change into tasks whose annotated diffs fit ``share`` tokens each."""
    allowed = paths.allows()
    tasks: list[ReviewTask] = []
    skipped: list[tuple[FileChange, Skipped]] = []
    taken: set[str] = set()
    for change in changes:
        reason = skip_reason(change) if allowed(change.path) else Skipped("excluded")
        if reason is not None:
            skipped.append((change, reason))
        else:
            tasks.extend(_tasks(change, share, _task_name(change.path, taken)))
    return Plan(tuple(tasks), tuple(skipped))


def skip_reason(change: FileChange) -> Skipped | None:
    """Why a file needs no review by a child, or ``None`` when it does."""
    version = change.head or change.base
    kind = version.kind if version is not None else FileKind.TEXT
    if kind is FileKind.WIDE_TEXT:
        return Skipped("UTF-16 or UTF-32 text is not read; save it as UTF-8", SkipKind.LIMIT)
    if kind is not FileKind.TEXT:
        return Skipped(kind.value)
    if not change.hunks:
        return _without_hunks(change)
    size = sum(characters_of(hunk.lines) for hunk in change.hunks)
    if size > MAX_CHANGE_CHARACTERS:
        limit = f"{size:,} characters, at most {MAX_CHANGE_CHARACTERS:,} are reviewed"
        return Skipped(f"change too large: {limit}", SkipKind.LIMIT)
    if last_line(change) > MAX_LINE_NUMBER:
        return Skipped(f"line numbers above {MAX_LINE_NUMBER:,} are not reviewed", SkipKind.LIMIT)
    return None


def _without_hunks(change: FileChange) -> Skipped:
    if change.status is FileStatus.DELETED:
        return Skipped("deleted")
    if _content_differs(change):
        return Skipped("its lines were not compared: too large, or not readable", SkipKind.LIMIT)
    if change.status in (FileStatus.RENAMED, FileStatus.COPIED):
        return Skipped(f"{change.status.value} without a change")
    if change.base is not None and change.head is not None and change.base.mode != change.head.mode:
        return Skipped("mode change only")
    return Skipped("empty")


def _content_differs(change: FileChange) -> bool:
    """Whether the object ids say that lines changed. An added file without an id was not read."""
    base, head = (version.blob if version is not None else None for version in (change.base, change.head))
    if change.base is None or change.base.kind is not FileKind.TEXT:
        return head is None or not any(empty.startswith(head) for empty in _EMPTY_BLOBS)  # a patch abbreviates ids
    return base is not None and head is not None and base != head


def _task_name(path: str, taken: set[str]) -> str:
    shown = redact(path, find_secrets(path, path))
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", shown)[-48:].strip("-.")
    name = f"{slug}-{digest(path, 8)}".strip("-")
    if name.lower() in taken:  # a short digest can be made to collide; one file would then hide another's result
        name = f"{slug}-{digest(path, 64)}".strip("-")
    taken.add(name.lower())
    return name


def _tasks(change: FileChange, share: int, name: str) -> list[ReviewTask]:
    parts = split_hunks(change.hunks, share)
    return [
        ReviewTask(
            id=name if len(parts) == 1 else f"{name}-part{number}of{len(parts)}",
            change=change,
            hunks=hunks,
            part=number,
            parts=len(parts),
            content_tokens=tokens,
        )
        for number, (hunks, tokens) in enumerate(parts, 1)
    ]


def status_of(outcome: Outcome) -> Status:
    """The status of a task in the plan, by how it ended."""
    match outcome:
        case Failed():
            return "failed"
        case Skipped(kind=SkipKind.LIMIT):
            return "pending"
        case _:
            return "completed"


def plan_json(
    plan: Plan,
    show: Callable[[str], str],
    results: Mapping[str, tuple[Status, str]] = MappingProxyType({}),
    shards: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """``plan.json``: the tasks and the files left out, each with its reason.

    Args:
        plan: the plan.
        show: displays a path.
        results: status and result in one line of tasks by id; a task without one is pending.
        shards: who reviews each file, by path, where there are several machines.
    """
    tasks = [
        {
            "id": task.id,
            "path": show(task.change.path),
            "review_type": task.review_type,
            "status": results.get(task.id, _PENDING)[0],
            "part": task.part,
            "parts": task.parts,
            "content_tokens": task.content_tokens,
            "result": " ".join(results.get(task.id, _PENDING)[1].split()),
            **({"shard": shards[task.change.path]} if shards else {}),
        }
        for task in plan.tasks
    ]
    skipped = [{"path": show(change.path), "reason": reason.reason} for change, reason in plan.skipped]
    return json.dumps({"schema": "devpulse.plan/1", "tasks": tasks, "skipped": skipped}, indent=2) + "\n"
