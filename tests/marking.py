"""A model for the fake Gemini that marks every marked row it is shown, as a real one would: from the text alone."""

from __future__ import annotations

import json
import re
from typing import Any

from fakes import gemini_replies as replies
from fakes.gemini import GeminiRequest
from fakes.gemini_replies import Call, Reply
from odd_change import marked_rows

from devpulse.core.fence import Fence


def block(request: GeminiRequest, kind: str) -> str:
    """The content of a fenced block of the first message, with the run's own random key."""
    text = request.text()
    key = re.search(r"Fence key ([0-9a-f]{16})\.", text)
    assert key, text[:200]
    return "\n".join(Fence(key[1]).blocks(kind, text))


def finding(side: str, line: int, code: str) -> dict[str, Any]:
    """A finding on one line."""
    return {
        "category": "sql-injection", "severity": "critical", "confidence": "high", "side": side, "start_line": line,
        "end_line": line, "title": "Marked", "description": "A mark.", "fix": "Remove it.", "evidence": code,
    }  # fmt: skip


def marks(request: GeminiRequest) -> Reply:
    """Mark what is shown, confirm what is to be verified, and conclude."""
    if "submit_verdicts" in request.declared():
        names = [json.loads(row)["id"] for row in block(request, "findings").split("\n")]
        verdicts = [{"id": name, "verdict": "confirmed", "reason": "marked"} for name in names]
        return replies.calls(Call("submit_verdicts", {"verdicts": verdicts}))
    if "submit_conclusion" in request.declared():
        return replies.calls(Call("submit_conclusion", {"overall_risk": "critical", "summary": "Marks everywhere."}))
    found = [finding(*row) for row in marked_rows(block(request, "diff"))]
    return replies.calls(
        Call("submit_review", {"findings": found, "dismissed_leads": [], "overall_risk": "none", "summary": "ok"})
    )
