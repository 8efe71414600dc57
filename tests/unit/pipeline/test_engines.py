"""The breaker: what an engine's error means depends on whether it ever answered."""

from __future__ import annotations

import pytest
from builders import MemoryLog, ScriptedModel, reply

from devpulse.core.messages import ModelRequest, SystemMessage
from devpulse.errors import ModelError, ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.engines import Engines

REQUEST = ModelRequest((SystemMessage("system"),), (), 100, "t", 1)


def engines(answer, fallback=None):
    return Engines(ScriptedModel(lambda _request: answer), fallback, MemoryLog())


def test_gave_out__a_wrong_key_ends_the_run_before_any_answer():
    some = engines(ModelMisconfigured("no key"))
    with pytest.raises(ModelMisconfigured):
        some.model.complete(REQUEST)
    some.check()
    with pytest.raises(ModelMisconfigured):
        some.gave_out(ModelMisconfigured("no key"))
    with pytest.raises(ModelMisconfigured):
        some.check()
    assert some.down == ""


def test_gave_out__after_the_first_answer_of_anybody_it_is_down():
    some = engines(reply())
    some.model.complete(REQUEST)
    some.gave_out(ModelMisconfigured("odd"))
    some.check()
    assert some.down == "odd"


def test_gave_out__an_error_is_no_answer():
    some = engines(ModelError("gone"))
    with pytest.raises(ModelError):
        some.model.complete(REQUEST)
    with pytest.raises(ModelMisconfigured):
        some.gave_out(ModelMisconfigured("no key"))


def test_gave_out__the_first_reason_is_kept_and_logged_once():
    log = MemoryLog()
    some = Engines(ScriptedModel(lambda _request: reply()), None, log)
    some.gave_out(ModelUnavailable("down"))
    some.gave_out(ModelUnavailable("still down"))
    assert (some.down, log.events()) == ("down", ["model_down"])


def test_model__is_the_engine_it_listens_to():
    some = engines(reply())
    assert (some.model.name, some.model.version, some.model.complete(REQUEST)) == ("scripted", "1", reply())
