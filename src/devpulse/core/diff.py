"""A unified diff as data: which files changed and which lines. Hunks are read in ``diff_hunks``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from devpulse.core.change import FileChange, FileKind, FileStatus, FileVersion, Hunk
from devpulse.core.content import kind_of_mode
from devpulse.core.diff_headers import DEV_NULL, Header, git_line_names, plain_name, without_prefixes
from devpulse.core.diff_hunks import invalid, parse_hunks, split_patch, take_hunks
from devpulse.core.packed_lines import HINT
from devpulse.errors import PatchInvalid

__all__ = ["parse_hunks", "parse_patch"]

_GIT = "diff --git "
_COMBINED = ("diff --cc ", "diff --combined ", "@@@ ")
_BINARY = re.compile(r"Binary files (.+) and (.+) differ\r?$")
_BINARY_DATA = re.compile(r"(?:literal \d+|delta \d+|[A-Za-z][!-~]+|)\r?$")
_COLORED = re.compile(r"(?:\x1b\[[\d;]*m)+(?:diff |--- |\+\+\+ |@@ |index )")
_EPOCH = re.compile(r"\t(?:1970-01-01|1969-12-31) ")
"""How diff -N dates a file that is not there."""
_REGULAR = "100644"


def parse_patch(text: str) -> tuple[FileChange, ...]:
    """Read a whole patch: git's format, format-patch mails, and plain ``---``/``+++`` diffs.

    Text before, between and after the files' parts (mail headers, a commit message, a signature) is
    passed over. An empty patch gives no files. Blob ids are as written, possibly abbreviated.

    Raises:
        PatchInvalid: it is malformed, or names one file twice; the message names the line.
    """
    lines = split_patch(text)
    found: list[tuple[int, FileChange]] = []
    at = 0
    while at < len(lines):
        section = _take_section(lines, at)
        if section is None:
            at += 1
            continue
        change, end = section
        found.append((at, change))
        at = end
    if not found and text.strip():
        raise PatchInvalid("There is no file in this patch.", hint=HINT)
    return _merge(found)


def _take_section(lines: Sequence[str], at: int) -> tuple[FileChange, int] | None:
    """Read the file that starts at ``lines[at]``; ``None`` when none does."""
    line = lines[at]
    if line.startswith(_GIT):
        return _take_git(lines, at)
    if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
        return _take_plain(lines, at)
    if line.startswith(_COMBINED):
        raise invalid(at, "this is a combined diff of a merge, which compares with several parents at once")
    if line.startswith("@@ -"):
        raise invalid(at, "a hunk without a file header before it")
    _check_color(lines, at)
    binary = _BINARY.match(line)
    if binary:
        old, new = _plain_names(binary.group(1), binary.group(2))
        return _change(Header(at, old, new, binary=True), ()), at + 1
    return None


def _take_git(lines: Sequence[str], start: int) -> tuple[FileChange, int]:
    header = Header(start)
    at = start + 1
    while at < len(lines) and header.read(lines[at]):
        at += 1
    names = git_line_names(lines[start][len(_GIT) :])
    hunks: tuple[Hunk, ...] = ()
    shows = at < len(lines) and lines[at].startswith("--- ")
    if shows:
        names = _check_names(lines, at, header, names)
        hunks, at = take_hunks(lines, at + 2)
    elif at < len(lines) and (_BINARY.match(lines[at]) or lines[at].rstrip("\r") == "GIT binary patch"):
        header.binary = True
        at = _pass_binary(lines, at + 1)
    if names is None and not header.moved:
        raise invalid(start, "the file name cannot be told from this header")
    if not hunks and not header.binary and (shows or header.lacks_hunks()):
        _check_color(lines, at)
        raise invalid(start, "the change of this file is missing: the patch ends early, or leaves lines out")
    if names is not None and not header.moved:
        header.old_name = header.old_name or names[0]
        header.new_name = header.new_name or names[1]
    return _change(header, hunks), at


def _check_color(lines: Sequence[str], at: int) -> None:
    """Refuse a coloured patch: its headers would be passed over, and with them what they announce."""
    if at < len(lines) and _COLORED.match(lines[at]):
        raise PatchInvalid(
            f"Patch line {at + 1}: the patch holds the escape sequences of colours.",
            hint="Make it without: git diff --color=never BASE...HEAD",
        )


def _check_names(lines: Sequence[str], at: int, header: Header, names: tuple[str, str] | None) -> tuple[str, str]:
    """The names of the ``---`` and ``+++`` lines; they must agree with the header before them."""
    if at + 1 >= len(lines) or not lines[at + 1].startswith("+++ "):
        raise invalid(at, "no +++ line follows this --- line")
    written = plain_name(lines[at][4:]), plain_name(lines[at + 1][4:])
    shown = without_prefixes(*written)
    for said, either in ((header.old_name, 0), (header.new_name, 1)):
        expected = said or (names[either] if names else None)
        if expected is not None and expected not in {written[either], shown[either]}:
            raise invalid(at + either, f"the name {shown[either]!r} is not the one of the header, {expected!r}")
    return names or shown


def _pass_binary(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and _BINARY_DATA.match(lines[at]):
        at += 1
    return at


def _take_plain(lines: Sequence[str], at: int) -> tuple[FileChange, int]:
    old, new = _plain_names(plain_name(lines[at][4:]), plain_name(lines[at + 1][4:]))
    hunks, end = take_hunks(lines, at + 2)
    if not hunks:
        raise invalid(at, "no hunk follows this file header")
    if hunks[0].old_length == 0 and _EPOCH.search(lines[at]):
        old = DEV_NULL
    if hunks[0].new_length == 0 and _EPOCH.search(lines[at + 1]):
        new = DEV_NULL
    return _change(Header(at, old, new), hunks), end


def _plain_names(old: str, new: str) -> tuple[str, str]:
    """One name for both sides: they may differ by their first folder, or by a suffix such as ``.orig``."""
    if DEV_NULL in {old, new}:
        return without_prefixes(old, new)
    old_rest, new_rest = old.partition("/")[2], new.partition("/")[2]
    name = new_rest if old != new and new_rest and old_rest == new_rest else without_prefixes(old, new)[1]
    return name, name


def _change(header: Header, hunks: tuple[Hunk, ...]) -> FileChange:
    old, new = header.old_name or DEV_NULL, header.new_name or DEV_NULL
    base = None if old == DEV_NULL else _version(header, old, header.old_mode, header.old_blob)
    head = None if new == DEV_NULL else _version(header, new, header.new_mode, header.new_blob)
    if base is None and head is None:
        raise invalid(header.line, "both sides of the change are /dev/null")
    status = _status(header, base, head)
    return FileChange(status, base, head, hunks)


def _version(header: Header, name: str, mode: str | None, blob: str | None) -> FileVersion:
    if name.startswith("/") or "\0" in name or not set(name.split("/")).isdisjoint({"", ".", ".."}):
        raise invalid(header.line, f"{name!r} is not a path inside the repository")
    mode = mode or _REGULAR
    kind = kind_of_mode(mode) or (FileKind.BINARY if header.binary else FileKind.TEXT)
    return FileVersion(name, mode, blob, kind)


def _status(header: Header, base: FileVersion | None, head: FileVersion | None) -> FileStatus:
    if base is None:
        return FileStatus.ADDED
    if head is None:
        return FileStatus.DELETED
    if header.moved:
        return FileStatus.COPIED if header.copied else FileStatus.RENAMED
    return FileStatus.MODIFIED


def _merge(found: Sequence[tuple[int, FileChange]]) -> tuple[FileChange, ...]:
    """Join the two parts git writes for a change of type; refuse a file that appears twice."""
    merged: dict[str, FileChange] = {}
    for line, change in found:
        earlier = merged.get(change.path)
        if earlier is None:
            merged[change.path] = change
        elif earlier.status is FileStatus.DELETED and change.status is FileStatus.ADDED:
            hunks = (*earlier.hunks, *change.hunks)
            merged[change.path] = FileChange(FileStatus.TYPE_CHANGED, earlier.base, change.head, hunks)
        else:
            raise PatchInvalid(
                f"Patch line {line + 1}: {change.path!r} appears a second time.",
                hint="This looks like a series of patches. Give one combined diff: git diff BASE...HEAD",
            )
    return tuple(merged.values())
