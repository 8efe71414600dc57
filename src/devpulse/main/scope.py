"""Where in a repository a folder is that someone asked about."""

from __future__ import annotations

from pathlib import Path

from devpulse.adapters.git import Repository


def scope_of(path: Path, repository: Repository) -> str:
    """Where in the repository ``path`` is, relative with forward slashes; empty for all of it."""
    if repository.bare:
        return ""
    relative = path.resolve().relative_to(repository.root)
    return "" if relative.parts[:1] in ((), (".git",)) else relative.as_posix()
