"""Another run of a workflow, whose results this one publishes: what GitHub's event says of it."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.event import NothingToDo

OTHER_RUN_EVENT = "workflow_run"
"""The event that starts a workflow when another one has ended."""


@dataclass(frozen=True, slots=True)
class OtherRun:
    """The run that ended. ``event`` is what started it. ``head_repository`` (``owner/name``) is ``None`` when the fork
    was deleted; ``head_branch`` and ``head_sha`` are what it ran on. ``url`` is its page.

    GitHub says all this, not the run itself, whose artifacts may hold anything.
    """

    event: str
    head_repository: str | None
    head_branch: str | None
    head_sha: str
    url: str


def reason_not_to_publish(run: OtherRun) -> NothingToDo | None:
    """Why the results of a run belong to no pull request, ``None`` when they may."""
    if run.event != "pull_request":
        return NothingToDo("not-a-pull-request", f"The other run was started by {run.event}, not by a pull request.")
    if run.head_repository is None or run.head_branch is None:
        return NothingToDo("head-gone", "The branch or the fork that the other run reviewed was deleted.")
    return None
