"""Which comments still fit when the pull request's head moved on during the review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from devpulse.core.change import FileChange, Hunk, Side
from devpulse.output.comments.plan import Cause, PlannedComment, Unplaced

FILE_CHANGED = "the file changed in a newer push"
NOT_IN_DIFF = "its lines are not in the diff of the newer push"


@dataclass(frozen=True, slots=True)
class FileAt:
    """A changed file at one head. ``blob`` is git's id of its head text, ``None`` when deleted or not known.
    ``hunks`` are ``None`` where they are not known."""

    blob: str | None
    hunks: tuple[Hunk, ...] | None
    deleted: bool = False

    @classmethod
    def of(cls, change: FileChange) -> FileAt:
        """The file of a change that was reviewed."""
        return cls(change.head.blob if change.head else None, change.hunks, change.head is None)

    def shows(self, side: Side, first: int, last: int) -> bool:
        """Whether GitHub would take a comment on these lines: all of them in one hunk."""
        return self._texts(side, first, last) is not None

    def same_text(self, other: FileAt, side: Side, first: int, last: int) -> bool:
        """Whether both show these lines, with the same text."""
        texts = self._texts(side, first, last)
        return texts is not None and texts == other._texts(side, first, last)

    def _texts(self, side: Side, first: int, last: int) -> list[str] | None:
        for hunk in self.hunks or ():
            lines = {(line.new if side is Side.RIGHT else line.old): line.text for line in hunk.lines}
            if all(number in lines for number in range(first, last + 1)):
                return [lines[number].removesuffix("\r") for number in range(first, last + 1)]
        return None


def reanchor(
    planned: Iterable[PlannedComment], reviewed: Mapping[str, FileAt], current: Mapping[str, FileAt]
) -> tuple[tuple[PlannedComment, ...], tuple[Unplaced, ...]]:
    """Part the comments planned at the reviewed head into those that may go to the current one, and the others.

    A comment may go where the file is the very same blob and its lines are still in the diff with the same text;
    the text decides for removed lines, whose base may have moved. Files that one side does not know have changed.
    """
    fitting: list[PlannedComment] = []
    others: list[Unplaced] = []
    for comment in planned:
        before, now = reviewed.get(comment.path), current.get(comment.path)
        if before is None or now is None or not _same_file(before, now):
            others.append(Unplaced(comment.finding, Cause.MOVED, FILE_CHANGED))
        elif not now.same_text(before, comment.side, comment.start_line, comment.end_line):
            others.append(Unplaced(comment.finding, Cause.MOVED, NOT_IN_DIFF))
        else:
            fitting.append(comment)
    return tuple(fitting), tuple(others)


def _same_file(before: FileAt, now: FileAt) -> bool:
    if before.deleted or now.deleted:
        return before.deleted and now.deleted
    return before.blob is not None and before.blob == now.blob
