"""The breaker: what an engine's error means depends on whether it ever answered."""

from __future__ import annotations

import pytest
from builders import MemoryLog, ScriptedModel, reply

from devpulse.core.messages import ModelRequest, SystemMessage
from devpulse.errors import ModelError, ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.engines import PAUSE_SECONDS, Engines

REQUEST = ModelRequest((SystemMessage("system"),), (), 100, "t", 1)


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def engines(answer, fallback=None):
    return Engines(ScriptedModel(lambda _request: answer), fallback, MemoryLog())


def downed(*clock):
    """An engine that was given up three times in a row, and its log."""
    log = MemoryLog()
    some = Engines(ScriptedModel(lambda _request: reply()), None, log, *clock)
    for number in (1, 2, 3):
        some.gave_out(ModelUnavailable(f"down {number}"))
    return some, log


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


def test_gave_out__after_the_first_answer_of_anybody_it_is_no_wrong_key():
    some = engines(reply())
    some.model.complete(REQUEST)
    some.gave_out(ModelMisconfigured("odd"))
    some.check()
    assert (some.outage, some.down, some.refusal()) == ("odd", "", "")


def test_gave_out__an_error_is_no_answer():
    some = engines(ModelError("gone"))
    with pytest.raises(ModelError):
        some.model.complete(REQUEST)
    with pytest.raises(ModelMisconfigured):
        some.gave_out(ModelMisconfigured("no key"))


def test_gave_out__one_conversation_that_is_given_up_is_no_reason_to_give_up_all():
    some = engines(reply())
    for _ in range(5):
        some.gave_out(ModelUnavailable("bad luck"))
        some.gave_out(ModelUnavailable("bad luck"))
        some.model.complete(REQUEST)
    assert (some.outage, some.refusal()) == ("bad luck", "")


def test_gave_out__three_in_a_row_and_it_is_down():
    some, log = downed()
    assert (some.outage, some.down, some.refusal()) == ("down 1", "down 3", "down 3")
    some.gave_out(ModelUnavailable("down 4"))
    assert (some.outage, some.down, log.events()) == ("down 1", "down 3", ["model_down"])


def test_refusal__without_a_clock_it_stays_down():
    some, _ = downed()
    assert [some.refusal() for _ in range(3)] == ["down 3"] * 3


def test_refusal__one_in_every_pause_may_try():
    clock = Clock()
    some, log = downed(clock)
    clock.now += PAUSE_SECONDS - 1
    assert some.refusal() == "down 3"
    clock.now += 1
    assert [some.refusal() for _ in range(3)] == ["", "down 3", "down 3"]
    some.gave_out(ModelUnavailable("down still"))
    clock.now += PAUSE_SECONDS
    assert [some.refusal() for _ in range(2)] == ["", "down 3"]
    some.answered()
    assert (some.down, some.refusal(), some.refusal()) == ("", "", "")
    assert log.events() == ["model_down", "model_tried", "model_tried", "model_back"]


def test_refusal__a_failed_try_counts_from_its_end():
    clock = Clock()
    some, _ = downed(clock)
    clock.now += PAUSE_SECONDS
    assert some.refusal() == ""
    clock.now += PAUSE_SECONDS - 1
    some.gave_out(ModelUnavailable("still"))
    clock.now += PAUSE_SECONDS - 1
    assert some.refusal() == "down 3"


def test_model__is_the_engine_it_listens_to():
    some = engines(reply())
    assert (some.model.name, some.model.version, some.model.complete(REQUEST)) == ("scripted", "1", reply())
