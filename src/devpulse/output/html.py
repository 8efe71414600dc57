"""``report.html``: one self-contained page without scripts, fonts or any other request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from devpulse.core.categories import Severity
from devpulse.core.comparison import Comparison, share_percent
from devpulse.core.finding import Finding
from devpulse.core.review import Report
from devpulse.output.characters import visible
from devpulse.output.compare_text import reported_saving
from devpulse.output.context_chart import context_chart
from devpulse.output.coverage import (
    OutcomeName,
    context_line,
    coverage_line,
    outcome_name,
    plural,
    rows_with,
    set_aside_line,
    usage_line,
    verdict,
)
from devpulse.output.guidance import category_of, cwe_url, guidance_for
from devpulse.output.markdown import split_code_spans
from devpulse.output.paths import display_path, finding_place
from devpulse.output.selection import SEVERITIES, shown_findings
from devpulse.output.snippets import CodeLine, Snippet, code_lines

_TEMPLATE = "templates/report.html.j2"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A finding with its code."""

    finding: Finding
    code: tuple[CodeLine, ...]


def render_html(report: Report, *, snippets: Mapping[str, Snippet], comparison: Comparison | None = None) -> str:
    """The page. ``snippets`` hold the code around findings by fingerprint, redacted.

    With a ``comparison`` it shows what the context strategies saved.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_visible, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["place"] = finding_place
    environment.filters["prose"] = _prose
    environment.filters["path"] = display_path
    environment.filters["outcome"] = outcome_name
    environment.filters["cwe_url"] = cwe_url
    environment.filters["category_title"] = lambda name: category_of(name).title
    environment.filters["problem"] = lambda name: guidance_for(name).problem
    template = environment.from_string(files("devpulse.output").joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    return template.render(_context(report, snippets), **_compared(comparison)) + "\n"


def _visible(value: object) -> object:
    # Every value the template writes passes here, so that none can be forgotten.
    return visible(value) if type(value) is str else value


def _prose(value: str) -> Markup:
    pieces = split_code_spans(visible(value))
    marked = (Markup("<code>{}</code>").format(piece) if i % 2 else escape(piece) for i, piece in enumerate(pieces))
    return Markup("").join(marked)


def _context(report: Report, snippets: Mapping[str, Snippet]) -> dict[str, Any]:
    entries = [
        _Entry(finding, code_lines(finding, snippets.get(finding.fingerprint))) for finding in shown_findings(report)
    ]
    unread = [
        row
        for name in (OutcomeName.FAILED, OutcomeName.PARTIAL, OutcomeName.SKIPPED)
        for row in rows_with(report, name)
    ]
    return {
        "report": report,
        "verdict": verdict(report),
        "groups": [(severity, _with(severity, entries)) for severity in SEVERITIES if _with(severity, entries)],
        "coverage_line": coverage_line(report),
        "unread": unread,
        "reviewed": rows_with(report, OutcomeName.REVIEWED),
        "usage_line": usage_line(report),
        "context_line": context_line(report),
        "set_aside": set_aside_line(report),
        "plural": plural,
    }


def _compared(comparison: Comparison | None) -> dict[str, Any]:
    if comparison is None:
        return {"comparison": None}
    return {
        "comparison": comparison,
        "chart": context_chart(comparison),
        "saved": share_percent(comparison.saved, comparison.before.tokens),
        "saved_as_reported": reported_saving(comparison),
        "percent": share_percent,
    }


def _with(severity: Severity, entries: list[_Entry]) -> list[_Entry]:
    return [entry for entry in entries if entry.finding.severity is severity]
