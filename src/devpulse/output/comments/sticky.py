"""The one summary comment of a pull request, updated in place."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report, Reviewed
from devpulse.core.verdict import counts
from devpulse.output.characters import clip, visible
from devpulse.output.comments.body import MAX_CHARACTERS
from devpulse.output.comments.marker import (
    NO_MEMORY,
    SUMMARY_HEADING,
    Memory,
    SummaryMark,
    is_markable,
    summary_marker,
)
from devpulse.output.comments.memory import changes_of
from devpulse.output.comments.plan import Cause, Unplaced
from devpulse.output.comments.standing import StandingComment
from devpulse.output.coverage import outcome_name, plural, verdict
from devpulse.output.markdown import code, text
from devpulse.output.paths import finding_place
from devpulse.output.selection import most_severe_first
from devpulse.output.summary import render_summary

_REFUSED_KEPT = 200
"""More would take the room of the summary; the others are simply tried again."""
_ROOM_FOR_UNPLACED = 6_000
_ROOM_FOR_LIST = 3_000
_GROUPS_SHOWN = 10
_PLACES_SHOWN = 8
_PLACE_LIMIT = 120
_DETAIL_LIMIT = 300
_ADDRESS = re.compile(r"https?://[^\s()<>\"'`\\]{1,500}")

_HOW = (
    f"<sub>Accepted or wrong? Somebody with write permission closes the thread, or answers in it "
    f"{code('/devpulse ignore <reason>')}, or comments {code('/devpulse ignore <fingerprint> <reason>')}; for all pull "
    f"requests, list the fingerprint under {code('ignore')} in "
    f"{code('.devpulse.yml')} of the base.</sub>"
)
_WHY = {
    Cause.OVER_LIMIT: f"Over the limit of comments ({code('max-comments')})",
    Cause.NO_PLACE: "No comment is possible there",
    Cause.REFUSED: "GitHub refused the comment",
    Cause.DELETED: "Somebody deleted the comment",
    Cause.MOVED: "The pull request moved on during the review",
    Cause.NOT_SENT: "Not posted",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What the summary tells beside the report: open findings without a comment, threads that were closed without
    effect, and (to tell what changed) the files that were deleted."""

    unplaced: Sequence[Unplaced] = ()
    unheeded: Sequence[StandingComment] = ()
    deleted_paths: frozenset[str] = frozenset()


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


def summary_mark(report: Report, head_sha: str, told: Told, memory: Memory = NO_MEMORY) -> SummaryMark:
    """What the marker of the summary says: equal marks mean that an update would say nothing new.

    Prose, tokens, times, reuse and links are left out: they differ from run to run over the same commit.
    """
    found = [
        (f.fingerprint, f.status, f.severity, f.confidence, f.path, f.side, f.start_line, f.end_line)
        for f in report.findings
    ]
    rows = [(row.path, outcome_name(row), _reason_of(row.outcome)) for row in report.coverage]
    without = [(item.finding.fingerprint, item.cause) for item in told.unplaced]
    people = [(f.fingerprint, f.reason) for f in report.findings if f.status is FindingStatus.SUPPRESSED]
    people += [(comment.fingerprint, comment.resolved_by) for comment in told.unheeded]
    said = [report.engine, verdict(report).level, report.risk, report.incomplete]
    parts = (said, sorted(found), sorted(rows), sorted(without), sorted(people))
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
    refused = {item.finding.fingerprint for item in told.unplaced if item.cause is Cause.REFUSED}
    return SummaryMark(head_sha, digest, frozenset(sorted(filter(is_markable, refused))[:_REFUSED_KEPT]), memory)


def render_sticky(
    report: Report, mark: SummaryMark, told: Told, *, run_url: str = "", heading: str = SUMMARY_HEADING
) -> str:
    """The summary comment of a masked report: its summary, what changed since the last push, what could not be
    commented inline, what was set aside and by whom, how to set something aside, the marker.

    ``run_url`` leads to the run and its artifacts; one that is not a plain address is left out. ``heading`` is the
    first line.
    """
    marker = summary_marker(mark)
    lists = f"{_unplaced_list(told.unplaced)}{_set_aside(report)}{_unheeded(report, told.unheeded)}"
    tail = f"{lists}{_foot(mark, run_url)}\n\n{marker}"
    changes = changes_of(report, mark.memory, told.deleted_paths)
    lead = changes.line if changes is not None else ""
    room = MAX_CHARACTERS - len(tail) - len(heading)
    return f"{render_summary(report, max_chars=room, lead=lead)}\n{tail}".replace(SUMMARY_HEADING, heading, 1)


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


def _set_aside(report: Report) -> str:
    suppressed = sorted((f for f in report.findings if f.status is FindingStatus.SUPPRESSED), key=most_severe_first)
    rows = [f"- {_named(finding)}: {text(clip(visible(finding.reason), _DETAIL_LIMIT))}" for finding in suppressed]
    return _folded(f"{plural(len(rows), 'finding')} set aside", rows)


def _unheeded(report: Report, comments: Sequence[StandingComment]) -> str:
    found = {finding.fingerprint: finding for finding in report.findings}
    rows = [
        f"- {_named(found[comment.fingerprint])}: closed by {code(clip(visible(comment.resolved_by), _PLACE_LIMIT))}"
        for comment in comments
        if comment.fingerprint in found
    ]
    title = f"{plural(len(rows), 'thread')} closed without effect: only people with write permission set findings aside"
    return _folded(title, rows)


def _named(finding: Finding) -> str:
    place = code(clip(visible(finding_place(finding)), _PLACE_LIMIT))
    return f"{finding.severity} {text(clip(finding.category, 50))} {place}"


def _folded(title: str, rows: Sequence[str]) -> str:
    """A list to open, and how many more there are than its room takes."""
    if not rows:
        return ""
    shown: list[str] = []
    room = _ROOM_FOR_LIST
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            break
        shown.append(row)
    left = len(rows) - len(shown)
    shown += [f"- … and {left:,} more in {code('findings.json')}"] if left else []
    return "\n".join([f"<details><summary>{title}</summary>\n", *shown, "\n</details>\n\n"])


def _foot(mark: SummaryMark, run_url: str) -> str:
    run = f" [Run and artifacts]({run_url})" if _ADDRESS.fullmatch(run_url) else ""
    return f"{_HOW}\n\nReviewed commit: {mark.head_sha[:12]}.{run}"
