"""Git, read through the git binary without running or trusting anything of the repository.

The names below are imported when first asked for: most of what compares commits is needed by no search.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from devpulse.adapters.git.repository import Repository
    from devpulse.adapters.git.sources import GitRangeSource, GitScanSource, WorkingTreeSource
    from devpulse.adapters.git.tree import GitTree

__all__ = ["GitRangeSource", "GitScanSource", "GitTree", "Repository", "WorkingTreeSource"]

_HOMES = {
    "GitRangeSource": "sources",
    "GitScanSource": "sources",
    "GitTree": "tree",
    "Repository": "repository",
    "WorkingTreeSource": "sources",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
