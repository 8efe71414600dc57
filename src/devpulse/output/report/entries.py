"""Findings as the page shows them: each with its code, in groups, with what can be filtered for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from devpulse.core.finding import Finding, FindingStatus, Step
from devpulse.core.review import Report
from devpulse.core.verdict import counts
from devpulse.output.guidance import category_of
from devpulse.output.report.anchors import anchors_of
from devpulse.output.report.code import code_markup, code_rows, line_markup, suggested_rows
from devpulse.output.selection import SEVERITIES, most_severe_first
from devpulse.output.snippets import Snippet

_SET_ASIDE = (
    (FindingStatus.DISPUTED, "Disputed", "Refuted by a second look; they do not count for the risk."),
    (FindingStatus.UNANCHORED, "Not placed", "Their evidence is nowhere in the code, so they stand on no line."),
    (FindingStatus.BELOW_THRESHOLD, "Below the threshold", "Less severe or less sure than what was asked for."),
    (FindingStatus.SUPPRESSED, "Suppressed", "Set aside on purpose, each with its reason."),
)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step with its line of code, ``None`` where that is not at hand."""

    step: Step
    code: Markup | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding with everything that is shown of it."""

    finding: Finding
    anchor: str
    code: Markup
    suggestion: Markup | None
    trace: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Findings under one heading. ``counting`` groups are by severity and open, the others by status and folded."""

    name: str
    title: str
    about: str
    entries: tuple[Entry, ...]
    counting: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that can be filtered for, in words, and how many findings have it."""

    value: str
    title: str
    number: int


def groups_of(report: Report, snippets: Mapping[str, Snippet]) -> list[Group]:
    """Every finding of the report in exactly one group: what counts by severity, worst first, then the rest."""
    findings = sorted(report.findings, key=most_severe_first)
    entries = [
        _entry(finding, anchor, snippets.get(finding.fingerprint))
        for finding, anchor in zip(findings, anchors_of(findings), strict=True)
    ]
    counting = [entry for entry in entries if counts(entry.finding)]
    others = [entry for entry in entries if not counts(entry.finding)]
    groups = [
        Group(severity, severity.capitalize(), "", _with(counting, "severity", severity), counting=True)
        for severity in SEVERITIES
    ]
    groups += [
        Group(status, title, about, _with(others, "status", status), counting=False)
        for status, title, about in _SET_ASIDE
    ]
    return [group for group in groups if group.entries]


def severities_in(report: Report) -> list[Choice]:
    """The severities there are, worst first."""
    found = Counter(finding.severity for finding in report.findings)
    return [Choice(name, name.capitalize(), found[name]) for name in SEVERITIES if found[name]]


def statuses_in(report: Report) -> list[Choice]:
    """The statuses there are, those that count first."""
    found = Counter(finding.status for finding in report.findings)
    return [Choice(name, name.replace("-", " "), found[name]) for name in reversed(FindingStatus) if found[name]]


def categories_in(report: Report) -> list[Choice]:
    """The categories there are, by title."""
    found = Counter(finding.category for finding in report.findings)
    choices = [Choice(name, category_of(name).title, number) for name, number in found.items()]
    return sorted(choices, key=lambda choice: (choice.title, choice.value))


def _with(entries: Sequence[Entry], field: str, value: object) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if getattr(entry.finding, field) is value)


def _entry(finding: Finding, anchor: str, snippet: Snippet | None) -> Entry:
    rows = code_rows(finding, snippet)
    suggested = suggested_rows(finding, rows)
    return Entry(
        finding=finding,
        anchor=anchor,
        code=code_markup(rows, finding.path),
        suggestion=code_markup(suggested, finding.path) if suggested else None,
        trace=_trace(finding, snippet),
    )


def _trace(finding: Finding, snippet: Snippet | None) -> tuple[TraceStep, ...]:
    if finding.trace is None:
        return ()
    steps = finding.trace.all_steps()
    lines = snippet.steps if snippet is not None and len(snippet.steps) == len(steps) else (None,) * len(steps)
    return tuple(
        TraceStep(step, line_markup(line, step.path) if line else None) for step, line in zip(steps, lines, strict=True)
    )
