"""What ``devpulse review`` prints: findings with their code, then coverage, use and artifacts.

Importing this module imports rich; commands that print no report import it only when they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.review import Report
from devpulse.core.verdict import counts
from devpulse.output.characters import clip, inert_lines, visible
from devpulse.output.columns import shortened
from devpulse.output.coverage import VerdictLevel, context_line, coverage_line, set_aside_line, usage_line, verdict
from devpulse.output.paths import display_path, finding_place
from devpulse.output.selection import shown_findings
from devpulse.output.snippets import Snippet, code_lines, gutter, number_width

MIN_WIDTH = 40
OVERVIEW_ROWS = 20
"""The most rows of the table of findings; a longer one would push the verdict's surroundings off the screen."""
MOST_IN_FULL = 200
"""Findings shown with their code; nobody reads on, and a run that is cancelled has seconds to end."""

_OVERVIEW_FROM = 3
"""Fewer findings are seen at a glance."""

_SEVERITY_COLUMNS = 10
_SEVERITY_STYLES = {
    Severity.CRITICAL: "bold white on red",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "bold yellow",
    Severity.LOW: "bold cyan",
}
_VERDICT_STYLES = {
    VerdictLevel.CLEAN: "bold green",
    VerdictLevel.LIMITED: "bold cyan",
    VerdictLevel.LOW: "bold cyan",
    VerdictLevel.MEDIUM: "bold yellow",
    VerdictLevel.HIGH: "bold red",
    VerdictLevel.CRITICAL: "bold red",
    VerdictLevel.UNPLACED: "bold yellow",
    VerdictLevel.INCOMPLETE: "bold yellow",
    VerdictLevel.NOT_REVIEWED: "bold yellow",
}


def render_terminal(
    report: Report,
    *,
    width: int,
    color: bool,
    snippets: Mapping[str, Snippet],
    artifacts: Mapping[str, str],
    whole_paths: bool = False,
) -> str:
    """The whole report as text of at most ``width`` columns (at least ``MIN_WIDTH``).

    ``snippets`` hold code by fingerprint, redacted; ``artifacts`` hold the path of each artifact by
    name. Only with ``color`` does the text hold escape sequences, and only our own: control
    characters of the code and of the model are written out. With ``whole_paths`` a long place of a
    finding runs over the width, for programs that read it; else it is cut in the middle.
    """
    console, out = _console(max(width, MIN_WIDTH), color=color)
    shown = shown_findings(report)
    for finding in shown[:MOST_IN_FULL]:
        _print_finding(console, finding, snippets.get(finding.fingerprint), whole_path=whole_paths)
    if len(shown) > MOST_IN_FULL:
        _print_more(console, len(shown) - MOST_IN_FULL)
    counting = [finding for finding in shown if counts(finding)]
    if len(counting) >= _OVERVIEW_FROM:
        _print_overview(console, counting)
    result = verdict(report)
    console.print(_text(result.text, _VERDICT_STYLES[result.level]))
    console.print()
    facts = _facts(report)
    label_width = max(map(len, (*facts, *artifacts)))
    for label, value in facts.items():
        _print_fact(console, label, value, label_width)
    for label, path in artifacts.items():
        # Never wrapped: a path is there to be copied.
        name = Text(f"{visible(label):<{label_width + 2}}", style="dim")
        console.print(name.append_text(_text(display_path(path))), soft_wrap=True)
    # Once more: a line may have been broken just before what was harmless inside it.
    return "".join(f"{inert_lines(line).rstrip()}\n" for line in out.getvalue().splitlines())


def _console(width: int, *, color: bool) -> tuple[Console, StringIO]:
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        color_system="standard" if color else None,
        force_terminal=color,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},  # what the environment says about color and width was decided by the caller
    )
    return console, out


def _text(value: str, style: str = "") -> Text:
    return Text(inert_lines(" ".join(visible(value).split())), style=style)


def _print_finding(console: Console, finding: Finding, snippet: Snippet | None, *, whole_path: bool) -> None:
    cwe = "" if finding.cwe is None else f" CWE-{finding.cwe}"
    head = _text(finding.severity.upper(), _SEVERITY_STYLES[finding.severity])
    console.print(head.append("  ", style="default").append_text(_text(f"{finding.category}{cwe}")))
    place = _text(finding_place(finding), "bold")
    if not whole_path:
        place.plain = shortened(place.plain, console.width)
    console.print(place, soft_wrap=True)
    console.print(_text(finding.title))
    if finding.status is not FindingStatus.OPEN:
        console.print(_text(f"{finding.status}: {finding.reason}" if finding.reason else finding.status, "dim"))
    _print_code(console, finding, snippet)
    if finding.fix:
        _print_fact(console, "Fix", finding.fix, len("Fix"))
    console.print()


def _print_overview(console: Console, findings: Sequence[Finding]) -> None:
    """One line for each finding that the verdict counts, right above it: where a reader of a terminal begins."""
    rows = findings[:OVERVIEW_ROWS]
    room = (console.width - _SEVERITY_COLUMNS) * 3 // 5
    places = [shortened(_text(finding_place(finding)).plain, room) for finding in rows]
    column = max(map(cell_len, places))
    for finding, place in zip(rows, places, strict=True):
        row = _text(finding.severity.upper(), _SEVERITY_STYLES[finding.severity])
        row.append(" " * (_SEVERITY_COLUMNS - cell_len(row.plain)), style="default")
        row.append(place + " " * (column + 2 - cell_len(place))).append_text(_text(finding.title))
        row.truncate(console.width, overflow="ellipsis")
        console.print(row, no_wrap=True)
    _print_more(console, len(findings) - len(rows))


def _print_more(console: Console, more: int) -> None:
    if more > 0:
        console.print(Text(f"and {more:,} more: see report.html", style="dim"))
    console.print()


def _print_code(console: Console, finding: Finding, snippet: Snippet | None) -> None:
    shown = code_lines(finding, snippet)
    digits = number_width(shown)
    for line in shown:
        mark, style = (">", "bold") if line.marked else (" ", "dim")
        row = Text(f"{mark} {gutter(line.number, digits)} | ", style="dim").append(inert_lines(line.text), style=style)
        row.truncate(console.width, overflow="ellipsis")
        console.print(row, no_wrap=True)


def _facts(report: Report) -> dict[str, str]:
    facts = {
        "Coverage": coverage_line(report),
        "Tokens": usage_line(report),
        "Contexts": context_line(report),
        "Engine": ", ".join(filter(None, (report.engine, report.model))),
        "Diff": ": ".join(filter(None, (report.rung, report.rung_reason))),
        "Not counted": set_aside_line(report),
    }
    facts |= {f"Note {number}": clip(notice, 500) for number, notice in enumerate(report.notices, start=1)}
    return {label: value for label, value in facts.items() if value}


def _print_fact(console: Console, label: str, value: str, label_width: int) -> None:
    gutter = label_width + 2
    for number, line in enumerate(_text(value).wrap(console, console.width - gutter)):
        name = label if number == 0 else ""
        console.print(Text(f"{name:<{gutter}}", style="dim").append_text(line), no_wrap=True, overflow="ellipsis")
