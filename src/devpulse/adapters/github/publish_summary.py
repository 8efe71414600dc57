"""Posting the summary comment: one for a pull request, looked up just before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from devpulse.adapters.github.writes import PullRequestWrites
from devpulse.core.review import Report
from devpulse.errors import GitHubNotFound, GitHubUnavailable
from devpulse.output.comments.marker import SummaryMark
from devpulse.output.comments.plan import Unplaced
from devpulse.output.comments.standing import StandingSummary
from devpulse.output.comments.sticky import SummaryMode, is_wanted, render_sticky, summary_mark


def is_overtaken(writes: PullRequestWrites, reviewed: str, summary: StandingSummary | None, current: str) -> bool:
    """Whether the summary that stands is that of a newer run than one that ``reviewed`` a commit, the head being at
    ``current`` now.

    Raises:
        GitHubError: it cannot be told.
    """
    if summary is None or reviewed in (summary.mark.head_sha, current):
        return False
    known = summary.mark.head_sha
    return known == current or not writes.is_ancestor(known, reviewed)


@dataclass(slots=True)
class SummaryPosting:
    """Writes the summary of a masked report on ``head_sha``; ``stands`` is the one that is known to stand."""

    writes: PullRequestWrites
    report: Report
    head_sha: str
    mode: SummaryMode
    run_url: str
    stands: StandingSummary | None
    url: str = field(default="", init=False)

    def post(self, unplaced: Sequence[Unplaced]) -> None:
        """Write it where it is wanted and would say something new. ``url`` is that of the summary, ours or not.

        Raises:
            GitHubError: it could not be written.
        """
        self.url = self.stands.url if self.stands else ""
        if not is_wanted(self.report, self.mode, stands=self.stands is not None):
            return
        mark = summary_mark(self.report, self.head_sha, unplaced)
        if (self.stands and self.stands.mark == mark) or not self._is_due(mark):
            return
        body = render_sticky(self.report, mark, unplaced, run_url=self.run_url, heading=self.writes.heading)
        try:
            self._write(body)
        except GitHubUnavailable:
            self.writes.pauses.sleep(self.writes.pauses.read_back)
            if self._is_due(mark):  # else the answer got lost, but the summary arrived
                self._write(body)

    def _is_due(self, mark: SummaryMark) -> bool:
        """Look what stands now: since it was read another run may have written this summary, or a newer one."""
        standing = self.writes.standing()
        self.stands = standing.summary
        self.url = self.stands.url if self.stands else ""
        if self.stands and self.stands.mark == mark:
            return False
        return not is_overtaken(self.writes, self.head_sha, self.stands, standing.head_sha)

    def _write(self, body: str) -> None:
        if self.stands:
            try:
                self.writes.edit_summary(self.stands.id, body)
            except GitHubNotFound:
                pass  # somebody has deleted it since it was read
            else:
                return
        self.url = self.writes.create_summary(body)
