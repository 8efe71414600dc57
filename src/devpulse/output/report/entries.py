"""Findings as the page shows them: each with its code, in groups, with what can be filtered for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from devpulse.core.finding import Finding, FindingStatus, Step
from devpulse.core.languages import language_of
from devpulse.core.review import Report
from devpulse.core.verdict import counts
from devpulse.output.guidance import category_of
from devpulse.output.report.anchors import anchors_of
from devpulse.output.report.code import code_markup, code_rows, line_markup, suggested_rows
from devpulse.output.selection import SEVERITIES, most_severe_first
from devpulse.output.snippets import Snippet

AT_ONCE = 200
"""The findings, worst first, that have coloured code and whose details stand in the page from the start. The details of
the others wait in ``template`` elements until the page can be used, which takes a browser half of the time."""

_SET_ASIDE = (
    (FindingStatus.DISPUTED, "Disputed", "Refuted by a second look; they do not count for the risk."),
    (FindingStatus.UNANCHORED, "Not placed", "Their evidence is nowhere in the code, so they stand on no line."),
    (FindingStatus.BELOW_THRESHOLD, "Below the threshold", "Less severe or less sure than what was asked for."),
    (FindingStatus.SUPPRESSED, "Suppressed", "Set aside on purpose, each with its reason."),
)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step with its line of code, ``None`` where that is not at hand or was shown with the step before."""

    step: Step
    code: Markup | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding with everything that is shown of it; ``at_once`` as in ``AT_ONCE``."""

    finding: Finding
    anchor: str
    code: Markup
    suggestion: Markup | None
    trace: tuple[TraceStep, ...]
    at_once: bool


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
        _entry(finding, anchor, snippets.get(finding.fingerprint), at_once=number < AT_ONCE)
        for number, (finding, anchor) in enumerate(zip(findings, anchors_of(findings), strict=True))
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


def _entry(finding: Finding, anchor: str, snippet: Snippet | None, *, at_once: bool) -> Entry:
    rows = code_rows(finding, snippet)
    suggested = suggested_rows(finding, rows)
    language = language_of(finding.path) if at_once else None
    return Entry(
        finding=finding,
        anchor=anchor,
        code=code_markup(rows, language),
        suggestion=code_markup(suggested, language) if suggested else None,
        trace=_trace(finding, snippet, coloured=at_once),
        at_once=at_once,
    )


def _trace(finding: Finding, snippet: Snippet | None, *, coloured: bool) -> tuple[TraceStep, ...]:
    if finding.trace is None:
        return ()
    steps = finding.trace.all_steps()
    lines = snippet.steps if snippet is not None and len(snippet.steps) == len(steps) else (None,) * len(steps)
    shown: list[TraceStep] = []
    for step, line, before in zip(steps, lines, (None, *steps), strict=False):
        repeated = before is not None and (before.path, before.line) == (step.path, step.line)
        language = language_of(step.path) if coloured else None
        shown.append(TraceStep(step, line_markup(line, language) if line and not repeated else None))
    return tuple(shown)
