"""About which standing comments a review can say whether their finding is still there: silence is no answer where
nobody looked."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.finding import FindingSource
from devpulse.core.review import RULES_ONLY, Coverage, Partial, Report, Reviewed
from devpulse.output.comments.standing import Standing, StandingComment

OFFLINE = "offline"
"""The engine that knows the rules alone."""


@dataclass(frozen=True, slots=True)
class ChangedPaths:
    """The files of the change by their real paths, which a masked report may hide; ``deleted`` have no head."""

    every: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()

    @property
    def present(self) -> frozenset[str]:
        """The files that have a head."""
        return self.every - self.deleted


@dataclass(frozen=True, slots=True)
class Judged:
    """Standing comments: ``kept`` are of findings that are there, ``gone`` of findings that are not, and ``unjudged``
    of findings that were not looked for."""

    kept: tuple[StandingComment, ...]
    gone: tuple[StandingComment, ...]
    unjudged: tuple[StandingComment, ...]


def judge(report: Report, standing: Standing, paths: ChangedPaths) -> Judged:
    """Sort the standing comments out; each is in one group.

    Gone is what was not found in a file that was reviewed as a whole, is deleted, or is no longer part of the change.
    What a model found can be missed only by a model, and at the very commit of the summary that stands it was not
    fixed: a model may just have worded it differently. What rules found is gone, too, where the rules alone reviewed
    the whole file in the place of a model that was down. No other partial review counts: it may be the very lines of
    the finding that were not looked at.
    """
    found = {finding.fingerprint for finding in report.findings}
    whole = {row.path for row in report.coverage if isinstance(row.outcome, Reviewed)}
    by_rules = whole | {row.path for row in report.coverage if rules_were_whole(row)}
    changed = paths.every | {row.path for row in report.coverage}
    left = {c.path for c in standing.comments if c.path in paths.deleted or c.path not in changed}
    seen_by_model = frozenset[str]() if _rules_only(report, standing) else whole
    kept, gone, unjudged = [], [], []
    for comment in standing.comments:
        by_rule = comment.source is FindingSource.RULE
        if comment.fingerprint in found:
            kept.append(comment)
        elif comment.path in left or comment.path in (by_rules if by_rule else seen_by_model):
            gone.append(comment)
        else:
            unjudged.append(comment)
    return Judged(tuple(kept), tuple(gone), tuple(unjudged))


def rules_were_whole(row: Coverage) -> bool:
    """Whether the rules, but no model, reviewed the whole of a file."""
    return isinstance(row.outcome, Partial) and row.outcome.reason == RULES_ONLY


def _rules_only(report: Report, standing: Standing) -> bool:
    head_sha = report.pull_request.head_sha if report.pull_request else None
    again = standing.summary is not None and standing.summary.mark.head_sha == head_sha
    return again or report.engine == OFFLINE
