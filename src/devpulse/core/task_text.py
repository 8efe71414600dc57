"""What a child is told first: its file, the annotated diff, and the leads, each fenced as data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from devpulse.core.annotated import Enclosing, ShownChange, annotate
from devpulse.core.fence import Fence
from devpulse.core.finding import Lead
from devpulse.core.review import ReviewTask
from devpulse.core.shown import show_path

FILE_KIND = "file"
DIFF_KIND = "diff"
LEADS_KIND = "leads"
CALLED_KIND = "called"


def render_task(
    task: ReviewTask,
    shown: ShownChange,
    leads: Iterable[Lead],
    fence: Fence,
    enclosing: Enclosing,
    called: Sequence[str] = (),
) -> str:
    """The first user message of a child; ``called`` are the rows of ``core.called``."""
    change = task.change
    about = {"path": show_path(change.path), "status": change.status.value}
    if change.previous_path is not None:
        about["previous_path"] = show_path(change.previous_path)
    if task.parts > 1:
        about["part"] = f"{task.part} of {task.parts}"
    blocks = [
        f"Fence key {fence.key}. Review this change for security.",
        fence.wrap(FILE_KIND, json.dumps(about, ensure_ascii=False)),
        fence.wrap(DIFF_KIND, annotate(task.hunks, shown, enclosing)),
    ]
    if called:
        blocks.append("Called by changed lines:\n" + fence.wrap(CALLED_KIND, "\n".join(called)))
    rows = [json.dumps(lead_fields(lead), ensure_ascii=False) for lead in leads]
    if rows:
        blocks.append("Leads (unverified):\n" + fence.wrap(LEADS_KIND, "\n".join(rows)))
    return "\n".join(blocks)


def lead_fields(lead: Lead) -> dict[str, object]:
    """A lead as the child reads it: one JSON object on one line."""
    hit = lead.hit
    fields: dict[str, object] = {
        "id": lead.id,
        "category": hit.category,
        "severity": hit.severity.value,
        "confidence": hit.confidence.value,
        "side": hit.side.value,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "title": hit.title,
        "description": hit.description,
        "fix": hit.fix,
        "evidence": lead.evidence,
    }
    if hit.asks:
        fields["asks"] = list(hit.asks)
    return fields
