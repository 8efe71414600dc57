"""Comments that go on with their file: one that the change itself added, and that a later push renamed.

A fingerprint knows a renamed file by its name at the base. A file the base lacks has none there: to it the new name is
another file. The comment still says the old name, so the finding can be looked up under it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from devpulse.core.finding import Finding
from devpulse.core.fingerprint import fingerprint
from devpulse.core.review import Report
from devpulse.output.comments.standing import IgnoreRequest, Standing, StandingComment

_OCCURRENCES = 5
"""So many times the same code may stand in one function and still be followed."""


def carried_over(report: Report, standing: Standing, present: Collection[str]) -> Standing:
    """What stands, with the comments of files that are not ``present`` any more told by their findings of today.

    A comment counts as that of a finding when its fingerprint is what the finding's would be in the comment's file.
    Each finding takes one comment at most, and none that has a comment of its own.
    """
    found = {finding.fingerprint for finding in report.findings}
    free = [finding for finding in report.findings if finding.fingerprint not in standing.fingerprints()]
    comments: list[StandingComment] = []
    requests = standing.requests
    for comment in standing.comments:
        heir = None
        if comment.fingerprint not in found and comment.path not in present:
            heir = next((finding for finding in free if _was(finding, comment)), None)
        if heir is not None:
            free.remove(heir)
            requests = tuple(_renamed(each, comment.fingerprint, heir.fingerprint) for each in requests)
        comments.append(comment if heir is None else replace(comment, fingerprint=heir.fingerprint))
    return replace(standing, comments=tuple(comments), requests=requests)


def _renamed(request: IgnoreRequest, before: str, now: str) -> IgnoreRequest:
    return replace(request, beginning=now) if before.startswith(request.beginning) else request


def _was(finding: Finding, comment: StandingComment) -> bool:
    names = (
        fingerprint(finding.category, comment.path, finding.symbol, finding.evidence, occurrence)
        for occurrence in range(1, _OCCURRENCES + 1)
    )
    return comment.fingerprint in names
