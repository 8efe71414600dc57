"""``comments.json``: what was said on the pull request, and what was not. Written for people, never read back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from devpulse.output.characters import well_formed
from devpulse.output.comments.plan import CommentPlan, PlannedComment, Unplaced
from devpulse.output.comments.standing import StandingComment
from devpulse.output.comments.threads import ThreadAction
from devpulse.output.paths import display_path

SCHEMA_NAME = "devpulse.comments/1"


@dataclass(frozen=True, slots=True)
class Published:
    """What became of a plan.

    ``commit`` is the head that comments were posted on. ``unplaced`` are all open findings without a
    comment, with the reason; those of the plan included. ``denied`` says why GitHub forbade to write, ``failed`` why
    publishing ended early; both are empty when all went well. ``summary_only`` tells that this concerns the summary
    alone. ``settled`` is what was done in threads, with ``resolve`` ``None`` where there was only an answer,
    ``deleted`` are comments that had been said twice, and ``threads_problem`` says why threads could not be closed or
    opened. After a ``dry_run`` nothing was written, and the plan says what would have been. ``summary_url`` is empty
    when there is no summary. ``calls`` counts the requests of publishing, ``writes`` those that write, both
    with those that failed.
    """

    plan: CommentPlan
    commit: str
    posted: tuple[PlannedComment, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()
    denied: str = ""
    failed: str = ""
    summary_only: bool = False
    summary_url: str = ""
    settled: tuple[ThreadAction, ...] = ()
    deleted: tuple[StandingComment, ...] = ()
    threads_problem: str = ""
    dry_run: bool = False
    calls: int = 0
    writes: int = 0

    @property
    def problem(self) -> str:
        """What could not be posted and why, in whole sentences; empty when all went well."""
        what = "The summary" if self.summary_only else "Comments"
        why = self.denied or self.failed
        return f"{what} could not be posted. {why}" if why else ""


def render_record(published: Published) -> str:
    """The text of ``comments.json``; ASCII, so that nothing in it hides."""
    plan = published.plan
    document = {
        "schema": SCHEMA_NAME,
        "reviewed": plan.head_sha,
        "commit": published.commit,
        "denied": well_formed(published.denied),
        "failed": well_formed(published.failed),
        "summary": published.summary_url or None,
        "posted": [_comment(comment) for comment in published.posted],
        "kept": _standing(plan.kept),
        "gone": _standing(plan.gone),
        "unjudged": _standing(plan.unjudged),
        "dry_run": published.dry_run,
        "planned": [_comment(comment) for comment in plan.new],
        "threads": [_action(action, published) for action in plan.actions],
        "threads_problem": well_formed(published.threads_problem),
        "closed_without_effect": _standing(plan.unheeded),
        "deleted": _standing(published.deleted),
        "unplaced": [_unplaced(item) for item in published.unplaced],
        "calls": published.calls,
        "writes": published.writes,
    }
    return json.dumps(document, indent=2) + "\n"


def _comment(comment: PlannedComment) -> dict[str, Any]:
    return {
        "fingerprint": comment.fingerprint,
        "path": display_path(comment.path),
        "side": comment.side,
        "start_line": comment.start_line,
        "end_line": comment.end_line,
        "body": comment.body,
    }


def _action(action: ThreadAction, published: Published) -> dict[str, Any]:
    comment = action.comment
    return {
        "fingerprint": comment.fingerprint,
        "url": comment.url,
        "says": action.note,
        "resolve": action.resolve,
        "answered": any((done.comment, done.note) == (comment, action.note) for done in published.settled),
        "done": action in published.settled,
    }


def _standing(comments: Iterable[StandingComment]) -> list[dict[str, Any]]:
    return [
        {"fingerprint": c.fingerprint, "path": display_path(c.path), "url": c.url, "resolved": c.resolved}
        for c in comments
    ]


def _unplaced(item: Unplaced) -> dict[str, Any]:
    finding = item.finding
    return {
        "fingerprint": well_formed(finding.fingerprint),
        "path": display_path(finding.path),
        "start_line": finding.start_line,
        "end_line": finding.end_line,
        "cause": item.cause,
        "detail": well_formed(item.detail),
    }
