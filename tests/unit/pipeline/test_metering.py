"""The meter in front of an engine."""

from __future__ import annotations

import pytest
from builders import ScriptedModel, reply, submit

from devpulse.core.budget import estimate_tokens
from devpulse.core.comparison import SentSize
from devpulse.core.messages import ModelRequest, SystemMessage, ToolSpec, Usage, UserMessage
from devpulse.errors import ModelError
from devpulse.pipeline.metering import Meter, whole_request_tokens

TOOL = ToolSpec("look", "Looks.", {"type": "object"})
REQUEST = ModelRequest((SystemMessage("s" * 40), UserMessage("u" * 80)), (TOOL,), 100, "a-1", 1)


def test_whole_request_tokens__messages_and_declarations():
    declared = estimate_tokens(f"{TOOL.name}{TOOL.description}{dict(TOOL.parameters)}")
    assert whole_request_tokens(REQUEST) == 10 + 20 + declared


def test_meter__counts_what_is_sent_and_what_is_reported():
    model = ScriptedModel(lambda _request: reply(submit(), usage=Usage(1, 30, 0, 5)))
    meter = Meter(model, "before.")
    assert meter.complete(REQUEST).usage.input_tokens == 30
    meter.complete(REQUEST)
    size = whole_request_tokens(REQUEST)
    assert meter.sizes == [SentSize("a-1", size)] * 2
    assert (meter.tokens, meter.reported) == (2 * size, Usage(2, 60, 0, 10))
    assert [request.task for request in model.requests] == ["before.a-1"] * 2
    assert (meter.name, meter.version, meter.source) == (model.name, model.version, model.source)


def test_meter__a_request_that_fails_was_sent_all_the_same():
    meter = Meter(ScriptedModel.of(ModelError("no")))
    with pytest.raises(ModelError):
        meter.complete(REQUEST)
    assert len(meter.sizes) == 1
    assert meter.reported == Usage()
