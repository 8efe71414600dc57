"""One child: its loop, its limits, and what it brings back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import (
    DictTree,
    MemoryIndex,
    MemoryLog,
    ScriptedModel,
    call,
    make_symbol,
    reply,
    submit,
    submitted_finding,
)

from devpulse.core.budget import ContextBudget
from devpulse.core.fence import Fence
from devpulse.core.history import request_tokens
from devpulse.core.messages import AssistantMessage, StopReason, SystemMessage, ToolMessage, Usage, UserMessage
from devpulse.core.review import Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.shown import ShownText
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.errors import ContextOverflow, ModelError, ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.child import review_form
from devpulse.pipeline.conversation import Conversation, ConversationSetting, opening
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.tools import Library, ToolBox

TREE = DictTree({"app/db.py": "import db\n" * 400})
SHOWN = ShownText(tuple(f"{'x' * 40}{n}" for n in range(400)))


def _run(model, *, max_steps=10, window=32_000, stopped=lambda: "", opened="task", path="app/db.py"):
    log = MemoryLog()
    library = Library(
        PathGate(TREE.size), MemoryIndex([make_symbol()]), lambda _path: SHOWN, lambda _path: None, lambda text: text
    )
    setting = ConversationSetting(model, ContextBudget(window), max_steps, log, stopped)
    tools = ToolBox(library, Fence("f"), path)
    return Conversation(setting, "t-1", review_form(path), tools, opening("system", opened)).run(), log


def _read(lines=3):
    return call("read_lines", path="app/db.py", start_line=1, end_line=lines)


def test_run__one_step_and_submitted():
    model = ScriptedModel.of(reply(submit(submitted_finding(), summary="Done."), usage=Usage(1, 100, 0, 10)))
    result, log = _run(model)
    assert result.outcome == Reviewed()
    assert (len(result.value.findings), result.value.summary) == (1, "Done.")
    assert (result.steps, result.usage, result.served_model) == (1, Usage(1, 100, 0, 10), "scripted-1")
    (request,) = model.requests
    assert request.messages == (SystemMessage("system"), UserMessage("task"))
    assert (request.tools, request.task, request.step, request.forced_tool) == (TOOLS, "t-1", 1, None)
    assert request.max_output_tokens == ContextBudget().output
    assert log.events() == ["request", "reply", "submitted"]


def test_run__tool_calls_are_answered_in_order_and_never_parted_from_their_results():
    calls = (_read(1), call("search_codebase", query="find"), call("no_such_tool"))
    state = object()
    first = replace(reply(*calls), provider_state=state)
    model = ScriptedModel.of(first, reply(submit()))
    result, log = _run(model)
    said, *answers = model.requests[1].messages[2:]
    assert said == AssistantMessage("", calls, state)
    assert said.provider_state is state
    results = [answer for answer in answers if isinstance(answer, ToolMessage)]
    assert [(one.call_id, one.name) for one in results] == [(one.id, one.name) for one in calls]
    assert len(answers) == 3
    assert answers[2].text.startswith("ERROR: unknown tool")
    assert log.events().count("tool_call") == 2
    assert log.events().count("tool_refused") == 1
    assert len(result.lookups) == 2
    assert result.context_tokens == sum(request_tokens(list(request.messages)) for request in model.requests)


def test_run__an_answer_without_a_call_is_nudged():
    model = ScriptedModel.of(reply(text="It is fine."), reply(submit()))
    result, _ = _run(model)
    assert result.outcome == Reviewed()
    said, nudge = model.requests[1].messages[2:]
    assert said == AssistantMessage("It is fine.")
    assert "submit_review" in nudge.text


def test_run__the_last_step_must_submit():
    model = ScriptedModel(lambda request: reply(submit() if request.forced_tool else _read()))
    result, _ = _run(model, max_steps=3)
    assert [request.forced_tool for request in model.requests] == [None, None, SUBMIT_REVIEW]
    assert (result.outcome, result.steps) == (Reviewed(), 3)
    alone = ScriptedModel.of(reply(submit()))
    _run(alone, max_steps=1)
    assert alone.requests[0].forced_tool == SUBMIT_REVIEW


@pytest.mark.parametrize("answer", [reply(_read()), reply(text="words")])
def test_run__a_model_that_never_submits_reaches_the_step_limit(answer):
    model = ScriptedModel(lambda _request: answer)
    result, _ = _run(model, max_steps=4)
    assert (result.outcome, result.steps, len(model.requests)) == (Partial("step limit"), 4, 4)


def test_run__submit_with_other_calls_ends_and_the_others_are_not_carried_out():
    model = ScriptedModel.of(reply(_read(), submit(submitted_finding()), _read()))
    result, log = _run(model)
    assert result.outcome == Reviewed()
    assert result.lookups == ()
    assert "tool_call" not in log.events()


def test_run__two_submissions_in_one_answer_are_joined():
    model = ScriptedModel.of(reply(submit(submitted_finding()), submit(submitted_finding(start_line=9, end_line=9))))
    result, _ = _run(model)
    assert result.outcome == Reviewed()
    assert [finding.start_line for finding in result.value.findings] == [3, 9]


def test_run__invalid_items_are_asked_for_once_more_and_only_they():
    bad = submit(submitted_finding(), submitted_finding(severity="severe"), 7)
    other = _read()
    good = submit(submitted_finding(severity="low", start_line=5, end_line=5))
    model = ScriptedModel.of(reply(bad, other), reply(good))
    result, log = _run(model)
    assert result.outcome == Reviewed()
    assert [finding.start_line for finding in result.value.findings] == [3, 5]
    said, again, not_run = model.requests[1].messages[2:]
    assert isinstance(said, AssistantMessage)
    assert isinstance(again, ToolMessage)
    assert again.call_id == bad.id
    assert "findings[1].severity" in again.text
    assert "findings[2]" in again.text
    assert "submit only them again" in again.text
    assert isinstance(not_run, ToolMessage)
    assert not_run.call_id == other.id
    assert "not carried out" in not_run.text
    assert len(log.of("submitted")[0]["errors"]) == 2


def test_run__the_second_invalid_answer_is_recorded_and_the_rest_kept():
    model = ScriptedModel(lambda _request: reply(submit(submitted_finding(), submitted_finding(title=""))))
    result, log = _run(model)
    assert isinstance(result.outcome, Partial)
    assert result.outcome.reason.startswith("1 invalid parts of the answer were dropped: findings[1].title")
    assert len(result.value.findings) == 1
    assert len(model.requests) == 2
    assert len(log.of("submitted")) == 2


def test_run__no_second_chance_on_the_last_step():
    model = ScriptedModel.of(reply(submit(submitted_finding(), None)))
    result, _ = _run(model, max_steps=1)
    assert isinstance(result.outcome, Partial)
    assert len(result.value.findings) == 1


def test_run__many_errors_are_listed_up_to_twenty():
    model = ScriptedModel.of(reply(submit(*[None] * 50)), reply(submit()))
    _run(model)
    again = model.requests[1].messages[-1].text
    assert again.count("\n- ") == 20


@pytest.mark.parametrize(
    ("stop", "reason", "requests"),
    [
        (StopReason.TRUNCATED, "the answer was cut off at its length limit", 1),
        (StopReason.BLOCKED, "the answer was blocked", 1),
        (StopReason.RECITATION, "the answer was recitation", 1),
        (StopReason.EMPTY, "the answer was empty", 2),
        (StopReason.MALFORMED_CALL, "the answer was malformed-call", 2),
    ],
)
def test_run__an_incomplete_answer_is_never_clean_even_with_a_submission_in_it(stop, reason, requests):
    model = ScriptedModel(lambda _request: reply(submit(submitted_finding()), stop=stop))
    result, _ = _run(model)
    assert result.outcome == Partial(reason)
    assert result.value.findings == ()
    assert len(model.requests) == requests


def test_run__truncated_without_text_gets_one_larger_try_never_the_same_length():
    model = ScriptedModel(lambda _request: reply(stop=StopReason.TRUNCATED))
    result, _ = _run(model)
    limits = [request.max_output_tokens for request in model.requests]
    assert limits == [ContextBudget().output, 2 * ContextBudget().output]
    assert result.too_large


def test_run__an_accident_is_asked_again_once_and_can_succeed():
    model = ScriptedModel.of(reply(stop=StopReason.MALFORMED_CALL), reply(submit()))
    result, _ = _run(model)
    assert result.outcome == Reviewed()
    assert len(model.requests[1].messages) == 2


def test_run__an_overflow_says_that_the_work_is_too_large():
    result, log = _run(ScriptedModel.of(ContextOverflow("too long")))
    assert (result.outcome, result.too_large) == (Partial("context budget"), True)
    assert "context_overflow" in log.events()


@pytest.mark.parametrize("error", [ModelUnavailable, ModelMisconfigured])
def test_run__when_the_engine_gives_out_what_it_brought_is_kept(error):
    first = reply(submit(submitted_finding(), None), usage=Usage(1, 100, 0, 10))
    result, _ = _run(ScriptedModel.of(first, error("down")))
    assert isinstance(result.unusable, error)
    assert result.outcome == Partial("model unavailable: down")
    assert len(result.value.findings) == 1
    assert result.usage == Usage(1, 100, 0, 10)


def test_run__a_model_error_is_failed():
    result, log = _run(ScriptedModel.of(ModelError("no quota left")))
    assert result.outcome == Failed("model failed: no quota left")
    assert log.of("model_failed")[0]["reason"] == "no quota left"
    assert result.steps == 1


def test_run__a_model_error_after_a_useful_answer_is_partial():
    model = ScriptedModel.of(reply(submit(submitted_finding(), None)), ModelError("gone"))
    result, _ = _run(model)
    assert result.outcome == Partial("model failed: gone")
    assert len(result.value.findings) == 1


def test_run__cancelled_before_the_first_step_asks_nothing():
    model = ScriptedModel.of()
    result, log = _run(model, stopped=lambda: "cancelled")
    assert result.outcome == Skipped("cancelled", SkipKind.LIMIT)
    assert (model.requests, log.rows, result.steps) == ([], [], 0)


def test_run__cancelled_after_a_useful_answer_keeps_it():
    model = ScriptedModel.of(reply(submit(submitted_finding(), None)))
    result, _ = _run(model, stopped=lambda: "cancelled" if model.requests else "")
    assert result.outcome == Partial("cancelled")
    assert len(result.value.findings) == 1


def test_run__a_request_above_the_limit_is_never_sent():
    model = ScriptedModel.of()
    result, log = _run(model, window=4_000, opened="x" * 4 * 3_300)
    assert result.outcome == Partial("context budget")
    assert model.requests == []
    assert log.events() == ["context_budget"]


def test_run__repeated_calls_are_counted_in_the_log():
    model = ScriptedModel.of(reply(_read(2)), reply(_read(2), _read(2)), reply(submit()))
    result, log = _run(model)
    assert result.outcome == Reviewed()
    assert [log.events().count(event) for event in ("tool_call", "tool_repeated", "tool_refused")] == [1, 2, 0]
    texts = [message.text for message in model.requests[-1].messages if isinstance(message, ToolMessage)]
    assert [text.startswith("Already answered") for text in texts] == [False, True, True]


def test_run__a_full_history_forces_the_submission():
    model = ScriptedModel(lambda request: reply(submit() if request.forced_tool else _read(400 + request.step)))
    result, _ = _run(model, window=15_000)
    assert result.outcome == Reviewed()
    forced = [request.forced_tool for request in model.requests]
    assert forced == [None, None, SUBMIT_REVIEW]
    assert all(not ContextBudget(16_000).should_abort(request_tokens(list(r.messages))) for r in model.requests)


def test_run__many_long_answers_in_one_step_never_burst_the_window():
    long = [_read(400 + number) for number in range(20)]
    model = ScriptedModel(lambda request: reply(submit()) if request.forced_tool else reply(*long))
    result, log = _run(model)
    assert result.outcome == Reviewed()
    assert len(model.requests[1].messages) == 2 + 1 + 20
    assert max(request_tokens(request.messages[2:]) for request in model.requests[:-1]) <= ContextBudget().history
    assert model.requests[-1].forced_tool == SUBMIT_REVIEW
    assert log.of("tool_refused")[0]["answer"].startswith("no room is left for this answer in this step")


def test_run__nothing_is_inherited_from_another_child():
    model = ScriptedModel(lambda request: reply(submit() if request.step > 1 else _read()))
    for _ in range(2):
        _run(model)
    assert model.requests[2].messages == model.requests[0].messages


def test_run__usage_of_all_requests_is_added_up():
    model = ScriptedModel.of(reply(_read(), usage=Usage(1, 10, 1, 2, 3)), reply(submit(), usage=Usage(1, 20, 2, 4, 6)))
    assert _run(model)[0].usage == Usage(2, 30, 3, 6, 9)
