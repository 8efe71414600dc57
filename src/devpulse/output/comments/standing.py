"""What our own account has already said on a pull request."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.output.comments.marker import SummaryMark


@dataclass(frozen=True, slots=True)
class StandingComment:
    """One inline comment of ours. ``id`` is GitHub's number of it, ``thread_id`` the node id of its thread.

    ``line`` is ``None`` when the code moved on and the comment is outdated. ``answered_by`` are the
    logins of the others who wrote in the thread, ``resolved_by`` who closed it (empty when open or unknown).
    """

    id: int
    thread_id: str
    fingerprint: str
    path: str
    line: int | None
    resolved: bool
    resolved_by: str
    answered_by: tuple[str, ...]
    url: str


@dataclass(frozen=True, slots=True)
class StandingSummary:
    """Our summary comment, with what its marker says."""

    id: int
    mark: SummaryMark
    url: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything of ours that stands, oldest first. ``head_sha`` is where the pull request's head was meanwhile, empty
    if nothing was read."""

    comments: tuple[StandingComment, ...] = ()
    summary: StandingSummary | None = None
    head_sha: str = ""

    def fingerprints(self) -> frozenset[str]:
        """The findings that have a comment, resolved ones included."""
        return frozenset(comment.fingerprint for comment in self.comments)
