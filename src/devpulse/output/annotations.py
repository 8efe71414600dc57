"""Annotations of a workflow run: what GitHub shows beside the code without any write permission.

An annotation is a line on standard output that the runner obeys, ``::error file=…::message`` (GitHub's page
"Workflow commands"). Texts of models and of the repository stand in such lines, so nothing in them may end the line,
a property or the command: that is what the runner's escapes are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from devpulse.core.categories import Severity
from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report
from devpulse.core.verdict import counts
from devpulse.output.characters import clip, inert_lines, visible
from devpulse.output.coverage import plural
from devpulse.output.markdown import inert
from devpulse.output.selection import shown_findings

LEVEL_LIMIT = 10
"""GitHub keeps this many annotations of each level for a step and drops the rest without a word."""

MESSAGE_LIMIT = 4_096
"""Characters of a message; the runner cuts a longer one."""

_TITLE_LIMIT = 120
_FIX_LIMIT = 1_000


class AnnotationLevel(StrEnum):
    """The runner's commands for the three kinds of annotation."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


_LEVELS = {
    Severity.CRITICAL: AnnotationLevel.ERROR,
    Severity.HIGH: AnnotationLevel.ERROR,
    Severity.MEDIUM: AnnotationLevel.WARNING,
    Severity.LOW: AnnotationLevel.NOTICE,
}


def render_annotations(
    report: Report, *, nearest_head_line: Callable[[Finding], int | None], limit: int = LEVEL_LIMIT
) -> tuple[str, ...]:
    """The findings that count as workflow commands, worst first; none when there are none.

    Disputed findings that do not count and those without a place stand in the summary only. Of a level with more
    than ``limit`` (at least 1) findings the last annotation says how many more there are.

    Args:
        report: the report; its texts are masked.
        nearest_head_line: for a finding on removed code, the nearest head line of its hunk; ``None`` for a
            deleted file, whose annotation then has no line.
        limit: annotations of each level.
    """
    counting = [finding for finding in shown_findings(report) if counts(finding)]
    lines: list[str] = []
    for level in AnnotationLevel:
        found = [finding for finding in counting if _LEVELS[finding.severity] is level]
        kept = found if len(found) <= limit else found[: limit - 1]
        lines += [_annotation(level, finding, nearest_head_line) for finding in kept]
        if len(found) > len(kept):
            more = plural(len(found) - len(kept), "more finding")
            lines.append(render_command(level, f"{more} of this level in the job summary.", title="DevPulse"))
    return tuple(lines)


def render_command(
    level: AnnotationLevel,
    message: str,
    *,
    path: str = "",
    first_line: int | None = None,
    last_line: int | None = None,
    title: str = "",
) -> str:
    """One workflow command, on one line whatever the texts hold. Line numbers count from 1 and need a path."""
    place = {"file": path, "line": first_line, "endLine": last_line} if path else {}
    given = {**place, "title": clip(visible(title), _TITLE_LIMIT)}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in given.items() if value)
    return f"::{level}{' ' if properties else ''}{properties}::{_data(message)}"


def _annotation(level: AnnotationLevel, finding: Finding, nearest_head_line: Callable[[Finding], int | None]) -> str:
    first: int | None = max(1, finding.start_line)
    last: int | None = max(1, finding.start_line, finding.end_line)
    if finding.side is Side.LEFT:
        first = last = nearest_head_line(finding)
    return render_command(
        level,
        "\n\n".join(part for part in _message(finding) if part),
        path=finding.path,
        first_line=first,
        last_line=last,
        title=_title(finding),
    )


def _title(finding: Finding) -> str:
    cwe = "" if finding.cwe is None else f" (CWE-{finding.cwe})"
    return f"{finding.severity} {finding.category}{cwe}"


def _message(finding: Finding) -> Iterator[str]:
    fix = f"How to fix: {clip(finding.fix, _FIX_LIMIT)}" if finding.fix else ""
    # The fix stands last and is worth more than the end of a long description.
    room = MESSAGE_LIMIT - len(fix) - 800
    yield clip(f"{finding.title.rstrip('. ')}.\n\n{finding.description}", room)
    if finding.side is Side.LEFT:
        yield f"This is about removed code, lines {finding.start_line} to {finding.end_line} of the old file."
    if finding.status is FindingStatus.DISPUTED:
        yield clip(f"Disputed: {finding.reason}", 300)
    yield fix


# No carriage return is left to escape: the runner's third escape is not needed.


def _data(text: str) -> str:
    return clip(inert_lines(inert(text)), MESSAGE_LIMIT).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    # Links are left alone: a path has to stay the path.
    shown = visible(text).replace("##[", "##\\[")
    return shown.replace("%", "%25").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
