"""The pull request under review: which one, and what GitHub says of it."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.event import PullRequestState


@dataclass(frozen=True, slots=True)
class PullRequestId:
    """A pull request by its repository's full name (``owner/name``) and its number."""

    repository: str
    number: int

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


@dataclass(frozen=True, slots=True)
class PullRequestFacts:
    """A pull request as it is now. ``head_sha`` may be newer than the commit under review.

    ``base_ref`` is the branch it goes into. ``base_sha`` is a commit of that branch, often the one of the day the pull
    request was opened. ``head_repository`` is ``None`` when the fork was deleted.
    """

    number: int
    title: str
    draft: bool
    state: PullRequestState
    changed_files: int
    head_sha: str
    head_repository: str | None
    base_sha: str
    base_ref: str
    base_repository: str

    @property
    def trusted(self) -> bool:
        """Whether head and base are branches of one repository. GitHub compares names without regard to case."""
        return self.head_repository is not None and self.head_repository.lower() == self.base_repository.lower()
