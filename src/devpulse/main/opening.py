"""Which source a request means, and what must be known about the place before anything is written there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from devpulse.adapters import git
from devpulse.adapters.artifacts import relative_output
from devpulse.adapters.folder import FolderSource, folder_tree, is_below
from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.patch_file import PatchFileSource
from devpulse.core.change import ChangeSet
from devpulse.errors import ConfigurationError, RepositoryNotFound
from devpulse.main.scope import scope_of
from devpulse.ports import ChangeSource
from devpulse.requests import ReviewRequest


@dataclass(frozen=True, slots=True)
class Opened:
    """A source ready to load. ``root`` is the folder that artifacts go below; ``tracked`` says
    whether git tracks anything at or below a path of it; ``close`` ends what was started to read it.
    ``scans``: every file counts as added, and the folder itself is the base. ``scope`` is the folder
    below ``root`` that the request is about, empty for all of it."""

    source: ChangeSource
    root: Path
    tracked: Callable[[str], bool]
    close: Callable[[], None]
    scans: bool = False
    scope: str = ""


def open_source(request: ReviewRequest, output_dir: str, index: str = "") -> Opened:
    """Find out what is to be reviewed. Artifacts of an earlier run in ``output_dir`` are no part of it.

    ``index`` is what ``GIT_INDEX_FILE`` says: with ``--staged`` the one that holds what is being committed.

    Raises:
        ConfigurationError: the patch file cannot be read.
        SourceError: there is no repository where one is needed, or it cannot be opened.
    """
    path = Path(request.path)
    repository = _repository(path)
    exclude = _artifacts(path if repository is None else repository.root, output_dir, repository)
    if request.diff is not None:
        return _open_patch(_read_patch(request.diff), path, repository, exclude)
    if request.command == "scan":
        if repository is None:
            return Opened(FolderSource(path, exclude), path, _nothing_tracked, _nothing_open, scans=True)
        return _opened(git.GitScanSource(repository, exclude), repository, path, scans=True)
    if repository is None:
        raise RepositoryNotFound(
            f"{path} is not in a git repository",
            hint="Run it inside a repository, pass a patch with --diff, or use devpulse scan.",
        )
    if request.head is not None:
        source: ChangeSource = git.GitRangeSource(repository, request.base or repository.default_base(), request.head)
    else:
        staged_in = Path(index) if index else None
        source = git.WorkingTreeSource(
            repository, request.base, exclude=exclude, staged=request.staged, index=staged_in
        )
    return _opened(source, repository, path)


def _artifacts(root: Path, output_dir: str, repository: git.Repository | None) -> frozenset[str]:
    # Beside a bare repository: a folder of that name inside it is the change's own.
    if repository is not None and repository.bare:
        return frozenset()
    return frozenset({relative_output(root, output_dir)})


def _open_patch(patch: bytes, path: Path, repository: git.Repository | None, exclude: frozenset[str]) -> Opened:
    if repository is None or repository.bare:
        return Opened(PatchFileSource(patch, folder_tree(path, exclude)), path, _nothing_tracked, _nothing_open)
    files = git.GitScanSource(repository, exclude)
    files.load()
    return _opened(PatchFileSource(patch, files.head()), repository, path)


def opened_at(source: ChangeSource, repository: git.Repository | None, path: Path, close: Callable[[], None]) -> Opened:
    """A change whose source may be elsewhere: artifacts go below the repository around ``path``, else below it."""
    if repository is None:
        return Opened(source, path, _nothing_tracked, close)
    return replace(_opened(source, repository, path), close=close)


def _opened(source: ChangeSource, repository: git.Repository, path: Path, *, scans: bool = False) -> Opened:
    if repository.bare:
        # There is no working tree to put artifacts into, and a repository is no place for them.
        return Opened(source, Path.cwd(), _nothing_tracked, repository.close, scans)
    scope = scope_of(path, repository.root)
    return Opened(source, repository.root, _tracked_in(repository), repository.close, scans, scope)


def narrowed(change_set: ChangeSet, scope: str) -> ChangeSet:
    """The change without the files that were below the folder ``scope`` on neither side."""
    if not scope:
        return change_set
    folders = frozenset({scope})
    kept = tuple(
        change
        for change in change_set.files
        if any(version is not None and is_below(version.path, folders) for version in (change.base, change.head))
    )
    return replace(change_set, files=kept)


def _tracked_in(repository: git.Repository) -> Callable[[str], bool]:
    def tracked(folder: str) -> bool:
        names = repository.working_files().tracked()
        return any(name == folder or name.startswith(f"{folder}/") for name in names)

    return tracked


def _repository(path: Path) -> git.Repository | None:
    try:
        find_layout(path)  # a plain folder needs nothing of git
        return git.Repository.open(path)
    except RepositoryNotFound:
        return None


def _nothing_tracked(_path: str) -> bool:
    return False


def _nothing_open() -> None:
    pass


def _read_patch(name: str) -> bytes:
    if name == "-" and sys.stdin is None:  # the caller closed it
        raise ConfigurationError("standard input is closed", hint="Pipe the patch in, or give a file to --diff.")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"the patch file {name} cannot be read: {error.strerror or error}", hint="Check the path given to --diff."
        ) from error
