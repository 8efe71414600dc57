"""The lines that changed, found by git from the files of both sides, wherever each of them comes from.

GitHub's patches leave files out without a word. They save requests, as one side of a file and a patch give the
other side; they are shown only for files that cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devpulse.adapters.git.assembly import Assembly, Listed
from devpulse.adapters.github.blobs import Blobs
from devpulse.adapters.github.listing import Differing, as_in_json
from devpulse.adapters.github.patches import derive
from devpulse.adapters.github.replies import Row
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
    found: Differing, rows: Callable[[], Sequence[Row]], assembly: Assembly, blobs: Blobs, size_of: SizeOf
) -> Compared:
    """Every changed file with its lines; ``rows`` is asked only if something is missing.

    Raises:
        GitHubError: GitHub cannot be asked.
        SourceError: git failed.
    """
    entries = {entry.sha: entry for side in (found.old, found.new) for entry in side.values()}
    missing = blobs.missing(sha for sha, entry in entries.items() if entry.mode != _SUBMODULE)
    listed = rows() if missing or not found.complete else ()
    if missing:
        _Completion(found, entries, blobs, size_of, missing).run(listed)
    unread = unread_changes(found, missing, listed)
    out = {version.path for change in unread for version in (change.base, change.head) if version is not None}
    old, new = ({path: entry for path, entry in side.items() if path not in out} for side in (found.old, found.new))
    if not found.complete:
        unread += unlisted_changes(found, listed)
    files = sorted([*assembly.changes(old, new), *unread], key=lambda change: encode_name(change.path))
    return Compared(tuple(files), frozenset(change.path for change in unread))


class _Completion:
    """Makes the missing files be here, by patches where they lead to the very object, else by asking for it.

    What is found is taken out of ``missing``.
    """

    def __init__(
        self, found: Differing, entries: dict[str, Listed], blobs: Blobs, size_of: SizeOf, missing: set[str]
    ) -> None:
        self._old_shas = {as_in_json(path): entry.sha for path, entry in found.old.items()}
        self._found = found
        self._entries = entries
        self._blobs = blobs
        self._size_of = size_of
        self._missing = missing

    def run(self, rows: Sequence[Row]) -> None:
        """Do it."""
        for row in rows:
            if row.patch is not None:
                self._by_patch(row, row.patch)
        for side in (self._found.new, self._found.old):
            for entry in side.values():
                if entry.sha in self._missing:
                    self._fetch(entry.sha)

    def _by_patch(self, row: Row, patch: str) -> None:
        old = None if row.status == "added" else self._old_shas.get(row.previous_filename or row.filename)
        new = None if row.status == "removed" or row.sha not in self._entries else row.sha
        if not {old, new} & self._missing:
            return
        if {old, new} <= self._missing:
            self._fetch(new or "")
        if old is not None and old in self._missing and new not in self._missing:
            self._derive(new, patch, Side.LEFT, old)
        elif new is not None and new in self._missing and old not in self._missing:
            self._derive(old, patch, Side.RIGHT, new)

    def _derive(self, known: str | None, patch: str, to: Side, sha: str) -> None:
        data = b"" if known is None else self._blobs.local([known])[0]
        derived = None if data is None else derive(data, patch, to, sha)
        if derived is not None:
            self._blobs.keep(derived)
            self._missing.discard(sha)

    def _fetch(self, sha: str) -> None:
        size = self._entries[sha].size
        if self._blobs.fetch(sha, self._size_of(sha) if size is None else size) is not None:
            self._missing.discard(sha)
