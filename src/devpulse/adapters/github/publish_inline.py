"""Posting inline comments: one review, and what to do when GitHub refuses it or does not answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from devpulse.adapters.github.writes import PullRequestWrites
from devpulse.errors import GitHubError, GitHubRefused, GitHubUnavailable
from devpulse.output.comments.plan import Cause, PlannedComment, Unplaced
from devpulse.output.comments.standing import Standing
from devpulse.output.coverage import plural

_PLACE = re.compile(r"line|path|position|hunk|side|diff", re.IGNORECASE)
"""What GitHub's reasons speak of when the place of a comment is to blame."""
_ENOUGH = 3
"""So many refusals in a row for one other reason are not about the comments: more would get the same answer."""

_Send = Callable[[Sequence[PlannedComment]], None]


@dataclass(slots=True)
class InlinePosting:
    """Posts comments and keeps account of what became of each: ``posted`` (by a run beside this one, it may be), or
    ``refused`` by GitHub. Comments that are in neither after an error were not posted, or it is not known."""

    writes: PullRequestWrites
    posted: list[PlannedComment] = field(default_factory=list, init=False)
    refused: list[Unplaced] = field(default_factory=list, init=False)

    def post(self, comments: Sequence[PlannedComment], commit: str) -> tuple[PlannedComment, ...]:
        """Post all on one commit. Gives those that must be placed anew because the head moved on meanwhile.

        Raises:
            GitHubError: posting ended early.
        """
        try:
            self._review(comments, commit)
        except GitHubRefused as refusal:
            # GitHub refuses a review as a whole, and does not say which comment is to blame.
            standing = self.writes.standing()
            left = self._without(standing, comments)
            if standing.head_sha != commit:
                return tuple(left)
            if not left:
                return ()
            shown, hidden, outside = self._by_diff(left)
            self.refused += [Unplaced(comment.finding, Cause.REFUSED, _reason(refusal)) for comment in outside]
            if len(shown) < len(comments):  # else it was this very review that was refused
                shown = self._as_review(shown, commit)
            self._one_by_one([*shown, *hidden], commit)
        return ()

    def not_standing(self, comments: Sequence[PlannedComment]) -> list[PlannedComment]:
        """Those that do not stand by now; those that do are noted as posted.

        Raises:
            GitHubError: it cannot be read.
        """
        return self._without(self.writes.standing(), comments)

    def _without(self, standing: Standing, comments: Sequence[PlannedComment]) -> list[PlannedComment]:
        known = standing.fingerprints()
        self.posted += [comment for comment in comments if comment.fingerprint in known]
        return [comment for comment in comments if comment.fingerprint not in known]

    def _as_review(self, comments: list[PlannedComment], commit: str) -> list[PlannedComment]:
        """Post what GitHub's diff shows as one review; gives them back when that is refused too."""
        try:
            if comments:
                self._review(comments, commit)
        except GitHubRefused:
            return comments
        return []

    def _one_by_one(self, comments: Sequence[PlannedComment], commit: str) -> None:
        """Post each by itself.

        Raises:
            GitHubRefused: what keeps being refused is not the place of a comment; those are not noted as refused.
        """
        alike: list[str] = []
        for comment in comments:
            try:
                self._surely([comment], lambda one: self.writes.post_comment(commit, one[0]))
            except GitHubRefused as refusal:
                reason = _reason(refusal)
                self.refused.append(Unplaced(comment.finding, Cause.REFUSED, reason))
                alike = [*alike, reason] if alike[-1:] == [reason] else [reason]
                if not _PLACE.search(reason) and len(alike) == _ENOUGH:
                    del self.refused[-_ENOUGH:]
                    raise
            else:
                alike = []

    def _review(self, comments: Sequence[PlannedComment], commit: str) -> None:
        def send(some: Sequence[PlannedComment]) -> None:
            self.writes.post_review(commit, f"DevPulse: {plural(len(some), 'new finding')}.", some)

        self._surely(comments, send)

    def _surely(self, comments: Sequence[PlannedComment], send: _Send) -> None:
        """Send; when the answer gets lost, look what arrived, and send what is missing once more."""
        try:
            send(comments)
        except GitHubUnavailable:
            missing = self._missing(comments)
            if missing:
                self._again(missing, send)
        else:
            self.posted += comments

    def _again(self, missing: Sequence[PlannedComment], send: _Send) -> None:
        try:
            send(missing)
        except GitHubUnavailable:
            if self._missing(missing):
                raise
        else:
            self.posted += missing

    def _missing(self, comments: Sequence[PlannedComment]) -> list[PlannedComment]:
        """What did not arrive; what did is noted as posted."""
        self.writes.pauses.sleep(self.writes.pauses.read_back)
        try:
            return self.not_standing(comments)
        except GitHubError as error:
            unknown = "GitHub did not answer, and whether the comments arrived cannot be read"
            raise GitHubUnavailable(f"{unknown}: {error}", hint=error.hint) from error

    def _by_diff(
        self, comments: Sequence[PlannedComment]
    ) -> tuple[list[PlannedComment], list[PlannedComment], list[PlannedComment]]:
        """Those whose lines GitHub's own diff shows, those in files it shows no diff of, and those outside it."""
        files = self.writes.files({comment.path for comment in comments})
        shown, hidden, outside = [], [], []
        for comment in comments:
            file = files.get(comment.path)
            if file is not None and file.hunks is None:
                hidden.append(comment)
            elif file and file.shows(comment.side, comment.start_line, comment.end_line):
                shown.append(comment)
            else:
                outside.append(comment)
        return shown, hidden, outside


def _reason(refusal: GitHubRefused) -> str:
    """GitHub's own words."""
    return "; ".join(dict.fromkeys(refusal.messages)) or str(refusal)
