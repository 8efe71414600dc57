"""``summary.md``: the job summary and the text of the summary comment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from devpulse.core.finding import Finding, Step
from devpulse.core.review import Coverage, Report
from devpulse.output.characters import clip, visible
from devpulse.output.coverage import (
    OutcomeName,
    VerdictLevel,
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
from devpulse.output.guidance import category_of, cwe_url
from devpulse.output.markdown import block, cell_code, code, html_text, prose, text
from devpulse.output.paths import display_path, finding_place
from devpulse.output.selection import shown_findings
from devpulse.output.snippets import code_lines, gutter, number_width

MAX_CHARACTERS = 60_000
"""Below GitHub's 65,536 characters for a comment, with room for what the publisher adds."""

MIN_CHARACTERS = 24_000
"""The parts that are never cut fit into this, even where escaping makes every character eight."""

_ALERTS = {
    VerdictLevel.CLEAN: "TIP",
    VerdictLevel.LIMITED: "NOTE",
    VerdictLevel.LOW: "NOTE",
    VerdictLevel.MEDIUM: "WARNING",
    VerdictLevel.UNPLACED: "WARNING",
    VerdictLevel.INCOMPLETE: "WARNING",
    VerdictLevel.NOT_REVIEWED: "WARNING",
    VerdictLevel.HIGH: "CAUTION",
    VerdictLevel.CRITICAL: "CAUTION",
}
_LINE_LIMIT = 300
_PROSE_LIMIT = 2_000
_SUMMARY_LIMIT = 1_000
_NOTICE_LIMIT = 200
_NAME_LIMIT = 60
_TITLE_LIMIT = 200
_PATH_LIMIT = 300
_NOTICES_SHOWN = 3
_STEPS_SHOWN = 20
_ROWS_UNFOLDED = 30
"""A longer table of findings is folded."""
_FOLD_END = "</details>\n\n"

_Item = TypeVar("_Item")


