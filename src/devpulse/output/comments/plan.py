"""Which comments a pull request should get: from what was found and what already stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report, Reviewed
from devpulse.output.comments.body import render_comment
from devpulse.output.comments.marker import is_markable
from devpulse.output.comments.place import Place
from devpulse.output.comments.standing import Standing, StandingComment
from devpulse.output.selection import most_severe_first


class Cause(StrEnum):
    """Why an open finding has no comment of its own."""

    OVER_LIMIT = "over-limit"
    NO_PLACE = "no-place"
    REFUSED = "refused"
    MOVED = "moved"
    NOT_SENT = "not-sent"


@dataclass(frozen=True, slots=True)
class Unplaced:
    """An open finding without a comment. ``detail`` says more about the cause; it may be GitHub's own words."""

    finding: Finding
    cause: Cause
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PlannedComment:
    """One comment to post. Lines count from 1 on ``side``; a comment on one line has equal ones."""

    finding: Finding
    body: str
    place: Place

    @property
    def fingerprint(self) -> str:
        """The finding's identity, which the body's marker carries."""
        return self.finding.fingerprint

    @property
    def path(self) -> str:
        """The file's path at head, or the base path of a deleted file."""
        return self.place.path

    @property
    def side(self) -> Side:
        """RIGHT for head lines, LEFT for removed ones."""
        return self.finding.side

    @property
    def start_line(self) -> int:
        """The first line."""
        return self.place.start_line

    @property
    def end_line(self) -> int:
        """The last line, which GitHub hangs the comment on."""
        return self.place.end_line


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """What is to be done about comments at one commit; every standing comment is in exactly one group.

    ``new`` are to be posted, most severe first. ``kept`` stand and their finding is still there,
    whatever its status. ``gone`` stand, and a whole review of their file did not find them again.
    ``unjudged`` stand, and their file was not wholly reviewed this time, or is no longer part of the
    change. ``unplaced`` are open findings that get no comment.
    """

    head_sha: str
    new: tuple[PlannedComment, ...]
    kept: tuple[StandingComment, ...]
    gone: tuple[StandingComment, ...]
    unjudged: tuple[StandingComment, ...]
    unplaced: tuple[Unplaced, ...]


def plan_comments(
    report: Report,
    standing: Standing,
    *,
    max_comments: int,
    inline: bool = True,
    places: Mapping[str, Place] = MappingProxyType({}),
) -> CommentPlan:
    """Plan the comments of a masked report about the pull request's head.

    ``places`` says by fingerprint where findings are told; one that is not in it is told on its own lines.
    The most severe open findings come first. ``max_comments`` counts those that already stand, so that the
    same head again changes nothing and a later push fills up what became free. What GitHub refused at this very
    commit counts too, and is not tried again. With ``inline`` false nothing is to be posted.

    Raises:
        ValueError: the report is not about a commit.
    """
    head_sha = report.pull_request.head_sha if report.pull_request else None
    if head_sha is None:
        raise ValueError("comments need the head commit that was reviewed")
    kept, gone, unjudged = _sorted_out(report, standing)
    wanted = list(_wanted(report.findings, standing.fingerprints())) if inline else []
    known = standing.summary.mark if standing.summary else None
    refused = known.refused if known and known.head_sha == head_sha else frozenset[str]()
    new: list[PlannedComment] = []
    unplaced: list[Unplaced] = []
    open_ones = {finding.fingerprint for finding in report.findings if finding.status is FindingStatus.OPEN}
    room = max_comments - len(open_ones & standing.fingerprints())
    room -= len(refused & {finding.fingerprint for finding in wanted})
    for finding in wanted:
        place = places.get(finding.fingerprint) or Place(finding.path, finding.start_line, finding.end_line)
        problem = _no_place(finding, place)
        if finding.fingerprint in refused:
            unplaced.append(Unplaced(finding, Cause.REFUSED))
        elif problem:
            unplaced.append(Unplaced(finding, Cause.NO_PLACE, problem))
        elif len(new) >= room:
            unplaced.append(Unplaced(finding, Cause.OVER_LIMIT))
        else:
            new.append(PlannedComment(finding, render_comment(finding, place), place))
    return CommentPlan(head_sha, tuple(new), kept, gone, unjudged, tuple(unplaced))


def _wanted(findings: Iterable[Finding], standing: frozenset[str]) -> Iterator[Finding]:
    """Open findings without a comment, most severe first, each once."""
    seen = set(standing)
    for finding in sorted(findings, key=most_severe_first):
        if finding.status is FindingStatus.OPEN and finding.fingerprint not in seen:
            seen.add(finding.fingerprint)
            yield finding


def _no_place(finding: Finding, place: Place) -> str:
    """Why GitHub could not take a comment on a finding, known before it is asked; empty when nothing is known."""
    if not is_markable(finding.fingerprint):
        return "its fingerprint is not one of ours"
    if not 1 <= place.start_line <= place.end_line:
        return "its lines are not a range"
    try:
        place.path.encode("utf-8")
    except UnicodeEncodeError:
        return "the name of the file is not UTF-8"
    return ""


def _sorted_out(report: Report, standing: Standing) -> tuple[tuple[StandingComment, ...], ...]:
    found = {finding.fingerprint for finding in report.findings}
    reviewed = {row.path for row in report.coverage if isinstance(row.outcome, Reviewed)}
    kept = tuple(comment for comment in standing.comments if comment.fingerprint in found)
    others = [comment for comment in standing.comments if comment.fingerprint not in found]
    gone = tuple(comment for comment in others if comment.path in reviewed)
    return kept, gone, tuple(comment for comment in others if comment.path not in reviewed)
