"""A conversation under a budget that learns: what is sent after reports, overflows and wild figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from builders import DictTree, MemoryIndex, MemoryLog, ScriptedModel, call, make_symbol, reply, submit

from devpulse.core.budget import ContextBudget
from devpulse.core.fence import Fence
from devpulse.core.history import history_tokens
from devpulse.core.messages import ToolSpec, Usage
from devpulse.core.review import Partial, Reviewed
from devpulse.core.shown import ShownText
from devpulse.core.unbounded import UnboundedBudget
from devpulse.errors import ContextOverflow
from devpulse.pipeline.child import review_form
from devpulse.pipeline.conversation import Conversation, ConversationSetting, opening
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.metering import whole_request_tokens
from devpulse.pipeline.tools import Library, ToolBox

TREE = DictTree({"app/db.py": "import db\n" * 400})
SHOWN = ShownText(tuple(f"{'x' * 40}{n}" for n in range(400)))


def run(respond, budget, opened="task", max_steps=10, form=None, *, model_sums_up=False):
    log = MemoryLog()
    library = Library(
        PathGate(TREE.size), MemoryIndex([make_symbol()]), lambda _path: SHOWN, lambda _path: None, lambda text: text
    )
    model = respond if isinstance(respond, ScriptedModel) else ScriptedModel(respond)
    setting = ConversationSetting(model, budget, max_steps, log, lambda: "", model_sums_up)
    tools = ToolBox(library, Fence("f"), "app/db.py")
    ended = Conversation(setting, "t-1", form or review_form("app/db.py"), tools, opening("system", opened)).run()
    return ended, model, log


def dense(times):
    """Reports so many times the tokens that are estimated, looks things up, and submits when it must."""

    def respond(request):
        usage = Usage(1, round(times * whole_request_tokens(request)), 0, 10)
        first = 1 + 40 * (request.step % 5)
        looks = call("read_lines", path="app/db.py", start_line=first, end_line=first + 39)
        return reply(submit() if request.forced_tool else looks, usage=usage)

    return respond


@pytest.mark.parametrize("times", [0.5, 1.0, 1.3, 2.0, 3.0])
def test_run__real_tokens_never_pass_the_limits_whatever_the_ratio(times):
    budget = ContextBudget(8_000)
    ended, model, log = run(dense(times), budget)
    assert ended.outcome == Reviewed()
    sizes = [times * whole_request_tokens(request) for request in model.requests]
    assert max(sizes) <= 6_400
    after = [request for request in model.requests[1:] if request.forced_tool is None]
    assert all(times * history_tokens(request.messages) <= 2_000 for request in after)
    assert ended.largest_request == max(map(round, sizes))
    logged = [row["whole"] for row in log.of("request")]
    assert all(row >= 0.9 * size for row, size in zip(logged[1:], sizes[1:], strict=True))
    assert max(logged) <= 6_400


def test_run__the_next_conversation_knows_what_the_last_one_learned():
    budget = ContextBudget()
    opened = "x" * 4 * 14_000
    run(dense(2.0), budget)
    ended, model, _ = run(dense(2.0), budget, opened)
    assert (ended.outcome, ended.too_large, model.requests) == (Partial("context budget"), True, [])
    _, sent, _ = run(dense(2.0), budget.for_a_run(), opened)
    assert len(sent.requests) == 1, "a run of its own has to learn by itself"


def test_run__an_overflow_is_learned_from():
    budget = ContextBudget()
    ended, model, log = run(ScriptedModel.of(ContextOverflow("too long")), budget, "x" * 4 * 10_000)
    assert (ended.outcome, ended.too_large, ended.largest_request) == (Partial("context budget"), True, 0)
    assert "context_overflow" in log.events()
    (request,) = model.requests
    assert budget.should_abort(whole_request_tokens(request))


@pytest.mark.parametrize("reported", [0, -1, 10**12])
def test_run__wild_reports_change_nothing(reported):
    budget = ContextBudget()
    calls = [call("read_lines", path="app/db.py", start_line=1, end_line=9)]
    answers = (reply(*calls, usage=Usage(1, reported)), reply(submit(), usage=Usage(1, reported)))
    ended, model, _ = run(ScriptedModel.of(*answers), budget)
    assert (ended.outcome, budget.estimate.factor) == (Reviewed(), 1.0)
    assert ended.largest_request == whole_request_tokens(model.requests[-1])


class LearnedMeanwhile(tuple[ToolSpec, ...]):
    """Tools. Each time they are measured, another conversation learns that texts take still more."""

    __slots__ = ()
    budget = ContextBudget(8_000)
    ratios: Iterator[int] = iter(())

    def __iter__(self):
        self.budget.answered(1_000, next(self.ratios, 0))
        return super().__iter__()


def test_run__what_others_learn_between_check_and_log_changes_neither():
    LearnedMeanwhile.budget, LearnedMeanwhile.ratios = ContextBudget(8_000), iter((1_500, 3_000))
    form = review_form("app/db.py")
    learning = replace(form, tools=LearnedMeanwhile(form.tools))
    ended, _, log = run(dense(1.0), LearnedMeanwhile.budget, "x" * 4 * 2_000, form=learning)
    assert ended.steps == 1
    (row,) = log.of("request")
    assert row["whole"] <= row["limit"] == 6_400


def test_run__a_history_is_logged_as_it_is_measured_against_its_share():
    budget = ContextBudget(8_000)
    _, model, log = run(dense(2.0), budget)
    rows = log.of("request")
    assert len(rows) == len(model.requests) >= 3
    assert {row["share"] for row in rows} == {2_000}
    assert all(row["history"] <= row["share"] or row["forced"] for row in rows)
    last = history_tokens(model.requests[-1].messages)
    assert rows[-1]["history"] >= 2 * last


def test_run__words_of_a_summary_count_for_the_largest_request_and_are_learned_from():
    budget = ContextBudget(8_000)

    def respond(request):
        if request.tools:
            return dense(1.0)(request)
        return reply(text="Short.", usage=Usage(1, 3 * whole_request_tokens(request), 0, 10))

    ended, model, _ = run(respond, budget, model_sums_up=True)
    assert ended.largest_request == max(3 * whole_request_tokens(r) for r in model.requests if not r.tools)
    assert budget.estimate.factor >= 3


def test_run__a_comparison_without_limits_learns_nothing():
    budget = UnboundedBudget()
    assert run(dense(3.0), budget)[0].outcome == Reviewed()
    assert budget.estimate.factor == 1.0
