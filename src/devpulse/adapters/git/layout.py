"""Where a repository keeps its parts. Only file names and a few one-line files are looked at, never its settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.regular_files import read_regular
from devpulse.errors import RepositoryNotFound, SourceError

_POINTER_BYTES = 4096 + len("gitdir: \n")
"""A path has at most 4,096 bytes on Linux (PATH_MAX)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``root``: the folder with the files (or the bare repository). ``git_dir``: HEAD and index of this
    checkout. ``common``: objects, references and settings, which the worktrees of a repository share.
    """

    root: Path
    git_dir: Path
    common: Path
    bare: bool


def find_layout(path: Path) -> Layout:
    """Find the repository that ``path`` is in, looking upwards as git does.

    Raises:
        RepositoryNotFound: there is none, or ``path`` is no folder.
        SourceError: it cannot be known, for want of permission, say.
    """
    try:
        return _find_layout(path)
    except OSError as error:
        raise SourceError(
            f"The repository of {str(path)!r} cannot be read: {error.strerror}.",
            hint="Check the owner and permissions of the folder and of its .git.",
        ) from error


def _find_layout(path: Path) -> Layout:
    if not path.is_dir():
        what = "is a file" if path.exists() else "does not exist"
        raise RepositoryNotFound(f"{str(path)!r} {what}.", hint="Give the path of a folder in a git repository.")
    start = path.resolve()
    if start.name == ".git" and _is_git_dir(start):
        return Layout(start.parent, start, _common(start), bare=False)
    if not (start / ".git").exists() and _is_git_dir(start):
        return Layout(start, start, _common(start), bare=True)
    for folder in (start, *start.parents):
        git_dir = _git_dir_of(folder)
        if git_dir is not None:
            return Layout(folder, git_dir, _common(git_dir), bare=False)
    raise RepositoryNotFound(
        f"There is no git repository in or above {str(path)!r}.",
        hint="Run DevPulse in a checkout, or use scan for a plain folder, or review --diff FILE for a patch.",
    )


def _git_dir_of(folder: Path) -> Path | None:
    entry = folder / ".git"
    if entry.is_dir():
        return entry if _is_git_dir(entry) else None
    if not entry.is_file():
        return None
    pointer = read_line(entry)
    if not pointer.startswith("gitdir: "):
        return None
    git_dir = folder / pointer.removeprefix("gitdir: ")
    if not _is_git_dir(git_dir):
        raise RepositoryNotFound(
            f"{str(entry)!r} points to {str(git_dir)!r}, which is not a git folder.",
            hint="The worktree or submodule was moved: run git worktree repair, or git submodule update --init.",
        )
    return git_dir


def _common(git_dir: Path) -> Path:
    pointer = git_dir / "commondir"
    return git_dir / read_line(pointer) if pointer.is_file() else git_dir


def _is_git_dir(folder: Path) -> bool:
    head = folder / "HEAD"
    if not (head.is_symlink() or head.is_file()):
        return False
    common = _common(folder)
    return (common / "objects").is_dir() and (common / "refs").exists()


def read_line(file: Path) -> str:
    """The first line of a small file, as a path or reference name; empty when it cannot be read."""
    try:
        return os.fsdecode(read_regular(file, _POINTER_BYTES).split(b"\n", 1)[0].rstrip(b"\r"))
    except OSError:
        return ""
