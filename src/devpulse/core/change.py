"""What changed: pull request, files, hunks and lines, in GitHub's and git's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """Which text a line belongs to: LEFT is the base, RIGHT is the head (GitHub's words)."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"


class FileStatus(StrEnum):
    """What happened to a file between base and head."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    TYPE_CHANGED = "type-changed"


class FileKind(StrEnum):
    """What a file is on one side. Only TEXT can be reviewed.

    WIDE_TEXT is UTF-16 or UTF-32 with a byte order mark: source for many tools, binary for git.
    """

    TEXT = "text"
    WIDE_TEXT = "wide-text"
    BINARY = "binary"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One side of a changed file.

    ``mode`` is git's octal mode, for example ``100644``. ``blob`` is git's object id, or ``None``
    when it is not known (a patch file without an index line).
    """

    path: str
    mode: str
    blob: str | None
    kind: FileKind


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk, without its line feed (a carriage return before it is kept).

    Removed lines have only an ``old`` number, added lines only a ``new`` one, context lines both.
    """

    old: int | None
    new: int | None
    text: str

    @property
    def added(self) -> bool:
        """Whether the line is only on the head side."""
        return self.old is None

    @property
    def removed(self) -> bool:
        """Whether the line is only on the base side."""
        return self.new is None


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of changed lines with the context around it; line numbers start at 1. ``lines`` never change."""

    old_start: int
    old_length: int
    new_start: int
    new_length: int
    lines: Sequence[DiffLine]

    @property
    def adds_all(self) -> bool:
        """Whether every line is an added one, as in a new file: told without a look at the lines."""
        return not self.old_length and len(self.lines) == self.new_length

    def span(self, side: Side) -> tuple[int, int]:
        """The first line of ``side`` that the hunk shows, and how many it shows."""
        return (self.new_start, self.new_length) if side is Side.RIGHT else (self.old_start, self.old_length)

    def numbers(self, side: Side) -> frozenset[int]:
        """The line numbers of ``side`` that the hunk shows, context included."""
        if self.adds_all:
            return self.changed(side)
        picked = [line.new if side is Side.RIGHT else line.old for line in self.lines]
        return frozenset([number for number in picked if number is not None])

    def changed(self, side: Side) -> frozenset[int]:
        """The line numbers added (RIGHT) or removed (LEFT) by the hunk."""
        if self.adds_all:
            added = range(self.new_start, self.new_start + self.new_length)
            return frozenset(added) if side is Side.RIGHT else frozenset()
        if side is Side.RIGHT:
            return frozenset([line.new for line in self.lines if line.old is None and line.new is not None])
        return frozenset([line.old for line in self.lines if line.new is None and line.old is not None])


@dataclass(frozen=True, slots=True)
class FileChange:
    """One changed file. ``base`` is ``None`` for an added file, ``head`` for a deleted one."""

    status: FileStatus
    base: FileVersion | None
    head: FileVersion | None
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> str:
        """The path at head, or the base path of a deleted file: the name used everywhere."""
        versions = (self.head, self.base)
        return next(version.path for version in versions if version is not None)

    @property
    def previous_path(self) -> str | None:
        """The old path of a renamed or copied file, else ``None``."""
        if self.base is not None and self.head is not None and self.base.path != self.head.path:
            return self.base.path
        return None

    def __post_init__(self) -> None:
        if self.base is None and self.head is None:
            raise ValueError("a FileChange needs a base or a head version")

    def __hash__(self) -> int:
        # Its lines are in the comparison alone: a file is looked up all the time, and they are thousands.
        return hash((self.status, self.base, self.head))

    def changed(self, side: Side) -> frozenset[int]:
        """All line numbers added (RIGHT) or removed (LEFT) in the file."""
        return frozenset[int]().union(*(hunk.changed(side) for hunk in self.hunks))


@dataclass(frozen=True, slots=True)
class PullRequest:
    """The change under review as a whole.

    ``number`` and ``repository`` are ``None`` for a local review. ``trusted`` is false when the
    head comes from another repository: nothing it brings is then stored for later runs.
    """

    base_sha: str
    head_sha: str | None
    repository: str | None = None
    number: int | None = None
    title: str = ""
    trusted: bool = True


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Everything a source found: the pull request (``None`` outside git), its files, and how.

    ``rung`` names the way the diff was obtained and ``rung_reason`` why it was that one, for
    example ``("local git", "base and head objects are both here")``. ``fragments`` are the paths
    whose text is known from the hunks only.
    """

    pull_request: PullRequest | None
    files: tuple[FileChange, ...]
    rung: str
    rung_reason: str
    fragments: frozenset[str] = frozenset()
