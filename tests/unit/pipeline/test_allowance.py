"""The tokens of a whole run, counted at the engine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import pytest
from builders import ScriptedModel, reply

from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelReply, ModelRequest, SystemMessage, Usage, UserMessage
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


def test_reported__is_all_that_the_engine_reported():
    answers: Iterator[ModelReply | ModelError] = iter(
        [reply(usage=Usage(1, 10, 0, 1)), ModelError("gone"), reply(usage=Usage(1, 20, 0, 2))]
    )
    allowance = Allowance(None)
    model = CountedModel(ScriptedModel(lambda _request: next(answers)), allowance)
    model.complete(REQUEST)
    with pytest.raises(ModelError):
        model.complete(REQUEST)
    model.complete(REQUEST)
    assert allowance.reported == Usage(2, 30, 0, 3)


def run_task(allowance, used=0, hold=None, stopped=lambda: ""):
    """A task in a thread of its own; gives the thread, when it was let in, and why it was not."""
    let_in, refusals = Event(), []

    def run():
        with allowance.task(stopped) as refused:
            refusals.append(refused)
            if not refused:
                allowance.take(used)
                let_in.set()
                assert hold is None or hold.wait(30)

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread, let_in, refusals


def test_task__one_is_let_in_while_anything_is_left_and_none_afterwards():
    allowance = Allowance(100, guess=1_000)
    for used in (60, 60):
        with allowance.task(lambda: "") as refused:
            assert refused == ""
            allowance.take(used)
    with allowance.task(lambda: "") as refused:
        assert refused == SPENT


def test_task__another_waits_until_the_first_shows_what_a_task_takes():
    allowance, release = Allowance(100, guess=100), Event()
    first, let_in, _ = run_task(allowance, 30, release)
    assert let_in.wait(30)
    second, later, refusals = run_task(allowance, 30)
    assert not later.wait(0.05)
    release.set()
    second.join(30)
    assert (later.is_set(), refusals) == (True, [""])
    first.join(30)


def test_task__those_under_way_hold_the_mean_less_what_they_have_used():
    allowance, release = Allowance(100, guess=1_000), Event()
    for used in (20, 40):
        run_task(allowance, used)[0].join(30)
    held, let_in, _ = run_task(allowance, 10, release)  # 70 are used, 20 more are held: the next finds 10
    assert let_in.wait(30)
    other, also_in, _ = run_task(allowance, 0, release)
    assert also_in.wait(30)
    third, not_in, refusals = run_task(allowance)  # 70 and 20 and 30
    assert not not_in.wait(0.05)
    release.set()
    for thread in (held, other, third):
        thread.join(30)
    assert refusals == [""]


def test_task__one_that_waits_is_told_when_the_run_is_stopped():
    allowance, release, reasons = Allowance(100, guess=100), Event(), [""]
    first, let_in, _ = run_task(allowance, 30, release)
    assert let_in.wait(30)
    second, _, refusals = run_task(allowance, 30, stopped=lambda: reasons[-1])
    reasons.append("cancelled")
    release.set()
    first.join(30)
    second.join(30)
    assert refusals == ["cancelled"]


def test_task__many_at_once_do_not_begin_on_the_room_of_one():
    allowance = Allowance(45_000, guess=32_000)
    refusals = []

    def run(_number):
        with allowance.task(lambda: "") as refused:
            refusals.append(refused)
            if not refused:
                for _ in range(4):
                    allowance.take(3_100)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run, range(8)))
    assert (refusals.count(""), allowance.used) == (4, 49_600)


def test_counted_model__is_the_engine_it_counts():
    model, _ = counted(None, reply())
    assert (model.name, model.version, model.source) == ("scripted", "1", FindingSource.MODEL)
