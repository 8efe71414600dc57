"""Posting the summary comment: one for a pull request, looked up just before it is written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from devpulse.adapters.github.writes import PullRequestWrites
from devpulse.core.review import Report
from devpulse.errors import GitHubNotFound, GitHubUnavailable
from devpulse.output.comments.marker import RunNumber, SummaryMark
from devpulse.output.comments.memory import remembered
from devpulse.output.comments.standing import Standing, StandingSummary
from devpulse.output.comments.sticky import SummaryMode, Told, is_wanted, render_sticky, summary_mark


def is_overtaken(
    writes: PullRequestWrites,
    reviewed: str,
    summary: StandingSummary | None,
    current: str,
    run: RunNumber | None = None,
) -> bool:
    """Whether the summary that stands is that of a newer run than ``run``, which ``reviewed`` a commit, the head being
    at ``current`` now.

    Of two runs about one commit the one that began later is the newer one, unless somebody asked for the other again.

    Raises:
        GitHubError: it cannot be told.
    """
    if summary is None:
        return False
    if reviewed == summary.mark.head_sha:
        writer = summary.mark.run
        return run is not None and writer is not None and run.attempt == 1 and writer.id > run.id
    if reviewed == current:
        return False
    known = summary.mark.head_sha
    return known == current or not writes.is_ancestor(known, reviewed)


@dataclass(slots=True)
class SummaryPosting:
    """Writes the summary of a masked report on ``head_sha``; ``stands`` is the one that is known to stand, ``latest``
    what was read just now, if anything was. ``run`` is our own."""

    writes: PullRequestWrites
    report: Report
    head_sha: str
    mode: SummaryMode
    run_url: str
    run: RunNumber | None
    stands: StandingSummary | None
    latest: Standing | None = None
    url: str = field(default="", init=False)

    def post(self, told: Told, commented: frozenset[str]) -> None:
        """Write it where it is wanted and would say something new. ``url`` is that of the summary, ours or not.

        ``commented`` are the findings that have a comment by now, by fingerprint.

        Raises:
            GitHubError: it could not be written.
        """
        self.url = self.stands.url if self.stands else ""
        if not is_wanted(self.report, self.mode, stands=self.stands is not None):
            return
        known = self.stands.mark if self.stands else None
        memory = remembered(self.report, self.head_sha, known, commented, told.deleted_paths)
        mark = replace(summary_mark(self.report, self.head_sha, told, memory), run=self.run)
        if (self.stands and self.stands.mark == mark) or not self._is_due(mark):
            return
        body = render_sticky(self.report, mark, told, run_url=self.run_url, heading=self.writes.heading)
        try:
            self._write(body)
        except GitHubUnavailable:
            self.writes.pauses.sleep(self.writes.pauses.read_back)
            if self._is_due(mark):  # else the answer got lost, but the summary arrived
                self._write(body)

    def _is_due(self, mark: SummaryMark) -> bool:
        """Look what stands now: since it was read another run may have written this summary, or a newer one."""
        standing = self.latest or self.writes.standing()
        self.latest = None
        self.stands = standing.summary
        self.url = self.stands.url if self.stands else ""
        if self.stands and self.stands.mark == mark:
            return False
        return not is_overtaken(self.writes, self.head_sha, self.stands, standing.head_sha, self.run)

    def _write(self, body: str) -> None:
        if self.stands:
            try:
                self.writes.edit_summary(self.stands.id, body)
            except GitHubNotFound:
                pass  # somebody has deleted it since it was read
            else:
                return
        self.url = self.writes.create_summary(body)
