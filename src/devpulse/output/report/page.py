"""The page as a whole: parts filled into templates, with a policy made for exactly its style and its script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from devpulse.core.comparison import Comparison, share_percent
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
    row_note,
    rows_with,
    set_aside_line,
    usage_line,
    verdict,
)
from devpulse.output.guidance import category_of, cwe_url, guidance_for
from devpulse.output.markdown import split_code_spans
from devpulse.output.paths import display_path, finding_place
from devpulse.output.report.charts import file_bars, turn_chart
from devpulse.output.report.entries import AT_ONCE, categories_in, groups_of, severities_in, statuses_in
from devpulse.output.report.policy import content_policy
from devpulse.output.report.turns import Turn, by_turn
from devpulse.output.selection import counted_by_severity
from devpulse.output.snippets import Snippet


def render_html(
    report: Report,
    *,
    snippets: Mapping[str, Snippet],
    comparison: Comparison | None = None,
    turns: Sequence[Turn] = (),
) -> str:
    """The page. ``snippets`` hold the code around findings by fingerprint, redacted.

    With a ``comparison`` it shows what the context strategies saved, with ``turns`` how large the requests were.
    """
    template = _environment().get_template("page.html.j2")
    return template.render(_furniture(), **_context(report, snippets, turns), **_compared(comparison)) + "\n"


def load_templates() -> None:
    """Compile the templates, for which the first page would have to wait."""
    for each in files("devpulse.output.report").joinpath("templates").iterdir():
        _environment().get_template(each.name)


@cache
def _read(name: str) -> str:
    return files("devpulse.output.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: _read(f"templates/{name}")),
    )
    environment.filters["place"] = finding_place
    environment.filters["prose"] = _prose
    environment.filters["path"] = display_path
    environment.filters["outcome"] = outcome_name
    environment.filters["cwe_url"] = cwe_url
    environment.filters["category_title"] = lambda name: category_of(name).title
    environment.filters["problem"] = lambda name: guidance_for(name).problem
    environment.filters["thousands"] = lambda number: f"{number:,}"
    environment.globals["plural"] = plural
    environment.globals["row_note"] = row_note
    environment.globals["percent"] = share_percent
    return environment


def _visible(value: object) -> object:
    # Every value the template writes passes here, so that none can be forgotten.
    return visible(value) if type(value) is str else value


def _prose(value: str) -> Markup:
    pieces = split_code_spans(visible(value))
    marked = (Markup("<code>{}</code>").format(piece) if i % 2 else escape(piece) for i, piece in enumerate(pieces))
    return Markup("").join(marked)


def _furniture() -> dict[str, Any]:
    style, script = _read("report.css"), _read("report.js")
    # Ours and no one else's: the policy lets nothing run but these very texts.
    return {
        "style": Markup(style),  # noqa: S704  (a file of the package)
        "script": Markup(script),  # noqa: S704  (a file of the package)
        "policy": Markup(content_policy(style, script)),  # noqa: S704  (made of hashes)
    }


def _context(report: Report, snippets: Mapping[str, Snippet], turns: Sequence[Turn]) -> dict[str, Any]:
    unread = [
        row
        for name in (OutcomeName.FAILED, OutcomeName.PARTIAL, OutcomeName.SKIPPED)
        for row in rows_with(report, name)
    ]
    return {
        "report": report,
        "verdict": verdict(report),
        "counted": counted_by_severity(report),
        "groups": groups_of(report, snippets),
        "waiting": max(0, len(report.findings) - AT_ONCE),
        "severities": severities_in(report),
        "statuses": statuses_in(report),
        "categories": categories_in(report),
        "coverage_line": coverage_line(report),
        "unread": unread,
        "reviewed": rows_with(report, OutcomeName.REVIEWED),
        "usage_line": usage_line(report),
        "context_line": context_line(report),
        "set_aside": set_aside_line(report),
        "turn_chart": turn_chart(turns),
        "by_turn": by_turn(turns),
        "file_bars": file_bars(report.coverage),
    }


def _compared(comparison: Comparison | None) -> dict[str, Any]:
    if comparison is None:
        return {"comparison": None}
    return {
        "comparison": comparison,
        "chart": context_chart(comparison),
        "saved": share_percent(comparison.saved, comparison.before.tokens),
        "saved_as_reported": reported_saving(comparison),
    }
