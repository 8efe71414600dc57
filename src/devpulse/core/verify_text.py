"""What a verifying context and the concluding request are told first; findings are data like any other text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from devpulse.core.annotated import Enclosing, ShownChange, annotate
from devpulse.core.change import Hunk
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding
from devpulse.core.shown import show_line, show_path

FINDINGS_KIND = "findings"
REFERENCES_KIND = "references"


def verdict_id(number: int) -> str:
    """The short id of the finding at a position, counted from 1: ``F1``."""
    return f"F{number}"


def render_verification(
    path: str,
    findings: Sequence[Finding],
    hunks: Iterable[Hunk],
    shown: ShownChange,
    fence: Fence,
    enclosing: Enclosing,
) -> str:
    """The first user message of a verification: the hunks the findings stand in, and the findings under short ids."""
    rows = [json.dumps(_fields(number, finding), ensure_ascii=False) for number, finding in enumerate(findings, 1)]
    return "\n".join(
        (
            f"Fence key {fence.key}. Try to refute these findings.",
            fence.wrap("file", json.dumps({"path": show_path(path)}, ensure_ascii=False)),
            fence.wrap("diff", annotate(hunks, shown, enclosing)),
            fence.wrap(FINDINGS_KIND, "\n".join(rows)),
        )
    )


def _fields(number: int, finding: Finding) -> dict[str, object]:
    return {
        "id": verdict_id(number),
        "category": finding.category,
        "severity": finding.severity.value,
        "side": finding.side.value,
        "start_line": finding.start_line,
        "end_line": finding.end_line,
        "title": finding.title,
        "description": finding.description,
        "evidence": finding.evidence,
    }


def render_conclusion(findings: Iterable[Finding], decisions: Iterable[str], fence: Fence) -> str:
    """The only user message of the concluding request: decisions and one line a finding, no code."""
    rows = [show_line(f"{f.severity} {f.confidence} {f.category} {_place(f)}: {f.title}") for f in findings]
    return "\n".join(
        (
            f"Fence key {fence.key}. Conclude the review.",
            fence.wrap("decisions", "\n".join(map(show_line, decisions))),
            fence.wrap(REFERENCES_KIND, "\n".join(rows)),
        )
    )


def _place(finding: Finding) -> str:
    return f"{show_path(finding.path)}:{finding.start_line} in {finding.symbol or 'module level'}"
