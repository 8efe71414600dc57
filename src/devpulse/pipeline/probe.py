"""An engine that hands in an empty review at once: it shows how large first requests are, and costs nothing."""

from __future__ import annotations

from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelReply, ModelRequest, StopReason, ToolCall
from devpulse.core.tool_specs import SUBMIT_REVIEW


class Probe:
    """Answers every request in the same way."""

    name = "probe"
    version = "1"
    source = FindingSource.RULE

    def complete(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002  (the port's signature)
        """As ``ReviewModel.complete``."""
        empty = {"findings": [], "overall_risk": "none", "summary": ""}
        return ModelReply("", (ToolCall("submit", SUBMIT_REVIEW, empty),), StopReason.TOOL_CALLS)
