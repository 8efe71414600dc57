"""Hidden markers by which our own comments are found again.

A marker counts only as a whole line of a comment whose first line is ours too: the last line of an inline comment, the
last marker of a summary, to which people may have added something. Text that we quote cannot forge one: the Markdown
renderer breaks every ``<!--``. Who wrote the comment is for the reader of the conversation to check. That does not
tell apart the workflows of a repository, which all write as one account: one that echoes a stranger's text from the
first line on can be made to forge a summary, and to the last line an inline comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from devpulse.core.categories import Severity

SUMMARY_HEADING = "# DevPulse security review"
"""The first line of the summary comment."""

FOREIGN_HEADING = f"{SUMMARY_HEADING}: results of another run"
"""The first line of the summary that tells what a run without rights found. It is a comment of its own, so that such
results never take the place of a review that was made with rights."""

_NAME = re.compile(r"[0-9a-f]{4,64}")
_FINDING = re.compile(r"<!-- devpulse:finding ([0-9a-f]{4,64}) -->")
_SUMMARY = re.compile(
    r"<!-- devpulse:summary head=([0-9a-f]{40,64}) digest=([0-9a-f]{32})(?: refused=([0-9a-f]+(?:,[0-9a-f]+)*))? -->"
)

_BEGINNING = "<!-- devpulse:"

_SEVERITIES = "|".join(severity.value.capitalize() for severity in Severity)
_OPENING = re.compile(rf"\*\*(?:{_SEVERITIES}): ")


@dataclass(frozen=True, slots=True)
class SummaryMark:
    """What a summary says about itself: the commit it is about, a digest of its content, and the fingerprints
    of findings that GitHub took no comment for at that commit."""

    head_sha: str
    digest: str
    refused: frozenset[str] = frozenset()


def finding_opening(severity: Severity) -> str:
    """What the first line of an inline comment begins with."""
    return f"**{severity.value.capitalize()}: "


def is_markable(fingerprint: str) -> bool:
    """Whether a fingerprint is one of ours, safe to stand in a marker."""
    return _NAME.fullmatch(fingerprint) is not None


def finding_marker(fingerprint: str) -> str:
    """The last line of an inline comment.

    Raises:
        ValueError: the fingerprint is not made of hex digits.
    """
    return _checked(_FINDING, f"<!-- devpulse:finding {fingerprint} -->")


def summary_marker(mark: SummaryMark) -> str:
    """The last line of the summary comment.

    Raises:
        ValueError: commit, digest or a fingerprint is not made of hex digits.
    """
    refused = f" refused={','.join(sorted(mark.refused))}" if mark.refused else ""
    return _checked(_SUMMARY, f"<!-- devpulse:summary head={mark.head_sha} digest={mark.digest}{refused} -->")


def read_finding_marker(body: str) -> str | None:
    """The fingerprint a comment carries, or ``None``."""
    match = _FINDING.fullmatch(_last_line(body)) if _OPENING.match(body) else None
    return match.group(1) if match else None


def read_summary_marker(body: str, heading: str = SUMMARY_HEADING) -> SummaryMark | None:
    """What a summary comment with this first line says about itself, or ``None`` when it is none."""
    headed = body.partition("\n")[0].rstrip() == heading
    marker = next((line.rstrip() for line in reversed(body.split("\n")) if line.startswith(_BEGINNING)), "")
    match = _SUMMARY.fullmatch(marker) if headed else None
    if match is None:
        return None
    head, digest, refused = match.groups()
    return SummaryMark(head, digest, frozenset(_names(refused)))


def _names(refused: str | None) -> Iterable[str]:
    return refused.split(",") if refused else ()


def _checked(pattern: re.Pattern[str], marker: str) -> str:
    if pattern.fullmatch(marker) is None:
        raise ValueError(f"not a marker that could be read back: {marker[:200]!r}")
    return marker


def _last_line(body: str) -> str:
    # GitHub may give line ends as CR LF. A blank before the marker would make it part of something else.
    return body.rstrip().rpartition("\n")[2]
