"""Code as markup: numbered, coloured, with what the change did to each line and which lines the finding rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from markupsafe import Markup, escape

from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.text import split_lines
from devpulse.output.report.highlight import Look, Piece, highlighted
from devpulse.output.snippets import Snippet, code_lines, shown_line


class Sign(StrEnum):
    """What the change did to a line."""

    SAME = ""
    ADDED = "+"
    REMOVED = "-"


_CLASSES = {Sign.SAME: "l", Sign.ADDED: "l add", Sign.REMOVED: "l del"}


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One line to show. ``steps`` are the steps of the trace that lie on it, from 1."""

    number: int | None
    text: str
    sign: Sign = Sign.SAME
    marked: bool = False
    steps: tuple[int, ...] = ()


def code_rows(finding: Finding, snippet: Snippet | None) -> list[CodeRow]:
    """The code around a finding as a diff, the evidence marked."""
    own, other = (Sign.ADDED, Sign.REMOVED) if finding.side is Side.RIGHT else (Sign.REMOVED, Sign.ADDED)
    placed = None if finding.status is FindingStatus.UNANCHORED else snippet
    changed = frozenset[int]() if placed is None else placed.changed
    others: dict[int, list[str]] = defaultdict(list)
    for line in () if placed is None else placed.others:
        others[line.before].append(shown_line(line.text))
    steps = _steps_by_line(finding)
    rows: list[CodeRow] = []
    for code in code_lines(finding, snippet):
        number = code.number
        if number is None:
            rows.append(CodeRow(None, code.text, marked=code.marked))
            continue
        rows += [CodeRow(None, text, other) for text in others[number]]
        sign = own if number in changed else Sign.SAME
        rows.append(CodeRow(number, code.text, sign, code.marked, tuple(steps[number])))
    return rows


def suggested_rows(finding: Finding, shown: Sequence[CodeRow]) -> list[CodeRow]:
    """The suggestion as a diff of the lines it stands for."""
    if finding.suggestion is None:
        return []
    gone = [CodeRow(row.number, row.text, Sign.REMOVED) for row in shown if row.marked]
    return gone + [CodeRow(None, shown_line(line), Sign.ADDED) for line in split_lines(finding.suggestion)]


def code_markup(rows: Sequence[CodeRow], language: str | None) -> Markup:
    """The rows as elements of a ``pre``, coloured by the language; plain without one."""
    pieces = highlighted([row.text for row in rows], language)
    rendered = "".join(_row(row, of_row) for row, of_row in zip(rows, pieces, strict=True))
    return Markup(rendered)  # noqa: S704  (every text in it went through escape)


def line_markup(line: str, language: str | None) -> Markup:
    """One line of code without what stands before it, coloured by the language; plain without one."""
    rendered = _colored(highlighted([shown_line(line).strip()], language)[0])
    return Markup(rendered)  # noqa: S704  (every text in it went through escape)


def _steps_by_line(finding: Finding) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for number, step in enumerate(() if finding.trace is None else finding.trace.all_steps(), 1):
        if step.path == finding.path:
            found[step.line].append(number)
    return found


# Strings and not Markup.format(), which would take half of the time of a page with thousands of findings.
def _row(row: CodeRow, pieces: Iterable[Piece]) -> str:
    tag = "mark" if row.marked else "span"
    number = "" if row.number is None else f' data-n="{row.number}"'
    steps = "".join(f'<b class="at" title="step {at}">{at}</b>' for at in row.steps)
    return f'<{tag} class="{_CLASSES[row.sign]}"{number}>{_colored(pieces)}{steps}</{tag}>'


def _colored(pieces: Iterable[Piece]) -> str:
    return "".join(
        str(escape(text)) if look is Look.PLAIN else f'<i class="{look}">{escape(text)}</i>' for text, look in pieces
    )
