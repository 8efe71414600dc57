"""Changed files whose content cannot be had: too large, too many, or only named in a list. None may look clean.

Where GitHub gives a patch, its lines stand for the file. Otherwise a file has no hunks, and ids that differ or are
missing, which no empty or unchanged file has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.github.listing import Differing, as_in_json
from devpulse.adapters.github.patches import hunks_of
from devpulse.adapters.github.replies import ListedFile
from devpulse.core.change import FileChange, FileKind, FileStatus, FileVersion
from devpulse.core.content import kind_of_mode, unread_file

_REGULAR = "100644"


def unread_changes(found: Differing, missing: Collection[str], rows: Sequence[ListedFile]) -> list[FileChange]:
    """The files of which a side is among the ``missing`` objects. A renamed one is told from GitHub's list."""
    if not missing:
        return []
    listed = {row.filename: row for row in rows}
    old_names = {as_in_json(path): path for path in found.old}
    unread = {path for side in (found.old, found.new) for path, entry in side.items() if entry.sha in missing}
    changes: dict[str, FileChange] = {}
    moved: set[str] = set()
    for path in sorted(unread & found.new.keys()):
        row = listed.get(as_in_json(path))
        previous = old_names.get(row.previous_filename or "") if row is not None and row.status == "renamed" else None
        if previous in found.new:  # another file is there now
            previous = None
        changes[path] = _change(previous or path, found.old.get(previous or path), path, found.new[path], row)
        moved |= {previous} if previous is not None else set()
    for path in unread - found.new.keys() - moved:
        changes[path] = _change(path, found.old[path], path, None, listed.get(as_in_json(path)))
    return list(changes.values())


def unlisted_changes(found: Differing, rows: Sequence[ListedFile]) -> list[FileChange]:
    """The files that only GitHub's list tells of."""
    known = {as_in_json(path) for path in (*found.old, *found.new)}
    changes = []
    for row in rows:
        if row.filename in known:
            continue
        if row.status == "removed":
            version = FileVersion(row.filename, _REGULAR, row.sha, FileKind.TEXT)
            changes.append(FileChange(FileStatus.DELETED, version, None, ()))
        else:
            changes.append(unread_file(row.filename, _REGULAR))
    return changes


def _change(old_path: str, old: Listed | None, new_path: str, new: Listed | None, row: ListedFile | None) -> FileChange:
    base, head = _version(old_path, old), _version(new_path, new)
    status = FileStatus.MODIFIED if old_path == new_path else FileStatus.RENAMED
    if base is None or head is None:
        status = FileStatus.ADDED if base is None else FileStatus.DELETED
    changed_type = base is not None and head is not None and base.kind is not head.kind
    fits = row is not None and row.sha == (new or old or row).sha
    hunks = hunks_of(row.patch) or () if row is not None and fits and not changed_type else ()
    return FileChange(FileStatus.TYPE_CHANGED if changed_type else status, base, head, hunks)


def _version(path: str, entry: Listed | None) -> FileVersion | None:
    if entry is None:
        return None
    return FileVersion(path, entry.mode, entry.sha, kind_of_mode(entry.mode) or FileKind.TEXT)
