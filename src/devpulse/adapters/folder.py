"""A plain folder as a change: every file as if it had just been added."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from devpulse.adapters.overlay import OverlayTree
from devpulse.adapters.work_tree import WorkTree, walk
from devpulse.core.change import ChangeSet, FileChange
from devpulse.core.content import blob_id, large_file, unread_file, whole_file
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.errors import SourceError

VCS_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"})
"""The only folders left out by name; what else is worth skipping is for include and exclude to say."""


def folder_tree(
    path: Path, exclude: frozenset[str] = frozenset(), unread: Callable[[str], None] | None = None
) -> WorkTree:
    """All regular files below ``path`` but those of version control and below a prefix in ``exclude``.

    Folders that cannot be listed are told to ``unread``.

    Raises:
        SourceError: it is not a folder, or cannot be listed.
    """
    if not path.is_dir():
        what = "is not a folder" if path.exists() else "does not exist"
        raise SourceError(f"{str(path)!r} {what}.", hint="Give the path of a folder, or none for the current one.")
    locked: list[str] = []
    found = [name for name in walk(path, VCS_FOLDERS, locked.append) if not is_below(name, exclude)]
    if "" in locked:
        raise SourceError(f"{str(path)!r} cannot be listed.", hint="Check its owner and permissions.")
    for folder in locked:
        if unread is not None and not is_below(folder.rstrip("/"), exclude):
            unread(folder)
    return WorkTree(path, found)


def is_below(path: str, prefixes: frozenset[str]) -> bool:
    """Whether ``path`` is one of ``prefixes`` or in a folder that is."""
    return any(path == prefix or path.startswith(prefix.rstrip("/") + "/") for prefix in prefixes)


def unread_folder(folder: str) -> FileChange:
    """What stands for all files of a folder that could not be listed; its name ends in a slash."""
    return unread_file(folder, "040000")


def added_file(tree: WorkTree, path: str, mode: str, algorithm: str = "sha1") -> FileChange:
    """A file on disk as if it had just been added; of a large one only the beginning is read."""
    if (tree.size(path) or 0) > DIFF_LIMIT_BYTES:
        beginning = tree.beginning(path)
        return unread_file(path, mode) if beginning is None else large_file(path, mode, beginning)
    data = tree.read(path)
    return unread_file(path, mode) if data is None else whole_file(path, mode, data, blob_id(data, algorithm))


class FolderSource:
    """``scan`` outside git. Symlinks are not followed."""

    def __init__(self, path: Path, exclude: frozenset[str] = frozenset()) -> None:
        self._unread: list[str] = []
        self._tree = folder_tree(path, exclude, self._unread.append)

    def load(self) -> ChangeSet:
        """Read every file; one that cannot be read stays in the change, without content; so does a folder."""
        tree = self._tree
        changes = [added_file(tree, path, tree.mode(path)) for path in tree.paths()]
        changes += map(unread_folder, self._unread)
        return ChangeSet(None, tuple(changes), "folder", "not a git repository: every file counts as added")

    def head(self) -> WorkTree:
        """The tree of the head side."""
        return self._tree

    def base(self) -> OverlayTree:
        """The tree of the base side."""
        return OverlayTree({})
