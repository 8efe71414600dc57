"""The one summary comment of a pull request, updated in place."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from enum import StrEnum

from devpulse.core.finding import Finding
from devpulse.core.review import Report, Reviewed
from devpulse.core.verdict import counts
from devpulse.output.characters import clip, visible
from devpulse.output.comments.body import MAX_CHARACTERS
from devpulse.output.comments.marker import SUMMARY_HEADING, SummaryMark, is_markable, summary_marker
from devpulse.output.comments.plan import Cause, Unplaced
from devpulse.output.coverage import outcome_name, plural, verdict
from devpulse.output.markdown import code, text
from devpulse.output.paths import finding_place
from devpulse.output.summary import render_summary

_REFUSED_KEPT = 200
"""More would take the room of the summary; the others are simply tried again."""
_ROOM_FOR_UNPLACED = 6_000
_GROUPS_SHOWN = 10
_PLACES_SHOWN = 8
_PLACE_LIMIT = 120
_DETAIL_LIMIT = 300
_ADDRESS = re.compile(r"https?://[^\s()<>\"'`\\]{1,500}")

_WHY = {
    Cause.OVER_LIMIT: f"Over the limit of comments ({code('max-comments')})",
    Cause.NO_PLACE: "No comment is possible there",
    Cause.REFUSED: "GitHub refused the comment",
    Cause.MOVED: "The pull request moved on during the review",
    Cause.NOT_SENT: "Not posted",
}


class SummaryMode(StrEnum):
    """When a pull request gets a summary comment. One that stands is updated under ON_FINDINGS too."""

    ALWAYS = "always"
    ON_FINDINGS = "on-findings"
    NEVER = "never"


def is_wanted(report: Report, mode: SummaryMode, *, stands: bool) -> bool:
    """Whether the summary is to be created, or updated where one stands."""
    if mode is SummaryMode.NEVER:
        return False
    return mode is SummaryMode.ALWAYS or stands or report.incomplete or any(map(counts, report.findings))


def summary_mark(report: Report, head_sha: str, unplaced: Sequence[Unplaced]) -> SummaryMark:
    """What the marker of the summary says: equal marks mean that an update would say nothing new.

    Prose, tokens, times, reuse and links are left out: they differ from run to run over the same commit.
    """
    found = [
        (f.fingerprint, f.status, f.severity, f.confidence, f.path, f.side, f.start_line, f.end_line)
        for f in report.findings
    ]
    rows = [(row.path, outcome_name(row), _reason_of(row.outcome)) for row in report.coverage]
    without = [(item.finding.fingerprint, item.cause) for item in unplaced]
    said = [report.engine, verdict(report).level, report.risk, report.incomplete]
    parts = (said, sorted(found), sorted(rows), sorted(without))
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
    refused = {item.finding.fingerprint for item in unplaced if item.cause is Cause.REFUSED}
    return SummaryMark(head_sha, digest, frozenset(sorted(filter(is_markable, refused))[:_REFUSED_KEPT]))


def render_sticky(
    report: Report,
    mark: SummaryMark,
    unplaced: Sequence[Unplaced],
    *,
    run_url: str = "",
    heading: str = SUMMARY_HEADING,
) -> str:
    """The summary comment of a masked report: its summary, what could not be commented inline, the marker.

    ``run_url`` leads to the run and its artifacts; one that is not a plain address is left out. ``heading`` is the
    first line.
    """
    marker = summary_marker(mark)
    tail = f"{_unplaced_list(unplaced)}{_foot(mark, run_url)}\n\n{marker}"
    room = MAX_CHARACTERS - len(tail) - len(heading)
    return f"{render_summary(report, max_chars=room)}\n{tail}".replace(SUMMARY_HEADING, heading, 1)


def _reason_of(outcome: object) -> str:
    # "reused" says how the result came about, not what it is.
    return "" if isinstance(outcome, Reviewed) else str(getattr(outcome, "reason", ""))


def _unplaced_list(unplaced: Sequence[Unplaced]) -> str:
    if not unplaced:
        return ""
    groups: dict[tuple[Cause, str], list[Finding]] = {}
    for item in unplaced:
        groups.setdefault((item.cause, item.detail), []).append(item.finding)
    lines: list[str] = []
    room = _ROOM_FOR_UNPLACED
    for (cause, detail), findings in list(groups.items())[:_GROUPS_SHOWN]:
        line = _group(cause, detail, findings)
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    left = sum(len(findings) for findings in list(groups.values())[len(lines) :])
    if left:
        lines.append(f"- … and {plural(left, 'more finding')} without a comment")
    return "\n".join(["## Without a comment of their own\n", *lines]) + "\n\n"


def _group(cause: Cause, detail: str, findings: Sequence[Finding]) -> str:
    why = _WHY[cause] + (f" ({text(clip(visible(detail), _DETAIL_LIMIT)).rstrip('.')})" if detail else "")
    places = [code(clip(visible(finding_place(finding)), _PLACE_LIMIT)) for finding in findings[:_PLACES_SHOWN]]
    more = f" and {len(findings) - _PLACES_SHOWN:,} more" if len(findings) > _PLACES_SHOWN else ""
    return f"- {why}: {', '.join(places)}{more}"


def _foot(mark: SummaryMark, run_url: str) -> str:
    run = f" [Run and artifacts]({run_url})" if _ADDRESS.fullmatch(run_url) else ""
    return f"Reviewed commit: {mark.head_sha[:12]}.{run}"
