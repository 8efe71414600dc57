"""Which comments a pull request should get: from what was found and what already stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report
from devpulse.output.comments.body import render_comment
from devpulse.output.comments.decisions import decide, unheeded
from devpulse.output.comments.judging import ChangedPaths, judge
from devpulse.output.comments.marker import is_markable
from devpulse.output.comments.memory import key_of
from devpulse.output.comments.place import Place
from devpulse.output.comments.rights import ALL_RIGHTS, Rights
from devpulse.output.comments.standing import Standing, StandingComment
from devpulse.output.comments.threads import ThreadAction, thread_actions
from devpulse.output.selection import most_severe_first


class Cause(StrEnum):
    """Why an open finding has no comment of its own."""

    OVER_LIMIT = "over-limit"
    NO_PLACE = "no-place"
    REFUSED = "refused"
    DELETED = "deleted"
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
    """What is to be done about comments at one commit.

    ``new`` are to be posted, most severe first. Every standing comment is in exactly one of ``kept``, ``gone`` and
    ``unjudged``, as ``judging.judge`` says. ``unplaced`` are open findings that get no comment. ``actions`` are to be
    done in threads, ``unheeded`` are threads that somebody closed who may not decide that.
    """

    head_sha: str
    new: tuple[PlannedComment, ...]
    kept: tuple[StandingComment, ...]
    gone: tuple[StandingComment, ...]
    unjudged: tuple[StandingComment, ...]
    unplaced: tuple[Unplaced, ...]
    actions: tuple[ThreadAction, ...] = ()
    unheeded: tuple[StandingComment, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What a plan must know beside the review and what stands: the files of the change, whether those who closed
    threads or asked to ignore findings have write permission, and what may be done in threads."""

    paths: ChangedPaths = field(default_factory=ChangedPaths)
    may_write: Mapping[str, bool] = field(default_factory=dict)
    rights: Rights = ALL_RIGHTS


NOTHING_BESIDE = Beside()


def plan_comments(
    report: Report,
    standing: Standing,
    *,
    max_comments: int,
    inline: bool = True,
    places: Mapping[str, Place] = MappingProxyType({}),
    beside: Beside = NOTHING_BESIDE,
) -> CommentPlan:
    """Plan the comments of a masked report about the pull request's head.

    ``places`` says by fingerprint where findings are told; one that is not in it is told on its own lines.
    The most severe open findings come first. ``max_comments`` counts those that already stand, so that the
    same head again changes nothing and a later push fills up what became free. What GitHub refused at this very
    commit counts too, and is not tried again. What had a comment that is not there any more was deleted by somebody:
    it is not posted again. With ``inline`` false nothing is to be posted.

    Raises:
        ValueError: the report is not about a commit.
    """
    head_sha = report.pull_request.head_sha if report.pull_request else None
    if head_sha is None:
        raise ValueError("comments need the head commit that was reviewed")
    judged = judge(report, standing, beside.paths)
    wanted = list(_wanted(report.findings, standing.fingerprints())) if inline else []
    known = standing.summary.mark if standing.summary else None
    said = known.memory.said if known else frozenset[str]()
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
        elif key_of(finding.fingerprint) in said:
            unplaced.append(Unplaced(finding, Cause.DELETED))
        elif len(new) >= room:
            unplaced.append(Unplaced(finding, Cause.OVER_LIMIT))
        else:
            new.append(PlannedComment(finding, render_comment(finding, place), place))
    decided = decide(standing, beside.may_write, {finding.fingerprint for finding in report.findings})
    actions = thread_actions(judged, report.findings, decided, head_sha) if beside.rights.resolve else ()
    return CommentPlan(
        head_sha,
        tuple(new),
        judged.kept,
        judged.gone,
        judged.unjudged,
        tuple(unplaced),
        actions,
        unheeded(judged.kept, report.findings, beside.may_write),
    )


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
