"""Posting inline comments: one review, and what to do when GitHub refuses it or does not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from devpulse.adapters.github.publish_requests import Requests
from devpulse.errors import GitHubError, GitHubRefused, GitHubUnavailable
from devpulse.output.comments.plan import Cause, PlannedComment, Unplaced
from devpulse.output.coverage import plural

_Send = Callable[[Sequence[PlannedComment]], None]


@dataclass(slots=True)
class InlinePosting:
    """Posts comments and keeps account of what became of each: ``posted``, or ``refused`` by GitHub. Comments that
    are in neither after an error were not posted, or it is not known."""

    requests: Requests
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
            if self.requests.head() != commit:
                return tuple(comments)
            shown, hidden = self._sorted(comments, _reason(refusal))
            if len(shown) < len(comments):
                shown = self._as_review(shown, commit)
            self._one_by_one([*shown, *hidden], commit)
        return ()

    def _as_review(self, comments: list[PlannedComment], commit: str) -> list[PlannedComment]:
        """Post what GitHub's diff shows as one review; gives them back when that is refused too."""
        try:
            if comments:
                self._review(comments, commit)
        except GitHubRefused:
            return comments
        return []

    def _one_by_one(self, comments: Sequence[PlannedComment], commit: str) -> None:
        for comment in comments:
            try:
                self._surely([comment], lambda one: self.requests.post_comment(commit, one[0]))
            except GitHubRefused as refusal:
                self.refused.append(Unplaced(comment.finding, Cause.REFUSED, _reason(refusal)))

    def _review(self, comments: Sequence[PlannedComment], commit: str) -> None:
        def send(some: Sequence[PlannedComment]) -> None:
            self.requests.post_review(commit, f"DevPulse: {plural(len(some), 'new finding')}.", some)

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
        self.requests.pauses.sleep(self.requests.pauses.read_back)
        try:
            standing = self.requests.standing().fingerprints()
        except GitHubError as error:
            unknown = "GitHub did not answer, and whether the comments arrived cannot be read"
            raise GitHubUnavailable(f"{unknown}: {error}", hint=error.hint) from error
        self.posted += [comment for comment in comments if comment.fingerprint in standing]
        return [comment for comment in comments if comment.fingerprint not in standing]

    def _sorted(
        self, comments: Sequence[PlannedComment], reason: str
    ) -> tuple[list[PlannedComment], list[PlannedComment]]:
        """Those whose lines GitHub's own diff shows, and those in files it shows no diff of; the others are refused."""
        files = self.requests.files({comment.path for comment in comments})
        shown, hidden = [], []
        for comment in comments:
            file = files.get(comment.path)
            if file is not None and file.hunks is None:
                hidden.append(comment)
            elif file and file.shows(comment.side, comment.start_line, comment.end_line):
                shown.append(comment)
            else:
                self.refused.append(Unplaced(comment.finding, Cause.REFUSED, reason))
        return shown, hidden


def _reason(refusal: GitHubRefused) -> str:
    """GitHub's own words."""
    return "; ".join(dict.fromkeys(refusal.messages)) or str(refusal)
