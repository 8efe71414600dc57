"""Changes in a git repository: a range of commits, the working tree, or every file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.folder import added_file, is_below, unread_folder
from devpulse.adapters.git.repository import Repository
from devpulse.adapters.git.snapshot import LINK, SUBMODULE, WorkingFiles
from devpulse.adapters.git.tree import GitTree
from devpulse.adapters.overlay import OverlayTree
from devpulse.adapters.work_tree import WorkTree, read_link
from devpulse.core.change import ChangeSet, FileChange, FileKind, FileStatus, FileVersion, PullRequest
from devpulse.core.content import blob_id, large_file, unread_file, whole_file
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.errors import RevisionNotFound, SourceError

RUNG = "local git"


@dataclass(frozen=True, slots=True)
class _Sides:
    base: GitTree
    head: GitTree


class _Loaded:
    """The two trees of a source, known once it has been loaded."""

    _sides: _Sides | None = None

    def head(self) -> GitTree:
        """The tree of the head side; valid after ``load``."""
        return self._loaded().head

    def base(self) -> GitTree:
        """The tree of the base side; valid after ``load``."""
        return self._loaded().base

    def _loaded(self) -> _Sides:
        if self._sides is None:
            raise ValueError("load the source before asking for its trees")
        return self._sides


class GitRangeSource(_Loaded):
    """What ``head`` adds since it left ``base``: the difference from their merge base to ``head``."""

    def __init__(self, repository: Repository, base: str, head: str) -> None:
        self._repository = repository
        self._base = base
        self._head = head

    def load(self) -> ChangeSet:
        """Read the change.

        Raises:
            RevisionNotFound: base or head is not there.
            NoCommonAncestor: they share no history.
            SourceError: git failed.
        """
        repository = self._repository
        head = repository.resolve(self._head)
        base = repository.merge_base(repository.resolve(self._base), head)
        self._sides = _Sides(repository.tree(base), repository.tree(head))
        reason = "base and head objects are both here"
        if repository.shallow:
            reason += "; the clone is shallow, so the merge base may be older than the true one"
        return ChangeSet(PullRequest(base, head), repository.changes(base, head), RUNG, reason)


class WorkingTreeSource(_Loaded):
    """What the working tree adds since its branch left ``base`` (the default base when not given).

    The head side is a snapshot of the files on disk at the time of ``load``. With ``staged`` it is the index
    (``index``, when git names another one to its hooks), by default against HEAD: what the next commit would change.
    Before the first commit every file counts as added.
    """

    def __init__(
        self,
        repository: Repository,
        base: str | None = None,
        *,
        staged: bool = False,
        exclude: frozenset[str] = frozenset(),
        index: Path | None = None,
    ) -> None:
        self._repository = repository
        self._base = base
        self._staged = staged
        self._index = index
        self._exclude = exclude

    def load(self) -> ChangeSet:
        """Read the change.

        Raises:
            RevisionNotFound: the base is not there, or the repository is bare.
            NoCommonAncestor: HEAD and the base share no history.
            SourceError: a file cannot be read, or git failed.
        """
        repository = self._repository
        if repository.bare:
            raise RevisionNotFound(
                f"{str(repository.root)!r} is a bare repository, without a working tree.",
                hint="Name what to review with --base and --head.",
            )
        files = repository.working_files(self._exclude, self._index if self._staged else None)
        head = files.staged_tree() if self._staged else files.tree()
        base, reason = self._find_base()
        self._sides = _Sides(repository.tree(base), repository.tree(head))
        changes = (*repository.changes(base, head), *_unseen(files))
        kept = tuple(change for change in changes if not is_below(change.path, self._exclude))
        what = "the index" if self._staged else "the working tree"
        return ChangeSet(PullRequest(base, None), kept, RUNG, f"{what} against {reason}")

    def _find_base(self) -> tuple[str, str]:
        repository = self._repository
        head = repository.find("HEAD")
        if head is None and self._base is None:
            return repository.empty_tree, "nothing, as there is no commit yet"
        if self._staged and self._base is None:
            return repository.resolve("HEAD"), "HEAD"
        ref = self._base or repository.default_base()
        base = repository.merge_base(repository.resolve("HEAD"), repository.resolve(ref))
        return base, f"the merge base with {ref}"


class GitScanSource:
    """Every file as if it had just been added: tracked ones and untracked ones that are not ignored.

    In a bare repository, the files of HEAD.
    """

    def __init__(self, repository: Repository, exclude: frozenset[str] = frozenset()) -> None:
        self._repository = repository
        self._exclude = exclude
        self._tree: GitTree | WorkTree | None = None

    def load(self) -> ChangeSet:
        """Read every file.

        Raises:
            RevisionNotFound: the repository is bare and has no commit.
            SourceError: a file cannot be read, or git failed.
        """
        changes = self._load_bare() if self._repository.bare else self._load_working()
        what = "the files of HEAD" if self._repository.bare else "the files of the working tree"
        return ChangeSet(None, tuple(changes), RUNG, f"{what}, every one as added")

    def head(self) -> GitTree | WorkTree:
        """The tree of all files; valid after ``load``."""
        if self._tree is None:
            raise ValueError("load the source before asking for its trees")
        return self._tree

    def base(self) -> OverlayTree:
        """The empty tree."""
        return OverlayTree({})

    def _load_bare(self) -> list[FileChange]:
        tree = self._tree = self._repository.tree(self._repository.resolve("HEAD"))
        entries = tree.entries()
        paths = [path for path in entries if not is_below(path, self._exclude)]
        large = {path for path in paths if entries[path].size > DIFF_LIMIT_BYTES}
        found = {
            path: whole_file(path, entries[path].mode, data, entries[path].sha)
            for path, data in tree.read_many(path for path in paths if path not in large)
        }
        for path in large:
            entry = entries[path]
            found[path] = large_file(path, entry.mode, self._repository.blob_beginning(entry.sha), entry.sha)
        lacking = [path for path in paths if path not in found]
        if lacking:
            raise SourceError(f"The object of {lacking[0]!r} is missing.", hint="Clone the repository in full.")
        return [found[path] for path in paths]

    def _load_working(self) -> list[FileChange]:
        files = self._repository.working_files(self._exclude)
        tracked = files.tracked()
        submodules = {path: entry.sha for path, entry in tracked.items() if entry.mode == SUBMODULE}
        wanted = sorted({*tracked, *files.untracked()} - submodules.keys())
        present = dict(files.present(path for path in wanted if not is_below(path, self._exclude)))
        regular = [path for path, found in present.items() if found.mode != LINK]
        tree = self._tree = WorkTree(self._repository.root, regular)
        algorithm = self._repository.object_format
        changes = [
            self._link(path, algorithm) if found.mode == LINK else added_file(tree, path, found.mode, algorithm)
            for path, found in present.items()
        ]
        modules = [_submodule(path, sha) for path, sha in submodules.items()]
        return sorted([*changes, *modules, *_unseen(files)], key=lambda change: change.path)

    def _link(self, path: str, algorithm: str) -> FileChange:
        with suppress(OSError):  # gone since it was listed
            target = read_link(self._repository.root, path)
            return whole_file(path, LINK, target, blob_id(target, algorithm))
        return unread_file(path, LINK)


def _unseen(files: WorkingFiles) -> list[FileChange]:
    """What stands for the files that were not looked at: in locked folders, and in repositories of their own."""
    return [*map(unread_folder, files.unread), *(_submodule(path, None) for path in files.nested)]


def _submodule(path: str, sha: str | None) -> FileChange:
    return FileChange(FileStatus.ADDED, None, FileVersion(path, SUBMODULE, sha, FileKind.SUBMODULE), ())
