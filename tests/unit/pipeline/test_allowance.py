"""The tokens of a whole run, counted at the engine."""

from __future__ import annotations

import pytest
from builders import ScriptedModel, reply

from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelRequest, SystemMessage, Usage, UserMessage
from devpulse.core.tool_specs import TOOLS
from devpulse.errors import ModelError
from devpulse.pipeline.allowance import SPENT, Allowance, CountedModel
from devpulse.pipeline.metering import whole_request_tokens

REQUEST = ModelRequest((SystemMessage("system"), UserMessage("x" * 4_000)), TOOLS, 100, "t", 1)


def counted(limit, answer, source=FindingSource.MODEL):
    allowance = Allowance(limit)
    return CountedModel(ScriptedModel(lambda _request: answer, source), allowance), allowance


def test_complete__input_and_output_as_reported():
    model, allowance = counted(1_200, reply(usage=Usage(2, 1_000, 900, 100, 50)))
    assert model.complete(REQUEST).usage.input_tokens == 1_000
    assert (allowance.used, allowance.stopped()) == (1_100, "")
    model.complete(REQUEST)
    assert (allowance.used, allowance.stopped()) == (2_200, SPENT)


def test_complete__what_is_not_reported_is_estimated():
    model, allowance = counted(None, reply())
    model.complete(REQUEST)
    assert allowance.used == whole_request_tokens(REQUEST) > 1_500
    assert allowance.stopped() == ""


def test_complete__the_engine_of_rules_is_sent_no_declarations():
    model, allowance = counted(1_002, reply(), FindingSource.RULE)
    model.complete(REQUEST)
    assert (allowance.used, allowance.stopped()) == (1_002, SPENT)


def test_complete__a_request_that_failed_counts_as_estimated():
    model, allowance = counted(1, ModelError("gone"))
    with pytest.raises(ModelError):
        model.complete(REQUEST)
    assert allowance.used == whole_request_tokens(REQUEST)


def test_complete__a_request_under_way_is_counted():
    seen = []
    allowance = Allowance(1)

    def respond(_request):
        seen.append(allowance.stopped())
        return reply(usage=Usage(1, 5))

    assert allowance.stopped() == ""
    CountedModel(ScriptedModel(respond), allowance).complete(REQUEST)
    assert (seen, allowance.used) == ([SPENT], 5)


def test_counted_model__is_the_engine_it_counts():
    model, _ = counted(None, reply())
    assert (model.name, model.version, model.source) == ("scripted", "1", FindingSource.MODEL)
