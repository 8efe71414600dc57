"""The files that git tracks, as they are now: nothing of them is read before it is asked for."""

from __future__ import annotations

from devpulse.adapters.git.repository import Repository
from devpulse.adapters.git.tree import REGULAR, GitTree
from devpulse.adapters.work_tree import WorkTree


def tracked_tree(repository: Repository) -> GitTree | WorkTree:
    """The tracked regular files of the working tree; of a bare repository, those of HEAD.

    Raises:
        RevisionNotFound: the repository is bare and has no commit.
        SourceError: git failed.
    """
    if repository.bare:
        return repository.tree(repository.resolve("HEAD"))
    tracked = repository.working_files().tracked()
    return WorkTree(repository.root, [path for path, staged in tracked.items() if staged.mode in REGULAR])
