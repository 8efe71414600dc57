"""The engine that only shows how large first requests are."""

from __future__ import annotations

from devpulse.core.messages import ModelRequest
from devpulse.core.tool_specs import TOOLS
from devpulse.pipeline.child import review_form
from devpulse.pipeline.probe import Probe


def test_probe__hands_in_a_valid_empty_review_at_once():
    (call,) = Probe().complete(ModelRequest((), TOOLS, 1, "t", 1)).tool_calls
    form = review_form("a.py")
    assert call.name == form.submit_tool
    value, errors = form.parse(call.arguments)
    assert errors == ()
    assert value.findings == ()
