"""Git, read through the git binary without running or trusting anything of the repository."""

from __future__ import annotations

from devpulse.adapters.git.repository import Repository
from devpulse.adapters.git.sources import GitRangeSource, GitScanSource, WorkingTreeSource
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.adapters.git.tree import GitTree

__all__ = ["GitRangeSource", "GitScanSource", "GitTree", "Repository", "WorkingTreeSource", "tracked_tree"]
