"""Rules over the workflows and actions of GitHub: what outsiders write must not run with a repository's rights."""

from __future__ import annotations

from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source

_PATH = lazy(r"^\.github/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$")


def is_workflow(source: Source) -> bool:
    """Whether a file is a workflow or the description of an action."""
    return source.path.endswith((".yml", ".yaml")) and _PATH.search(source.path) is not None
