"""Where in a repository a folder is that someone asked about."""

from __future__ import annotations

from pathlib import Path


def scope_of(path: Path, root: Path) -> str:
    """Where below the repository's ``root`` the path is, with forward slashes; empty for all of it."""
    relative = path.resolve().relative_to(root)
    return "" if relative.parts[:1] in ((), (".git",)) else relative.as_posix()
