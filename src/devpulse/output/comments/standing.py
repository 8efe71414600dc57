"""What our own account has already said on a pull request, and what others answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from devpulse.core.finding import FindingSource
from devpulse.output.comments.marker import CLOSING_NOTES, SummaryMark, ThreadNote


@dataclass(frozen=True, slots=True)
class Ignore:
    """Somebody asked in a thread to set its finding aside. ``why`` is theirs, and may be empty."""

    login: str
    why: str


@dataclass(frozen=True, slots=True)
class IgnoreRequest:
    """Somebody asked in the conversation to set the finding aside whose fingerprint begins so."""

    login: str
    beginning: str
    why: str


@dataclass(frozen=True, slots=True)
class StandingComment:
    """One inline comment of ours. ``id`` is GitHub's number of it, ``thread_id`` the node id of its thread.

    ``line`` is ``None`` when the code moved on and the comment is outdated. ``answered_by`` are the
    logins of the people who wrote in the thread, ``resolved_by`` who closed it (empty when open or unknown), ``own``
    our own login. ``ignores`` are the requests to set the finding aside, oldest first; whether they count is not
    known here. ``note`` is the last answer of ours, ``source`` who found it, both ``None`` when not told.
    ``can_resolve`` is what GitHub says of our token.
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
    own: str = ""
    ignores: tuple[Ignore, ...] = ()
    note: ThreadNote | None = None
    source: FindingSource | None = None
    can_resolve: bool = True

    @property
    def closed_by_us(self) -> bool:
        """Whether a run of ours closed the thread. The same account may be a person's: then no answer of ours says
        why it was closed."""
        ours = not self.resolved_by or self.resolved_by == self.own
        return self.resolved and ours and self.note in CLOSING_NOTES


@dataclass(frozen=True, slots=True)
class StandingSummary:
    """Our summary comment, with what its marker says."""

    id: int
    mark: SummaryMark
    url: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything of ours that stands, oldest first. ``head_sha`` is where the pull request's head was meanwhile, empty
    if nothing was read. ``requests`` are those in the conversation, oldest first; whether they count is not known
    here."""

    comments: tuple[StandingComment, ...] = ()
    summary: StandingSummary | None = None
    head_sha: str = ""
    requests: tuple[IgnoreRequest, ...] = ()

    def fingerprints(self) -> frozenset[str]:
        """The findings that have a comment, resolved ones included."""
        return frozenset(comment.fingerprint for comment in self.comments)


def duplicates(standing: Standing) -> Iterator[StandingComment]:
    """Comments that say what an older one says: two runs may post within one round trip.

    One that was answered or closed is somebody's by now.
    """
    seen: set[str] = set()
    for comment in sorted(standing.comments, key=lambda each: each.id):
        if comment.fingerprint in seen and not (comment.resolved or comment.answered_by or comment.note):
            yield comment
        seen.add(comment.fingerprint)
