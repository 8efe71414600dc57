"""The concluding request."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import (
    DictTree,
    MemoryIndex,
    MemoryLog,
    MemoryStore,
    ScriptedModel,
    call,
    make_finding,
    make_report,
    reply,
)

from devpulse.core.budget import ContextBudget
from devpulse.core.categories import Severity
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource
from devpulse.core.history import request_tokens
from devpulse.core.messages import Usage
from devpulse.errors import ModelError
from devpulse.pipeline.conclusion import Concluder, fitting, worth_asking
from devpulse.pipeline.conversation import ConversationSetting
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.tools import Library, ToolBox

FENCE = Fence("beef01")
TWO = (make_finding(), make_finding(path="b.py", severity=Severity.LOW))


def conclude(model, *found, history=("DECISION: app/db.py -> high",), budget=None, store=None):
    log = MemoryLog()
    library = Library(PathGate(DictTree({}).size), MemoryIndex(), lambda _: None, lambda _: None, lambda text: text)
    setting = ConversationSetting(model, budget or ContextBudget(), 10, log, lambda: "")
    concluder = Concluder(setting, ToolBox(library, FENCE, ""), FENCE, lambda text: text.replace("hush", "****"), store)
    return concluder.conclude(make_report(*found, summary="Two findings."), history), log


def answer(risk="high", summary="Both meet."):
    return reply(call("submit_conclusion", overall_risk=risk, summary=summary), usage=Usage(1, 70, 0, 7))


def test_conclude__adds_the_models_words_and_what_they_cost():
    model = ScriptedModel.of(answer("critical", "They meet:\nhush."))
    report, _ = conclude(model, *TWO)
    assert (report.risk, report.summary) == ("critical", "Two findings.\n\nThey meet: ****.")
    assert report.usage == Usage(1, 70, 0, 7)
    assert report.context_tokens == 900 + request_tokens(model.requests[0].messages)


def test_conclude__a_models_word_never_lowers_the_risk():
    report, _ = conclude(ScriptedModel.of(answer("none")), *TWO)
    assert report.risk == "high"


def test_conclude__is_told_the_history_line_by_line_within_a_fence():
    history = ("Summary of 9 earlier tasks: 9 decided none.", "[saved: decisions.md] 9 of these, word for word: 9")
    model = ScriptedModel.of(answer())
    conclude(model, *TWO, history=history)
    (block,) = FENCE.blocks("decisions", model.requests[0].messages[1].text)
    assert block.split("\n") == list(history)


def test_conclude__more_findings_than_fit_are_left_out_and_counted():
    many = [make_finding(path=f"src/{number}.py") for number in range(2_000)]
    model = ScriptedModel.of(answer())
    report, _ = conclude(model, *many)
    assert report.summary.endswith("Both meet.")
    text = model.requests[0].messages[1].text
    shown = text.count(": SQL built from")
    assert 300 < shown < 2_000
    assert f"({2_000 - shown} less severe findings are not listed)" in text
    assert "src/0.py" in text
    assert request_tokens(model.requests[0].messages) <= ContextBudget().request


def test_conclude__leaves_out_more_once_texts_proved_longer_than_estimated():
    budget = ContextBudget()
    budget.answered(1_000, 1_500)
    many = [make_finding(path=f"src/{number}.py") for number in range(2_000)]
    model = ScriptedModel(lambda _request: replace(answer(), usage=Usage()))
    report, _ = conclude(model, *many, history=["DECISION: a.py -> high"] * 800, budget=budget)
    assert report.summary.endswith("Both meet.")


@pytest.mark.parametrize("trouble", [ModelError("down"), reply(text="")])
def test_conclude__without_an_answer_the_report_stays_and_the_log_says_why(trouble):
    model = ScriptedModel(lambda _request: trouble)
    report, log = conclude(model, *TWO)
    assert (report.risk, report.summary) == ("high", "Two findings.")
    assert len(log.of("conclusion_failed")) == 1


def test_conclude__the_same_findings_again_need_no_request_and_cost_nothing():
    store = MemoryStore()
    first, _ = conclude(ScriptedModel.of(answer("critical")), *TWO, store=store)
    silent = ScriptedModel.of()
    again, log = conclude(silent, *reversed(TWO), history=("other",), store=store)
    assert (again.risk, again.summary) == (first.risk, first.summary)
    assert silent.requests == []
    assert again.usage == Usage()
    assert log.of("reused")[0]["task"] == "conclude"


def test_conclude__other_findings_or_a_bad_entry_are_asked_about_anew():
    store = MemoryStore()
    conclude(ScriptedModel.of(answer()), *TWO, store=store)
    changed = (TWO[0], replace(TWO[1], severity=Severity.MEDIUM))
    for found in (changed, TWO):
        if found is TWO:
            store.entries = {key: {"conclude": {"overall_risk": "fine"}} for key in store.entries}
        model = ScriptedModel.of(answer())
        conclude(model, *found, store=store)
        assert len(model.requests) == 1


def test_worth_asking__needs_a_model_and_two_files():
    assert worth_asking(FindingSource.MODEL, TWO)
    assert not worth_asking(FindingSource.RULE, TWO)
    assert not worth_asking(FindingSource.MODEL, [TWO[0], TWO[0]])


def test_fitting__the_first_ones_up_to_the_room():
    assert fitting(TWO, 10_000) == list(TWO)
    assert fitting(TWO, 45) == [TWO[0]]
    assert fitting(TWO, 3) == []
