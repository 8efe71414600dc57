"""A git repository as DevPulse sees it: commits, trees and differences; never its settings, never written to."""

from __future__ import annotations

import re
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

from devpulse.adapters.git.assembly import Assembly
from devpulse.adapters.git.difftree import diff_trees
from devpulse.adapters.git.kinds import blob_beginning
from devpulse.adapters.git.layout import Layout, find_layout
from devpulse.adapters.git.objects import ObjectReader
from devpulse.adapters.git.process import failed
from devpulse.adapters.git.scratch import EMPTY_TREES, Scratch
from devpulse.adapters.git.snapshot import WorkingFiles
from devpulse.adapters.git.tree import GitTree
from devpulse.core.change import FileChange
from devpulse.errors import NoCommonAncestor, RevisionNotFound

_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?([^:/@]+)(?::\d+)?/|(?:[^@/]+@)?([^:/@]+):)([\w.-]+/[\w.-]+?)(?:\.git)?/?"
)
_DEFAULT_BASES = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/remotes/origin/main",
    "refs/heads/master",
    "refs/remotes/origin/master",
)


class Repository:
    """An open repository. A context manager; closing ends git and deletes the scratch folder.

    Safe to use from several threads. Left open, it is closed when it is collected or Python ends.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._scratch = Scratch(layout)
        self._git = self._scratch.git
        self._reader = ObjectReader(self._git)
        self._close = weakref.finalize(self, _close, self._scratch, self._reader)

    @classmethod
    def open(cls, path: Path | str = ".") -> Self:
        """Open the repository that ``path`` is in.

        Raises:
            RepositoryNotFound: there is none.
            SourceError: git is missing or too old for it.
        """
        return cls(find_layout(Path(path)))

    def close(self) -> None:
        """End git and delete the scratch folder. Trees of the repository cannot be read afterwards."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def root(self) -> Path:
        """The folder of the working tree, or of the bare repository."""
        return self._layout.root

    @property
    def bare(self) -> bool:
        """Whether there is no working tree."""
        return self._layout.bare

    @property
    def shallow(self) -> bool:
        """Whether history was cut off by a shallow clone; a merge base may then be an older one than the true one."""
        return (self._scratch.git_dir / "shallow").exists()

    @property
    def empty_tree(self) -> str:
        """The id of the tree without files."""
        return EMPTY_TREES[self._scratch.object_format]

    @property
    def object_format(self) -> str:
        """How objects are named: ``sha1`` or ``sha256``."""
        return self._scratch.object_format

    def resolve(self, ref: str) -> str:
        """The commit a branch, tag, id or other revision names.

        Raises:
            RevisionNotFound: there is none.
        """
        found = self.find(ref)
        if found is not None:
            return found
        if ref == "HEAD":
            hint = "Commit something first, or review without --head: the working tree is then compared."
        elif self.shallow:
            hint = f"This is a shallow clone: run git fetch --unshallow origin, or git fetch origin {_shown(ref)}."
        else:
            hint = "Check the spelling, or fetch it first: git fetch origin."
        raise RevisionNotFound(f"{_shown(ref)} is not a commit in {str(self.root)!r}.", hint=hint)

    def find(self, ref: str) -> str | None:
        """Like ``resolve``, but ``None`` when there is no such commit."""
        if not ref or ref.startswith("-") or not ref.isprintable():
            return None
        done = self._git.run(["rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}"])
        sha = done.output.decode("ascii", "replace").strip()
        return sha if done.status == 0 and _OBJECT_ID.fullmatch(sha) else None

    def default_base(self) -> str:
        """The reference changes are usually made against: origin's HEAD, else main, else master.

        Raises:
            RevisionNotFound: there is none of them.
        """
        for ref in _DEFAULT_BASES:
            if self.find(ref) is not None:
                return ref
        raise RevisionNotFound(
            "There is no branch to compare with: no origin/HEAD, main or master.",
            hint="Name one with --base, for example --base HEAD for what is not committed yet.",
        )

    def origin_on(self, host: str) -> str | None:
        """The ``owner/name`` that the remote ``origin`` has on a host, in lower case; ``None`` when it is elsewhere."""
        url = self._scratch.settings.get("remote.origin.url", "")
        match = _REMOTE.fullmatch(url)
        return match.group(3) if match and host in match.groups()[:2] else None

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor of two commits, which must be ids.

        Raises:
            NoCommonAncestor: there is none, or it was cut off.
            SourceError: git failed.
        """
        done = self._git.run(["merge-base", one, other])
        if done.status == 0:
            return done.output.decode().split()[0]
        if done.status != 1:
            raise failed("merge-base", done.complaint)
        if self.shallow:
            raise NoCommonAncestor(
                f"{one[:12]} and {other[:12]} have no common ancestor in this shallow clone.",
                hint="Fetch the whole history: git fetch --unshallow (actions/checkout: fetch-depth: 0).",
            )
        raise NoCommonAncestor(
            f"{one[:12]} and {other[:12]} have no common ancestor.",
            hint="Choose a --base that the head was branched off from.",
        )

    def changes(self, old: str, new: str) -> tuple[FileChange, ...]:
        """The files that differ between two commits or trees, which must be ids.

        Raises:
            SourceError: git failed, most likely for a missing object.
        """
        return diff_trees(self._scratch, self._reader, old, new)

    def tree(self, sha: str) -> GitTree:
        """The files of a commit or tree, which must be an id."""
        return GitTree(self._git, self._reader, sha)

    def blob(self, sha: str) -> bytes | None:
        """The content of a file by its object id, or ``None`` when the repository lacks it."""
        return self._reader.read(sha) if _OBJECT_ID.fullmatch(sha) else None

    def blob_beginning(self, sha: str) -> bytes:
        """The first ``BINARY_PROBE_BYTES`` of a file that is there, by its object id."""
        return blob_beginning(self._git, sha)

    def assembly(self) -> Assembly:
        """A place to compare files that are not all here; it is as long-lived as the repository."""
        return Assembly(self._scratch, self._reader)

    def working_files(self, exclude: frozenset[str] = frozenset(), index: Path | None = None) -> WorkingFiles:
        """The files of the working tree, as they are now; ``exclude`` are paths to leave out.

        ``index`` is the one that ``git commit`` names to its hooks, if it does."""
        return WorkingFiles(self._scratch, self._layout, self._reader, exclude, index)


def _close(scratch: Scratch, reader: ObjectReader) -> None:
    if scratch.owned:
        reader.close()
        scratch.remove()


def _shown(ref: str) -> str:
    return repr(ref if len(ref) <= 100 else ref[:100] + "…")
