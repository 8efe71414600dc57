"""The lines that changed, found by git from the files of both sides, wherever each of them comes from.

GitHub's patches leave files out without a word. They save requests, as one side of a file and a patch give the
other side; they are shown only for files that cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from devpulse.adapters.git.assembly import Assembly, Listed
from devpulse.adapters.github.blobs import Blobs
from devpulse.adapters.github.listing import Differing, as_in_json
from devpulse.adapters.github.patches import derive
from devpulse.adapters.github.replies import ListedFile
from devpulse.adapters.github.unread import unlisted_changes, unread_changes
from devpulse.core.change import FileChange, Side
from devpulse.core.diff_headers import encode_name

_SUBMODULE = "160000"

SizeOf = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class Compared:
    """Every changed file. The content of ``unread`` ones cannot be had; GitHub's patch tells of some of them."""

    files: tuple[FileChange, ...]
    unread: frozenset[str]


def compare(
    found: Differing, rows: Callable[[], Sequence[ListedFile]], assembly: Assembly, blobs: Blobs, size_of: SizeOf
) -> Compared:
    """Every changed file with its lines; ``rows`` is asked only if something is missing.

    Raises:
        GitHubError: GitHub cannot be asked.
        SourceError: git failed.
    """
    entries = {entry.sha: entry for side in (found.old, found.new) for entry in side.values()}
    missing = blobs.missing(sha for sha, entry in entries.items() if entry.mode != _SUBMODULE)
    objects = _Objects(entries, missing, blobs, size_of)
    listed = rows() if missing or not found.complete else ()
    if missing:
        _complete(objects, found, listed)
    unread = unread_changes(found, missing, listed)
    out = {version.path for change in unread for version in (change.base, change.head) if version is not None}
    old, new = ({path: entry for path, entry in side.items() if path not in out} for side in (found.old, found.new))
    if not found.complete:
        unread += unlisted_changes(found, listed)
    files = sorted([*assembly.changes(old, new), *unread], key=lambda change: encode_name(change.path))
    return Compared(tuple(files), frozenset(change.path for change in unread))


@dataclass(frozen=True, slots=True)
class _Objects:
    """The files of both sides by their ids. What is found is taken out of ``missing``."""

    entries: Mapping[str, Listed]
    missing: set[str]
    blobs: Blobs
    size_of: SizeOf

    def derive(self, known: str | None, patch: str, to: Side, sha: str) -> None:
        """Get a file from the one on its other side, which is here or does not exist, and a patch."""
        data = b"" if known is None else self.blobs.local([known])[0]
        derived = None if data is None else derive(data, patch, to, sha)
        if derived is not None:
            self.blobs.keep(derived)
            self.missing.discard(sha)

    def fetch(self, sha: str) -> None:
        """Get a file from GitHub."""
        size = self.entries[sha].size
        if self.blobs.fetch(sha, self.size_of(sha) if size is None else size) is not None:
            self.missing.discard(sha)


def _complete(objects: _Objects, found: Differing, rows: Sequence[ListedFile]) -> None:
    """Make the missing files be here, by patches where they lead to the very object, else by asking for them."""
    old_shas = {as_in_json(path): entry.sha for path, entry in found.old.items()}
    for row in rows:
        if row.patch is not None:
            old = None if row.status == "added" else old_shas.get(row.previous_filename or row.filename)
            new = None if row.status == "removed" or row.sha not in objects.entries else row.sha
            _by_patch(objects, old, new, row.patch)
    for side in (found.new, found.old):
        for entry in side.values():
            if entry.sha in objects.missing:
                objects.fetch(entry.sha)


def _by_patch(objects: _Objects, old: str | None, new: str | None, patch: str) -> None:
    """Get both sides of a file, with one request at most; ``None`` is a side that does not exist."""
    missing = objects.missing
    if not {old, new} & missing:
        return
    if new is not None and {old, new} <= missing:
        objects.fetch(new)
    if old is not None and old in missing and new not in missing:
        objects.derive(new, patch, Side.LEFT, old)
    elif new is not None and new in missing and old not in missing:
        objects.derive(old, patch, Side.RIGHT, new)
