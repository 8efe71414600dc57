"""The lines of ``git diff-tree --raw -p``: a record and one section of patch (two for a change of type) a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.change import FileKind, FileStatus, Hunk
from devpulse.core.content import kind_of_mode
from devpulse.core.diff_headers import decode_name, plain_name
from devpulse.core.diff_hunks import parse_hunks
from devpulse.core.packed_lines import HINT
from devpulse.core.text import decode
from devpulse.errors import PatchInvalid

_RECORD = re.compile(r":(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([AMDRCT])\d*\t([^\t]+)(?:\t([^\t]+))?$")
_ABSENT = "000000"
_STATUS = {
    "A": FileStatus.ADDED,
    "M": FileStatus.MODIFIED,
    "D": FileStatus.DELETED,
    "R": FileStatus.RENAMED,
    "C": FileStatus.COPIED,
    "T": FileStatus.TYPE_CHANGED,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a tree: mode and object id."""

    mode: str
    sha: str

    @property
    def kind(self) -> FileKind | None:
        """SYMLINK or SUBMODULE; ``None`` for a regular file."""
        return kind_of_mode(self.mode)


@dataclass(frozen=True, slots=True)
class Part:
    """What one section of patch compares; one side may be absent."""

    old: Entry | None
    new: Entry | None


@dataclass(frozen=True, slots=True)
class Record:
    """One changed file; both paths are equal but for renames and copies."""

    status: FileStatus
    old: Entry | None
    new: Entry | None
    old_path: str
    new_path: str

    @property
    def parts(self) -> tuple[Part, ...]:
        """A change of type is shown by git as a deletion and an addition."""
        if self.status is FileStatus.TYPE_CHANGED:
            return Part(self.old, None), Part(None, self.new)
        return (Part(self.old, self.new),)


def read_record(line: bytes) -> Record:
    """Read a raw record.

    Raises:
        PatchInvalid: it is none.
    """
    match = _RECORD.match(decode_name(line.rstrip(b"\n")))
    if match is None:
        raise PatchInvalid(f"git gave an unknown record: {decode(line[:80])!r}.", hint=HINT)
    old_mode, new_mode, old_sha, new_sha, status, path, target = match.groups()
    return Record(
        _STATUS[status],
        None if old_mode == _ABSENT else Entry(old_mode, old_sha),
        None if new_mode == _ABSENT else Entry(new_mode, new_sha),
        plain_name(path),
        plain_name(target or path),
    )


def read_section(lines: Sequence[bytes]) -> tuple[Hunk, ...] | None:
    """The hunks of one section; ``None`` when git says that the files are binary.

    Raises:
        PatchInvalid: there is no section, or its hunks are cut off.
    """
    if not lines:
        raise PatchInvalid("git gave fewer patches than changed files.", hint=HINT)
    for index, line in enumerate(lines):
        if line.startswith(b"@@ -"):
            return parse_hunks(decode(b"".join(lines[index:])))
        if line.startswith(b"Binary files "):
            return None
    return ()