def render_summary(report: Report, *, max_chars: int = MAX_CHARACTERS, lead: str = "") -> str:
    """The summary in Markdown, at most ``max_chars`` (itself at least ``MIN_CHARACTERS``) long.

    ``lead`` is a line of plain text of ours below the verdict.
    Lists that do not fit end by saying how many more there are; all of them are in ``findings.json``.
    """
    head, cover, foot = _head(report, lead), _coverage_head(report), _foot(report)
    room = max(max_chars, MIN_CHARACTERS) - len(head) - len(cover) - len(foot)
    findings = shown_findings(report)
    table = _findings_table(findings, room // 4)
    gaps = _not_reviewed(report, room // 4)
    room -= len(table) + len(gaps)
    reviewed = _reviewed(report, room // 4)
    details = _details(findings, room - len(reviewed))
    return "".join((head, table, details, cover, gaps, reviewed, foot))


def _short(value: str, limit: int) -> str:
    return clip(visible(value), limit)


def _head(report: Report, lead: str) -> str:
    result = verdict(report)
    lines = [
        "# DevPulse security review",
        f"> [!{_ALERTS[result.level]}]\n> **{text(_short(result.text, _LINE_LIMIT))}**",
    ]
    if lead:
        lines.append(lead)
    if report.summary:
        lines.append(prose(_short(report.summary, _SUMMARY_LIMIT)))
    return "\n\n".join(lines) + "\n\n"


def _findings_table(findings: Sequence[Finding], room: int) -> str:
    if not findings:
        return ""
    columns = "| Severity | Category | Place | Problem | Status |\n| --- | --- | --- | --- | --- |\n"
    if len(findings) <= _ROWS_UNFOLDED:
        return _fitted(f"## Findings\n\n{columns}", findings, _finding_row, room, "finding")
    title = f"## Findings\n\n<details><summary>{plural(len(findings), 'finding')}</summary>\n\n{columns}"
    return _fitted(title, findings, _finding_row, room - len(_FOLD_END), "finding") + _FOLD_END


def _finding_row(finding: Finding) -> str:
    cells = (
        str(finding.severity),
        _category(finding),
        cell_code(_place(finding)),
        text(clip(finding.title, _TITLE_LIMIT)),
        str(finding.status),
    )
    return f"| {' | '.join(cells)} |\n"


def _category(finding: Finding) -> str:
    name = text(clip(finding.category, 50))
    cwe = "" if finding.cwe is None else f" [CWE-{finding.cwe}]({cwe_url(finding.cwe)})"
    return f"{name}{cwe}"


def _place(finding: Finding) -> str:
    return _short(finding_place(finding), _PATH_LIMIT)


def _details(findings: Sequence[Finding], room: int) -> str:
    return _fitted("", findings, _detail, room, "finding in detail", "findings in detail") if findings else ""


def _detail(finding: Finding) -> str:
    title = f"<b>{finding.severity}</b>: {html_text(clip(finding.title, _TITLE_LIMIT))}"
    place = f"<code>{html_text(_place(finding))}</code>"
    standing = f"Confidence {finding.confidence}, found by a {finding.source}, {finding.status}{_because(finding)}."
    parts = [
        f"<details><summary>{title} {place}</summary>",
        f"{category_of(finding.category).title}: {_category(finding)}. {standing}",
        _evidence(finding),
        prose(clip(finding.description, _PROSE_LIMIT)),
        _trace(finding),
        f"**How to fix.** {prose(clip(finding.fix, _PROSE_LIMIT))}" if finding.fix else "",
        _suggestion(finding),
        f"Fingerprint {code(clip(finding.fingerprint, 100))}",
        "</details>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n\n"


def _because(finding: Finding) -> str:
    return f": {text(clip(finding.reason, _LINE_LIMIT)).rstrip('.')}" if finding.reason else ""


def _evidence(finding: Finding) -> str:
    lines = code_lines(finding, None)
    digits = number_width(lines)
    before = [f"{gutter(line.number, digits)} | " if digits else "" for line in lines]
    return block("\n".join(f"{start}{clip(line.text, _LINE_LIMIT)}" for start, line in zip(before, lines, strict=True)))


def _suggestion(finding: Finding) -> str:
    if finding.suggestion is None or len(finding.suggestion) > _PROSE_LIMIT:
        return ""
    return f"Suggested in its place:\n\n{block(finding.suggestion)}"


def _trace(finding: Finding) -> str:
    if finding.trace is None:
        return ""
    steps = finding.trace.all_steps()
    lines = [f"{number}. {_step(step)}" for number, step in enumerate(steps[:_STEPS_SHOWN], start=1)]
    if len(steps) > _STEPS_SHOWN:
        lines.append(f"\n… and {plural(len(steps) - _STEPS_SHOWN, 'more step')}")
    return "\n".join(["How the value gets there:\n", *lines])


def _step(step: Step) -> str:
    place = code(f"{clip(display_path(step.path), _PATH_LIMIT)}:{step.line}")
    return f"{place} {prose(' '.join(_short(step.note, _LINE_LIMIT).split()))}"


def _coverage_head(report: Report) -> str:
    return f"## Coverage\n\n{text(_short(coverage_line(report), _LINE_LIMIT))}\n\n"


def _not_reviewed(report: Report, room: int) -> str:
    names = (OutcomeName.FAILED, OutcomeName.PARTIAL, OutcomeName.SKIPPED)
    rows = [row for name in names for row in rows_with(report, name)]
    if not rows:
        return ""
    title = "| File | Outcome | Reason |\n| --- | --- | --- |\n"
    return _fitted(title, rows, _coverage_row, room, "file")


def _coverage_row(row: Coverage) -> str:
    cells = (
        cell_code(clip(display_path(row.path), _PATH_LIMIT)),
        str(outcome_name(row)),
        text(clip(row.outcome.reason, _LINE_LIMIT)),
    )
    return f"| {' | '.join(cells)} |\n"


def _reviewed(report: Report, room: int) -> str:
    rows = rows_with(report, OutcomeName.REVIEWED)
    if not rows:
        return ""
    title = f"<details><summary>{plural(len(rows), 'file')} reviewed</summary>\n\n"
    title += "| File | Parts | Tokens | |\n| --- | --- | --- | --- |\n"
    return _fitted(title, rows, partial(_reviewed_row, report), room, "file") + "</details>\n\n"


def _reviewed_row(report: Report, row: Coverage) -> str:
    path = cell_code(clip(display_path(row.path), _PATH_LIMIT))
    return f"| {path} | {row.parts} | {row.tokens:,} | {text(clip(row_note(report, row), _LINE_LIMIT))} |\n"


def _foot(report: Report) -> str:
    facts = {
        "Engine": text(_short(report.engine, _NAME_LIMIT)),
        "Model": text(_short(report.model or "", _NAME_LIMIT)),
        "Used": text(usage_line(report)),
        "Contexts": text(context_line(report)),
        "Diff": text(_short(": ".join(filter(None, (report.rung, report.rung_reason))), _NOTICE_LIMIT)),
        "Not counted": text(set_aside_line(report)),
    }
    lines = [f"- {name}: {value}" for name, value in facts.items() if value]
    lines += [f"- Note: {text(_short(notice, _NOTICE_LIMIT))}" for notice in report.notices[:_NOTICES_SHOWN]]
    if len(report.notices) > _NOTICES_SHOWN:
        lines.append(f"- {plural(len(report.notices) - _NOTICES_SHOWN, 'more note')} in the log")
    return "\n".join(["## How this was reviewed\n", *lines, ""])


def _fitted(
    title: str, items: Sequence[_Item], render: Callable[[_Item], str], room: int, noun: str, nouns: str | None = None
) -> str:
    """As many items as fit after the title, and how many more there are."""
    parts: list[str] = []
    left = room - len(title) - _CUT_NOTICE
    for item in items:
        rendered = render(item)
        if len(rendered) > left:
            break
        parts.append(rendered)
        left -= len(rendered)
    missing = len(items) - len(parts)
    if not missing:
        return f"{title}{''.join(parts)}".rstrip("\n") + "\n\n"
    name = noun if missing == 1 else nouns or f"{noun}s"
    return f"{title}{''.join(parts)}\n… and {missing:,} more {name} in {code('findings.json')}\n\n"


_CUT_NOTICE = 100
