"""Applies a review to its pull request: inline comments in one review, and the summary comment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import github

from devpulse.adapters.github.permissions import Permissions
from devpulse.adapters.github.publish_inline import InlinePosting
from devpulse.adapters.github.publish_summary import SummaryPosting, is_overtaken
from devpulse.adapters.github.publish_threads import ThreadPosting
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.retrying import Calls, Patience
from devpulse.adapters.github.writes import Pauses, PullRequestWrites
from devpulse.core.review import Report
from devpulse.errors import GitHubError, GitHubForbidden, GitHubNotFound, GitHubRateLimited
from devpulse.output.comments.carried import carried_over
from devpulse.output.comments.decisions import deciders
from devpulse.output.comments.judging import ChangedPaths
from devpulse.output.comments.marker import SUMMARY_HEADING, RunNumber
from devpulse.output.comments.place import Place
from devpulse.output.comments.plan import Beside, Cause, CommentPlan, PlannedComment, Unplaced, plan_comments
from devpulse.output.comments.reanchor import FileAt, reanchor
from devpulse.output.comments.record import Published
from devpulse.output.comments.rights import ALL_RIGHTS, Rights
from devpulse.output.comments.standing import Standing, duplicates
from devpulse.output.comments.sticky import SummaryMode, Told

DEFAULT_PAUSES = Pauses()
_MOVES = 3
"""How often a head that moves on while comments are posted is followed."""
_NEWER_RUN = "a newer run has already reviewed the new head"
_KEEPS_MOVING = "the head kept moving"


@dataclass(frozen=True, slots=True)
class Publication:
    """What to publish, and how. ``report`` is masked and about the pull request's head.

    ``reviewed`` are the files as they were reviewed, by path; needed when the head moved on meanwhile. ``places`` says
    by fingerprint where findings are told. ``comment`` and ``summary`` switch inline comments and the summary.
    ``run_url`` leads to the run, empty if unknown; ``run`` is its number, ``None`` outside a workflow. ``rights`` say
    what may be done to what stands; without the right to resolve, nothing of ours counts as gone. ``heading`` is the
    first line of the summary. ``dry_run`` looks and plans, and writes nothing. ``permissions`` are what is known of
    people already.
    """

    report: Report
    reviewed: Mapping[str, FileAt]
    places: Mapping[str, Place] = field(default_factory=dict)
    comment: bool = True
    max_comments: int = 25
    summary: SummaryMode = SummaryMode.ALWAYS
    run_url: str = ""
    run: RunNumber | None = None
    rights: Rights = ALL_RIGHTS
    heading: str = SUMMARY_HEADING
    dry_run: bool = False
    permissions: Permissions = field(default_factory=Permissions)


def publish(
    client: github.Github,
    pull: PullRequestId,
    publication: Publication,
    *,
    calls: Calls,
    patience: Patience,
    pauses: Pauses = DEFAULT_PAUSES,
) -> Published:
    """Bring the pull request's comments in line with a review; over the same review again it changes nothing.

    ``calls`` and ``patience`` are what ``connect`` was given. GitHub's errors do not come out: they are in the result,
    with all that was not posted because of them.

    Raises:
        ValueError: the report is not about a commit.
    """
    before = calls.made
    run = _Run(PullRequestWrites(client, pull, pauses, patience, publication.heading), publication)
    run.publish()
    return Published(
        plan=run.plan,
        commit=run.commit,
        posted=tuple(run.inline.posted),
        settled=tuple(run.threads.done),
        deleted=tuple(run.threads.deleted),
        threads_problem=run.threads.problem or publication.permissions.problem,
        dry_run=publication.dry_run,
        unplaced=tuple(run.unplaced),
        denied=run.denied,
        failed=run.failed,
        summary_only=run.summary_only,
        summary_url=run.summary_url,
        calls=calls.made - before,
        writes=run.writes.sent,
    )


def changed_paths(reviewed: Mapping[str, FileAt]) -> ChangedPaths:
    """The files of the change, from the files as they were reviewed."""
    return ChangedPaths(frozenset(reviewed), frozenset(path for path, file in reviewed.items() if file.deleted))


@dataclass(slots=True)
class _Run:
    """One publication under way, and what is known of it so far."""

    writes: PullRequestWrites
    publication: Publication
    standing: Standing = field(default=Standing(), init=False)
    plan: CommentPlan = field(init=False)
    inline: InlinePosting = field(init=False)
    threads: ThreadPosting = field(init=False)
    beside: Beside = field(init=False)
    latest: Standing | None = field(default=None, init=False)
    commit: str = field(default="", init=False)
    unplaced: list[Unplaced] = field(default_factory=list, init=False)
    summary_url: str = field(default="", init=False)
    denied: str = field(default="", init=False)
    failed: str = field(default="", init=False)
    summary_only: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.inline = InlinePosting(self.writes)
        self.threads = ThreadPosting(self.writes)
        self.beside = Beside(changed_paths(self.publication.reviewed), {}, self.publication.rights)
        self.plan = self._planned()

    def publish(self) -> None:
        """Inline comments first: the summary says what became of them."""
        try:
            # Nothing else is asked before the review: what another run posts in between would be said twice.
            self._look()
            overtaken = is_overtaken(
                self.writes, self.plan.head_sha, self.standing.summary, self.commit, self.publication.run
            )
        except GitHubError as error:
            self._note(error)
            self._account()
            return
        known = self.standing.summary
        if known and overtaken:
            self.unplaced += [Unplaced(comment.finding, Cause.MOVED, _NEWER_RUN) for comment in self.plan.new]
            self.summary_url = known.url
            self._account()
            return
        if self.publication.dry_run:
            self.summary_url = known.url if known else ""
            self._account()
            return
        further = self._try_inline() and self._try_threads()
        self._account()
        if further:
            self._try_summary()

    def _look(self) -> None:
        """Read what stands, and plan."""
        report, present = self.publication.report, self.beside.paths.present
        standing = self.writes.standing()
        self.commit = standing.head_sha
        self.standing = carried_over(report, standing, present or {row.path for row in report.coverage})
        found = frozenset(finding.fingerprint for finding in report.findings)
        may_write = self.publication.permissions.of(deciders(self.standing, found), self.writes.may_write)
        self.beside = replace(self.beside, may_write=may_write)
        self.plan = self._planned()

    def _planned(self) -> CommentPlan:
        wanted = self.publication
        return plan_comments(
            wanted.report,
            self.standing,
            max_comments=wanted.max_comments,
            inline=wanted.comment,
            places=wanted.places,
            beside=self.beside,
        )

    def _try_inline(self) -> bool:
        """Post the new comments; gives whether anything further may be tried."""
        try:
            self._place(self.plan.new)
        except GitHubError as error:
            self._note(error)
            return not isinstance(error, GitHubForbidden | GitHubNotFound | GitHubRateLimited)
        return True

    def _try_threads(self) -> bool:
        """Do what is to be done in threads; gives whether anything further may be tried. Not about an older head: the
        run about the newer one has its own to say."""
        try:
            if self.inline.posted:
                self.latest = self.writes.standing()
            if self.publication.rights.resolve:
                self.threads.delete(duplicates(self.latest or self.standing))
                if self.commit == self.plan.head_sha:
                    self.threads.post(self.plan.actions)
        except GitHubError as error:
            self._note(error)
            return not isinstance(error, GitHubRateLimited)
        return True

    def _place(self, comments: Sequence[PlannedComment]) -> None:
        for attempt in range(_MOVES):
            if not comments:
                return
            if attempt:
                self.commit = self.writes.head()
            if self.commit != self.plan.head_sha:
                current = self.writes.files({comment.path for comment in comments})
                if self.writes.head() != self.commit:
                    continue  # the files may be those of yet another head
                fitting, moved = reanchor(comments, self.publication.reviewed, current)
                self.unplaced += moved
                comments = self.inline.not_standing(fitting)
            comments = self.inline.post(comments, self.commit) if comments else ()
        self.unplaced += [Unplaced(comment.finding, Cause.MOVED, _KEEPS_MOVING) for comment in comments]

    def _account(self) -> None:
        """Give every open finding without a comment its reason."""
        self.unplaced += [*self.inline.refused, *self.plan.unplaced]
        done = {comment.fingerprint for comment in self.inline.posted}
        done |= {item.finding.fingerprint for item in self.unplaced}
        reason = self.denied or self.failed
        left = (comment.finding for comment in self.plan.new if comment.fingerprint not in done)
        self.unplaced += [Unplaced(finding, Cause.NOT_SENT, reason) for finding in left]

    def _try_summary(self) -> None:
        went_well = not (self.denied or self.failed)
        wanted = self.publication
        told = Told(tuple(self.unplaced), self.plan.unheeded, self.beside.paths.deleted)
        commented = self.standing.fingerprints() | {comment.fingerprint for comment in self.inline.posted}
        summary = SummaryPosting(
            self.writes,
            wanted.report,
            self.plan.head_sha,
            wanted.summary,
            wanted.run_url,
            wanted.run,
            self.standing.summary,
            None if self.threads.done else self.latest,
        )
        try:
            summary.post(told, commented)
        except GitHubError as error:
            self._note(error)
            self.summary_only = went_well
        self.summary_url = summary.url

    def _note(self, error: GitHubError) -> None:
        said = f"{error} {error.hint}".strip()
        if isinstance(error, GitHubForbidden | GitHubNotFound):
            self.denied = said
        else:
            self.failed = said
