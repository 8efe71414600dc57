"""What arrives at the service, through the real client."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.gemini import FakeGemini, script
from fakes.gemini_client import KEY, MODEL, a_request, gemini_for
from fakes.gemini_replies import Call, calls, http_error, text

from devpulse.adapters.gemini.config import SentRequest
from devpulse.core.compaction import compact
from devpulse.core.fence import Fence
from devpulse.core.messages import AssistantMessage, ToolCall, ToolMessage, ToolSpec, UserMessage
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.errors import ArtifactError, ModelError


def sent(request=None, **options):
    """The one request that arrives for the given one."""
    with FakeGemini(script([text("fine")])) as fake:
        gemini_for(fake, **options).complete(request or a_request())
    return fake.requests[0]


def test_complete__sends_system_text_and_user_text_apart() -> None:
    request = sent()
    assert request.system() == "You review code."
    assert request.text() == "The diff of app.py"
    assert request.model == MODEL


def test_complete__asks_version_v1beta_with_the_key_in_its_header_only() -> None:
    with FakeGemini(script([text("fine")])) as fake:
        gemini_for(fake).complete(a_request())
    (arrived,) = fake.wire
    assert arrived.target == f"/v1beta/models/{MODEL}:generateContent"
    assert arrived.headers["x-goog-api-key"] == KEY


def test_complete__declares_every_tool_with_its_whole_schema() -> None:
    declared = sent().declarations()
    assert list(declared) == [tool.name for tool in TOOLS]
    review = declared[SUBMIT_REVIEW]["parameters"]
    finding = review["properties"]["findings"]["items"]
    assert review["required"] == ["findings", "overall_risk", "summary"]
    assert "sql-injection" in finding["properties"]["category"]["enum"]
    assert finding["required"][:2] == ["category", "severity"]
    assert finding["properties"]["start_line"] == {"type": "INTEGER", "minimum": 1.0}


def test_complete__forced_tool__is_the_only_one_allowed_while_all_stay_declared() -> None:
    request = sent(a_request(forced_tool=SUBMIT_REVIEW))
    assert request.forced_tool() == SUBMIT_REVIEW
    assert request.declared() == [tool.name for tool in TOOLS]
    assert sent().forced_tool() is None


def test_complete__forcing_a_tool__leaves_the_rest_of_the_request_as_it_was() -> None:
    free, forced = sent().body, dict(sent(a_request(forced_tool=SUBMIT_REVIEW)).body)
    del forced["toolConfig"]
    assert json.dumps(free) == json.dumps(forced)


def test_complete__no_tools__declares_none() -> None:
    assert sent(a_request(tools=())).declared() == []


def test_complete__tool_with_a_keyword_gemini_lacks__is_an_error_and_not_dropped() -> None:
    odd = ToolSpec("odd", "An odd tool.", {"type": "object", "properties": {}, "not": {"type": "string"}})
    with FakeGemini(script([])) as fake, pytest.raises(ModelError):
        gemini_for(fake).complete(a_request(tools=(odd,)))
    assert fake.wire == []


@pytest.mark.parametrize("limit", [256, 6400])
def test_complete__output_limit__is_that_of_the_request(limit) -> None:
    assert sent(a_request(max_output_tokens=limit)).config()["maxOutputTokens"] == limit


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gemini-3.8-flash", {"thinkingConfig": {"thinking_level": "LOW"}}),
        ("models/gemini-3.8-flash", {"thinkingConfig": {"thinking_level": "LOW"}}),
        ("gemini-3.6-flash", {"thinkingConfig": {"thinking_level": "LOW"}}),
        ("gemini-flash-latest", {"thinkingConfig": {"thinking_level": "LOW"}}),
        ("gemini-2.5-pro", {"temperature": 0.0, "thinkingConfig": {"thinking_budget": 1024}}),
        ("gemini-2.0-flash", {"temperature": 0.0}),
        ("gemma-3-27b-it", {"temperature": 0.0}),
    ],
)
def test_complete__temperature_and_thinking__go_by_the_generation(model, expected) -> None:
    config = dict(sent(model=model).config())
    assert config.pop("candidateCount") == 1
    assert config.pop("maxOutputTokens") == 6400
    assert config == expected


def test_complete__thinking_level__is_that_of_the_configuration() -> None:
    assert sent(thinking_level="high").config()["thinkingConfig"] == {"thinking_level": "HIGH"}


def test_complete__timeout__is_told_to_the_service_and_ends_with_the_run() -> None:
    with FakeGemini(script([text("a"), text("b")])) as fake:
        gemini_for(fake, timeout_seconds=30.0).complete(a_request())
        gemini_for(fake, timeout_seconds=30.0, remaining=lambda: 4.2).complete(a_request())
    assert [arrived.headers["x-server-timeout"] for arrived in fake.wire] == ["30", "5"]


@pytest.mark.parametrize(
    "result", ["plain", '{"a": 1}', "[1, 2]", "1e400", "NaN", "null", '"x"', "", "zwei\nZeilen ✓", "x" * 100_000]
)
def test_complete__tool_result__arrives_as_the_text_it_is(result) -> None:
    call = ToolCall("c1", "read_lines", {"path": "app.py"})
    history = (AssistantMessage("", (call,)), ToolMessage("c1", "read_lines", result))
    with FakeGemini(script([text("fine")]), signatures=False) as fake:
        gemini_for(fake, model="gemini-2.5-flash").complete(a_request(*history))
    assert fake.requests[0].tool_results() == [("read_lines", result)]
    assert fake.requests[0].tool_calls() == [("read_lines", {"path": "app.py"})]


def test_complete__result_without_its_call__is_refused_before_it_is_sent() -> None:
    with FakeGemini(script([])) as fake, pytest.raises(ModelError, match="has no call"):
        gemini_for(fake).complete(a_request(ToolMessage("gone", "read_lines", "1 x")))
    assert fake.wire == []


def test_complete__same_request_twice__is_the_same_to_the_byte() -> None:
    with FakeGemini(script([text("a"), text("b")])) as fake:
        model = gemini_for(fake)
        for _ in range(2):
            model.complete(a_request(UserMessage("more")))
    assert fake.wire[0].body == fake.wire[1].body


def test_on_request__sees_every_attempt_as_sent() -> None:
    seen: list[SentRequest] = []
    with FakeGemini(script([http_error(503), text("fine")])) as fake:
        gemini_for(fake, on_request=seen.append).complete(a_request(task="t-7", step=3))
    assert [(each.task, each.step, each.attempt) for each in seen] == [("t-7", 3, 1), ("t-7", 3, 2)]
    assert [each.body.encode() for each in seen] == [arrived.body for arrived in fake.wire]
    assert KEY not in repr(seen)


def test_on_request__own_error__is_passed_on() -> None:
    def full(_: SentRequest) -> None:
        raise ArtifactError("the disk is full")

    with FakeGemini(script([])) as fake, pytest.raises(ArtifactError, match="full"):
        gemini_for(fake, on_request=full).complete(a_request())
    assert fake.wire == []


def test_complete__eight_threads_on_one_engine__each_gets_its_own_answer() -> None:
    with FakeGemini(lambda request: text(f"answer to {request.text()}")) as fake:
        model = gemini_for(fake)

        def ask(number: int) -> str:
            return model.complete(a_request(UserMessage(f"question {number}"))).text

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, range(40)))
    assert answers == [f"answer to The diff of app.py\nquestion {number}" for number in range(40)]


def test_complete__compacted_history__roles_take_turns_and_kept_turns_are_unchanged() -> None:
    steps = [calls(Call("read_lines", {"path": f"f{number}.py"}), words="I look.") for number in range(4)]
    with FakeGemini(script([*steps, text("fine"), text("fine")])) as fake:
        engine, history = gemini_for(fake), list(a_request().messages)
        for _ in steps:
            reply = engine.complete(a_request(messages=history))
            history.append(AssistantMessage(reply.text, reply.tool_calls, reply.provider_state))
            history += (ToolMessage(each.id, each.name, "line\n" * 500) for each in reply.tool_calls)
        engine.complete(a_request(messages=history))
        done = compact(history, 8_000, Fence("beef01"))
        assert done is not None
        engine.complete(a_request(messages=done.messages))
    whole, compacted = fake.requests[-2:]
    assert [content["role"] for content in compacted.contents] == ["user", "model", "user", "model", "user"]
    task, summary = (part["text"] for part in compacted.contents[0]["parts"])
    assert task == "The diff of app.py"
    assert summary.startswith("Summary of 2 earlier steps of this task (tool calls 1 to 2)")
    assert compacted.contents[1:] == whole.contents[-4:]
    assert compacted.signatures() == whole.signatures()[-2:]
