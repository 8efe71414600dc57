"""A conversation whose history outgrows its share: what it goes on with, and what that saves."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from builders import DictTree, MemoryIndex, MemoryLog, ScriptedModel, call, make_symbol, reply, submit

from devpulse.core.budget import ContextBudget
from devpulse.core.compaction import NO_ROOM, SummaryMessage
from devpulse.core.fence import Fence
from devpulse.core.history import history_tokens, request_tokens
from devpulse.core.messages import AssistantMessage, ToolMessage, Usage
from devpulse.core.review import Partial, Reviewed
from devpulse.core.shown import ShownText
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.errors import ContextOverflow, ModelUnavailable
from devpulse.pipeline.child import review_form
from devpulse.pipeline.conversation import Conversation, ConversationSetting, opening
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.tools import Library, ToolBox

PATH = "app/db.py"
TREE = DictTree({PATH: "import db\n" * 4_000})
SHOWN = ShownText(tuple(f"value_{n:05} = {'x' * 24}" for n in range(4_000)))
SAID = "These lines do not decide it."
WITHOUT_LIMIT = 2_000_000


def run(model, *, window=32_000, max_steps=20, task="task", by_model=False):
    log = MemoryLog()
    index = MemoryIndex([make_symbol()])
    library = Library(PathGate(TREE.size), index, lambda _path: SHOWN, lambda _path: None, lambda text: text)
    setting = ConversationSetting(model, ContextBudget(window), max_steps, log, lambda: "", by_model)
    tools = ToolBox(library, Fence("f"), PATH)
    return Conversation(setting, "t-1", review_form(PATH), tools, opening("system", task)).run(), log


def read(first, count=200):
    return call("read_lines", path=PATH, start_line=first, end_line=first + count - 1)


def growing(turns, answer=lambda _request: reply(submit())):
    """Reads two thousand tokens of other lines in each step, and submits in the last."""

    def respond(request):
        if not request.tools:
            return answer(request)
        if request.step == turns or request.forced_tool:
            return reply(submit())
        return replace(reply(read(200 * request.step), text=SAID), provider_state={"signature": request.step})

    return ScriptedModel(respond)


def processed(model):
    return [request_tokens(request.messages) for request in model.requests]


def test_run__eleven_turns_of_two_thousand_tokens_cost_half():
    task = "x" * 4 * 1_998
    plain = growing(11)
    result, log = run(plain, window=WITHOUT_LIMIT, task=task)
    sizes = processed(plain)
    assert all(1_990 <= after - before <= 2_015 for before, after in pairwise([0, *sizes]))
    assert sum(sizes) == pytest.approx(132_000, rel=0.01)
    assert (result.compactions, log.of("compaction")) == (0, [])

    compacting = growing(11)
    result, log = run(compacting, task=task)
    assert result.outcome == Reviewed()
    assert len(compacting.requests) == 11
    assert sum(processed(compacting)) == result.context_tokens <= 72_000
    assert result.compactions == len(log.of("compaction")) >= 2


def test_run__eleven_turns_after_a_short_task_as_well():
    plain, compacting = growing(12), growing(12)
    run(plain, window=WITHOUT_LIMIT)
    run(compacting)
    assert sum(processed(plain)) == pytest.approx(132_000, rel=0.01)
    assert sum(processed(compacting)) <= 72_000


def test_run__no_history_is_above_its_share_and_the_log_shows_it():
    model = growing(16)
    _, log = run(model)
    shares = [row["history"] for row in log.of("request")]
    assert shares == [history_tokens(request.messages) for request in model.requests]
    assert max(shares) <= ContextBudget().history
    for row in log.of("compaction"):
        assert row["before"] > row["after"]
        assert row["turns"] >= 1
        assert (row["task"], row["step"] > 0) == ("t-1", True)


def test_run__kept_turns_are_untouched_and_calls_keep_their_results():
    model = growing(12)
    run(model)
    for request in model.requests:
        replies = [message for message in request.messages if isinstance(message, AssistantMessage)]
        called = [each.id for message in replies for each in message.tool_calls]
        assert [m.call_id for m in request.messages if isinstance(m, ToolMessage)] == called
        steps = [message.provider_state["signature"] for message in replies]
        assert steps == list(range(request.step - len(steps), request.step))
        if request.step > 1:
            assert len(steps) >= min(2, request.step - 1)
    summaries = [m for m in model.requests[-1].messages if isinstance(m, SummaryMessage)]
    assert len(summaries) == 1
    assert 'read_lines(path="app/db.py", start_line=200, end_line=399): lines 200-' in summaries[0].text
    assert "value_" not in summaries[0].text


def test_run__after_compaction_an_answer_that_left_is_given_again_in_full():
    first = read(1)

    def respond(request):
        if request.step == 7:
            return reply(submit())
        return reply(
            replace(first, id=f"again-{request.step}") if request.step == 6 else read(1 + 200 * (request.step - 1))
        )

    model = ScriptedModel(respond)
    _, log = run(model)
    assert len(log.of("compaction")) == 1
    assert log.of("tool_repeated") == []
    assert "value_00000" in model.requests[-1].messages[-1].text


def test_run__what_does_not_fit_is_refused_for_this_step_only():
    def respond(request):
        if request.step == 1:
            return reply(*(read(1 + 200 * number) for number in range(6)))
        return reply(submit()) if request.step == 4 else reply(read(1 + 200 * (request.step + 3)))

    model = ScriptedModel(respond)
    result, log = run(model)
    assert result.outcome == Reviewed()
    answers = [m.text for m in model.requests[1].messages if isinstance(m, ToolMessage)]
    assert [text == NO_ROOM for text in answers] == [False, False, False, True, True, True]
    assert [m.text == NO_ROOM for m in model.requests[3].messages if isinstance(m, ToolMessage)] == [True, False]
    assert [request.forced_tool for request in model.requests] == [None] * 4
    assert log.of("tool_refused")[0]["answer"].startswith("no room is left")


def test_run__only_a_history_above_its_share_after_compaction_ends_the_looking_up():
    def respond(request):
        return reply(submit()) if request.forced_tool else reply(read(1, 2), text="y" * 4 * 5_000)

    model = ScriptedModel(respond)
    result, log = run(model)
    assert result.outcome == Reviewed()
    assert [request.forced_tool for request in model.requests] == [None, None, SUBMIT_REVIEW]
    assert log.of("compaction") == [], "two turns stay as they are, whatever they take"


def test_run__words_alone_are_summed_up_before_the_next_request():
    def respond(request):
        return reply(submit()) if request.step == 6 else reply(text="y" * 4 * 3_000)

    model = ScriptedModel(respond)
    _, log = run(model)
    assert [request.forced_tool for request in model.requests] == [None] * 6
    assert max(row["history"] for row in log.of("request")) <= ContextBudget().history


def test_run__denials_outlive_their_turn():
    def respond(request):
        if request.step == 9:
            return reply(submit())
        return reply(call("get_file_diff", path=".env")) if request.step == 1 else reply(read(200 * request.step))

    model = ScriptedModel(respond)
    result, _ = run(model)
    (denial,) = result.denials
    assert denial.startswith("DENIED: ")
    assert result.compactions >= 1
    assert denial in model.requests[-1].messages[2].text


def test_run__an_overflow_is_tried_again_with_a_compacted_history():
    def respond(request):
        if request.step == 4:
            return ContextOverflow("too long")
        return reply(submit()) if request.step == 5 else reply(read(200 * request.step, 40), text=SAID)

    model = ScriptedModel(respond)
    result, log = run(model)
    assert result.outcome == Reviewed()
    assert log.events().count("context_overflow") == len(log.of("compaction")) == 1
    assert isinstance(model.requests[-1].messages[2], SummaryMessage)


def test_run__a_request_above_the_limit_is_compacted_before_it_is_given_up():
    def respond(request):
        return reply(submit()) if request.step == 5 else reply(read(200 * request.step, 120), text=SAID)

    task = "x" * 4 * 20_500
    model = ScriptedModel(respond)
    result, log = run(model, task=task)
    assert result.outcome == Reviewed()
    assert [row["before"] < ContextBudget().history for row in log.of("compaction")] == [True]
    hopeless, log = run(ScriptedModel.of(), task="x" * 4 * 26_000)
    assert (hopeless.outcome, hopeless.too_large) == (Partial("context budget"), True)


def test_run__the_model_words_the_summary_when_it_is_asked_to():
    words = "Lines 200 to 799 of app/db.py were read. They assign constants."
    model = growing(8, lambda _request: replace(reply(text=words), usage=Usage(1, 500, 0, 20)))
    result, _ = run(model, by_model=True)
    asked = [request for request in model.requests if not request.tools]
    assert len(asked) == result.compactions >= 1
    assert "value_00300" in asked[0].messages[1].text
    assert f"in short: {words}" in model.requests[-1].messages[2].text
    assert result.usage == Usage(len(asked), 500 * len(asked), 0, 20 * len(asked))
    assert result.context_tokens == sum(processed(model))
    assert len(model.requests) == result.steps + len(asked)


@pytest.mark.parametrize(
    "answer",
    [ModelUnavailable("down"), reply(text="word " * 2_000), reply(text=""), reply(submit(), text="Done.")],
    ids=["down", "longer", "empty", "no words"],
)
def test_run__the_program_words_the_summary_when_the_model_does_not(answer):
    model, alone = growing(8, lambda _request: answer), growing(8)
    result, log = run(model, by_model=True)
    run(alone)
    assert result.outcome == Reviewed()
    assert len(log.of("summary_refused")) == result.compactions >= 1
    texts = [run_of.requests[-1].messages[2].text for run_of in (model, alone)]
    assert texts[0] == texts[1]
