"""A fake GitHub's pull request opened as a source, and the workspaces a runner may have for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fakes.github import FakeGitHub
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.github.client import Calls, Pace, Patience, connect
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.source import PullRequestSource
from devpulse.core.change import FileChange, FileVersion

QUICK = Pace(timeout=5, first_retry=0.001)


@contextmanager
def opened(
    hub: FakeGitHub, checkout: Path | None = None, head: str | None = None, calls: Calls | None = None
) -> Iterator[Any]:
    """A source for the fake's pull request; ``checkout`` is the folder of the workspace."""
    client = connect(hub.url, hub.token, pace=QUICK, calls=calls or Calls(), patience=Patience(2.0))
    repository = None if checkout is None else Repository.open(checkout)
    pull = PullRequestId(hub.pull.repository, hub.pull.number)
    source = PullRequestSource(pull, client, repository, head)
    try:
        yield source
    finally:
        source.close()
        client.close()
        if repository is not None:
            repository.close()


def by_git(repo: Repo, base: str = "main", head: str = "work") -> Any:
    """What git says of the change in the full repository."""
    with Repository.open(repo.root) as repository:
        return GitRangeSource(repository, base, head).load()


def shown_by_json(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """The changes with their names as JSON carries them."""

    def renamed(version: FileVersion | None) -> FileVersion | None:
        if version is None:
            return None
        return replace(version, path=version.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))

    return tuple(replace(change, base=renamed(change.base), head=renamed(change.head)) for change in changes)


def workspace(repo: Repo, folder: Path, kind: str) -> Path | None:
    """A checkout of ``repo`` as a workflow makes it: the folder, or ``None`` for no checkout."""
    url, target = f"file://{repo.root}", Repo(folder / kind)
    match kind:
        case "none":
            return None
        case "empty":
            pass
        case "full":
            target.git("fetch", "-q", url, "main", "work")
            target.git("checkout", "-q", repo.git("rev-parse", "work"))
        case "merge commit":
            target.git("fetch", "-q", "--depth=1", url, "merged")
            target.git("checkout", "-q", "FETCH_HEAD")
        case "base commit":
            target.git("fetch", "-q", "--depth=1", url, "main")
            target.git("checkout", "-q", "FETCH_HEAD")
        case "head commit":
            target.git("fetch", "-q", "--depth=1", url, "work")
            target.git("checkout", "-q", "FETCH_HEAD")
        case "partial":
            shutil.rmtree(target.root)
            target.git(
                "clone", "-q", "--no-checkout", "--filter=blob:none", "--no-local", url, str(target.root), cwd=folder
            )
        case _:
            raise AssertionError(kind)
    return target.root
