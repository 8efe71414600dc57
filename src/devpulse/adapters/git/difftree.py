"""What changed between two trees: one ``git diff-tree`` stream, made into data as it arrives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devpulse.adapters.git.kinds import text_diffs, versions_kinds
from devpulse.adapters.git.objects import ObjectReader
from devpulse.adapters.git.process import failed
from devpulse.adapters.git.records import Part, Record, read_record, read_section
from devpulse.adapters.git.scratch import Scratch
from devpulse.core.change import FileChange, FileKind, FileVersion, Hunk
from devpulse.errors import PatchInvalid, SourceError

RENAME_LIMIT = 2000
"""Files on each side that are compared with each other for a rename with changes (identical ones are always
found). git's default of 1,000 gives up on large moves; above 2,000 the comparison takes minutes."""

FORMAT = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
    "--submodule=short",
    "--ignore-submodules=none",
)

_FIRST = ord("d")


@dataclass(slots=True)
class Draft:
    """A record with the hunks of its parts; ``None`` for a part git holds to be binary."""

    record: Record
    hunks: list[tuple[Hunk, ...] | None]


def diff_trees(scratch: Scratch, reader: ObjectReader, old: str, new: str) -> tuple[FileChange, ...]:
    """The files that differ between two trees or commits, sorted by path, renames and copies found.

    Raises:
        SourceError: git failed, most likely for a missing object.
    """
    drafts = _load(scratch, old, new)
    unsure = [
        part for draft in drafts for part, hunks in zip(draft.record.parts, draft.hunks, strict=True) if not hunks
    ]
    kinds, large = versions_kinds(scratch.git, reader, unsure)
    _show_stray_nuls(scratch, drafts, kinds, large)
    return tuple(_change(draft, kinds) for draft in drafts)


def _load(scratch: Scratch, old: str, new: str) -> list[Draft]:
    arguments = ["diff-tree", "-r", "--raw", "-p", "--no-abbrev", "-M", "-C", f"-l{RENAME_LIMIT}", *FORMAT]
    with scratch.git.start([*arguments, old, new]) as child:
        try:
            drafts = list(_drafts(child.answers))
        except PatchInvalid:
            # git stopped in the middle, which its exit status tells better.
            if child.process.wait():
                raise failed("diff-tree", child.complaint()) from None
            raise
        if child.process.wait():
            raise failed("diff-tree", child.complaint())
    return drafts


def _drafts(output: Iterable[bytes]) -> Iterator[Draft]:
    lines = iter(output)
    records = []
    for line in lines:
        if line == b"\n":
            break
        records.append(read_record(line))
    sections = _sections(lines)
    for record in records:
        yield Draft(record, [read_section(next(sections, ())) for _ in record.parts])


def _sections(lines: Iterator[bytes]) -> Iterator[Sequence[bytes]]:
    """The lines of each file. No line inside a hunk begins with ``d``, and git quotes line feeds in names."""
    section: list[bytes] = []
    for line in lines:
        # Its first byte tells of nearly all lines that they are none, sooner than a call does.
        if line[0] == _FIRST and line.startswith(b"diff --git ") and section:
            yield section
            section = []
        section.append(line)
    if section:
        yield section


def _show_stray_nuls(
    scratch: Scratch, drafts: Sequence[Draft], kinds: dict[str, FileKind], large: frozenset[str]
) -> None:
    """Give hunks to the parts git held to be binary though the side to review is text and neither is ``large``."""
    hidden: list[tuple[Draft, int, Part]] = []
    for draft in drafts:
        for number, part in enumerate(draft.record.parts):
            side = part.new or part.old
            if any(each is not None and each.sha in large for each in (part.old, part.new)):
                continue
            if draft.hunks[number] is None and side is not None and kinds[side.sha] is FileKind.TEXT:
                hidden.append((draft, number, part))
    if not hidden:
        return
    shown = text_diffs(scratch.git, [part for _, _, part in hidden], FORMAT)
    for (draft, number, _), hunks in zip(hidden, shown, strict=True):
        draft.hunks[number] = hunks


def _change(draft: Draft, kinds: dict[str, FileKind]) -> FileChange:
    record = draft.record
    base, head = (
        None if entry is None else FileVersion(path, entry.mode, entry.sha, kind_of_entry(entry.kind, entry.sha, kinds))
        for entry, path in ((record.old, record.old_path), (record.new, record.new_path))
    )
    if base is None and head is None:
        raise SourceError(f"git reports a change without sides: {record.new_path!r}.", hint="Report this as a bug.")
    hunks = tuple(hunk for part in draft.hunks for hunk in part or ())
    return FileChange(record.status, base, head, hunks)


def kind_of_entry(by_mode: FileKind | None, sha: str, kinds: dict[str, FileKind]) -> FileKind:
    """The kind by mode, else as looked up, else TEXT: git has shown its lines."""
    return by_mode or kinds.get(sha, FileKind.TEXT)
