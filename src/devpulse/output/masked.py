"""A report without secrets: masked as data, before any format escapes it.

In HTML or Markdown a secret with a quote, an ampersand or a backtick no longer looks like itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from devpulse.core.finding import Finding, Step, Trace
from devpulse.core.review import Coverage, Report
from devpulse.output.snippets import Snippet

Mask = Callable[[str], str]
"""Replaces secrets in a text and keeps its line feeds."""


def mask_report(report: Report, mask: Mask) -> Report:
    """The report with every text that comes from code, a model, a name or a setting masked."""
    mask = cache(mask)  # thousands of findings of one rule share their words, and a cancelled run has seconds
    return replace(
        report,
        model=None if report.model is None else mask(report.model),
        summary=mask(report.summary),
        coverage=tuple(_row(row, mask) for row in report.coverage),
        findings=tuple(_finding(finding, mask) for finding in report.findings),
        rung_reason=mask(report.rung_reason),
        notices=tuple(map(mask, report.notices)),
    )


def mask_snippets(snippets: Mapping[str, Snippet], mask: Mask) -> dict[str, Snippet]:
    """Snippets masked as a whole, so that a secret over several lines is seen."""
    return {fingerprint: _snippet(snippet, mask) for fingerprint, snippet in snippets.items()}


def _snippet(snippet: Snippet, mask: Mask) -> Snippet:
    return replace(
        snippet,
        lines=tuple(mask("\n".join(snippet.lines)).split("\n")) if snippet.lines else (),
        others=tuple(replace(other, text=mask(other.text)) for other in snippet.others),
        steps=tuple(None if line is None else mask(line) for line in snippet.steps),
    )


def _row(row: Coverage, mask: Mask) -> Coverage:
    return replace(row, path=mask(row.path), outcome=replace(row.outcome, reason=mask(row.outcome.reason)))


def _finding(finding: Finding, mask: Mask) -> Finding:
    return replace(
        finding,
        path=mask(finding.path),
        symbol=None if finding.symbol is None else mask(finding.symbol),
        title=mask(finding.title),
        description=mask(finding.description),
        fix=mask(finding.fix),
        evidence=mask(finding.evidence),
        reason=mask(finding.reason),
        suggestion=None if finding.suggestion is None else mask(finding.suggestion),
        trace=None if finding.trace is None else _trace(finding.trace, mask),
    )


def _trace(trace: Trace, mask: Mask) -> Trace:
    return Trace(_step(trace.source, mask), tuple(_step(step, mask) for step in trace.steps), _step(trace.sink, mask))


def _step(step: Step, mask: Mask) -> Step:
    return replace(step, path=mask(step.path), note=mask(step.note))
