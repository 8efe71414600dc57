"""One history for all tasks."""

from __future__ import annotations

import json
from itertools import pairwise

from builders import ScriptedModel, call, reply, submit

from devpulse.core.fence import Fence
from devpulse.core.history import request_tokens
from devpulse.core.messages import (
    AssistantMessage,
    ModelRequest,
    StopReason,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from devpulse.core.task_text import FILE_KIND
from devpulse.core.tool_specs import TOOLS, VERIFY_TOOLS
from devpulse.pipeline.shared_history import SharedHistory

FENCE = Fence("beef01")
SYSTEM = SystemMessage("system")


def opening(path, more=""):
    about = FENCE.wrap(FILE_KIND, json.dumps({"path": path}))
    return UserMessage(f"Fence key {FENCE.key}. Review.\n{about}{more}")


def request(*own, tools=TOOLS, step=1):
    return ModelRequest((SYSTEM, *own), tools, 100, "t", step)


def submitting(level="high"):
    return ScriptedModel(lambda _request: reply(submit(overall_risk=level)))


def test_complete__earlier_tasks_stand_before_the_newest_whole_and_in_order():
    look = call("read_lines", path="a.py")
    model = ScriptedModel.of(reply(look), reply(submit()), reply(submit()), reply(submit()))
    shared = SharedHistory(model, FENCE)
    first, second, third = (opening(f"{name}.py") for name in "abc")
    shared.complete(request(first))
    own = (first, AssistantMessage("", (look,)), ToolMessage(look.id, look.name, "code"))
    shared.complete(request(*own, step=2))
    shared.complete(request(second))
    shared.complete(request(third))
    sent = [list(r.messages) for r in model.requests]
    assert sent[0] == [SYSTEM, first]
    assert sent[1] == [SYSTEM, *own]
    assert sent[2][: len(own) + 1] == [SYSTEM, *own]
    assert sent[2][-1] == second
    assert sent[3][: len(sent[2])] == sent[2]
    assert sent[3][-1] == third
    # Both sides take turns, and every call has its result, the one that ended the task included.
    sides = [isinstance(m, AssistantMessage) for m in sent[3][1:]]
    assert all(one != other for one, other in pairwise(sides))
    called = [c.id for m in sent[3] if isinstance(m, AssistantMessage) for c in m.tool_calls]
    assert called == [m.call_id for m in sent[3] if isinstance(m, ToolMessage)]


def test_complete__a_reply_keeps_the_state_of_its_engine():
    state = {"signature": "s"}
    given = reply(submit())
    model = ScriptedModel(lambda _request: type(given)("", given.tool_calls, given.stop, provider_state=state))
    shared = SharedHistory(model, FENCE)
    shared.complete(request(opening("a.py")))
    shared.complete(request(opening("b.py")))
    said, _ready = (m for m in model.requests[-1].messages if isinstance(m, AssistantMessage))
    assert said.provider_state is state


def test_complete__an_answer_that_did_not_end_well_is_no_part_of_the_history():
    model = ScriptedModel.of(reply(submit(), stop=StopReason.TRUNCATED), reply(submit()))
    shared = SharedHistory(model, FENCE)
    shared.complete(request(opening("a.py")))
    shared.complete(request(opening("b.py")))
    assert [type(m) for m in model.requests[-1].messages] == [SystemMessage, UserMessage, UserMessage]


def test_complete__what_verifies_or_concludes_keeps_its_own_context():
    model = submitting()
    shared = SharedHistory(model, FENCE)
    shared.complete(request(opening("a.py")))
    check = request(UserMessage("check"), tools=VERIFY_TOOLS)
    shared.complete(check)
    assert model.requests[-1] == check


def test_complete__with_a_limit_the_oldest_half_becomes_a_summary_that_keeps_every_decision():
    model = submitting()
    shared = SharedHistory(model, FENCE, limit=400)
    for number in range(20):
        shared.complete(request(opening(f"f{number}.py", "x" * 400)))
    newest = model.requests[-1].messages
    assert newest[-1].text.startswith(opening("f19.py").text[:40])
    assert request_tokens(newest[1:-1]) <= 400
    summary = newest[1].text
    told = [m.text for m in newest[2:-1] if isinstance(m, UserMessage)]
    decided = [f"f{n}.py" for n in range(20) if f"DECISION: f{n}.py -> high" in summary.split("\n")]
    assert summary.startswith(f"Summary of {len(decided)} earlier tasks")
    assert decided == [f"f{n}.py" for n in range(len(decided))]
    assert len(decided) + len(told) == 19, "every earlier task stands there, in full or as its decision"


def test_complete__a_denial_outlives_the_summary():
    look = call("read_lines", path=".env")
    model = ScriptedModel.of(reply(look), reply(submit()), reply(submit()))
    shared = SharedHistory(model, FENCE, limit=1)
    first = opening("a.py")
    shared.complete(request(first))
    denied = ToolMessage(look.id, look.name, "DENIED: .env holds keys")
    shared.complete(request(first, AssistantMessage("", (look,)), denied, step=2))
    shared.complete(request(opening("b.py")))
    rows = model.requests[-1].messages[1].text.split("\n")
    assert rows[1:] == ["DENIED: .env holds keys", "DECISION: a.py -> none"]
