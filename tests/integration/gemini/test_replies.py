"""What each kind of answer becomes, through the real client."""

from __future__ import annotations

import json

import pytest
from fakes import gemini_replies as say
from fakes.gemini import FakeGemini, script
from fakes.gemini_client import a_request, gemini_for
from fakes.gemini_replies import Call, Reply

from devpulse.core.messages import AssistantMessage, StopReason, ToolMessage, Usage
from devpulse.errors import ModelError


def asked(reply: Reply, *more, **options):
    with FakeGemini(script([reply])) as fake:
        return gemini_for(fake, **options).complete(a_request(*more))


CALL = Call("read_lines", {"path": "app.py", "start_line": 1, "end_line": 3})


@pytest.mark.parametrize(
    ("reply", "stop", "text", "detail"),
    [
        (say.text("fine"), StopReason.STOP, "fine", ""),
        (say.calls(CALL), StopReason.TOOL_CALLS, "", ""),
        (say.calls(CALL, words="Let me look."), StopReason.TOOL_CALLS, "Let me look.", ""),
        (say.truncated('{"findings": [{"a'), StopReason.TRUNCATED, '{"findings": [{"a', "MAX_TOKENS"),
        (say.truncated(), StopReason.TRUNCATED, "", "MAX_TOKENS"),
        (say.calls(CALL, finish="MAX_TOKENS"), StopReason.TRUNCATED, "", "MAX_TOKENS"),
        (say.blocked_prompt(), StopReason.BLOCKED, "", "prompt refused, PROHIBITED_CONTENT"),
        (say.blocked_prompt("BLOCKLIST"), StopReason.BLOCKED, "", "prompt refused, BLOCKLIST"),
        (say.blocked_answer(), StopReason.BLOCKED, "", "answer withheld, SAFETY"),
        (say.blocked_answer("PROHIBITED_CONTENT"), StopReason.BLOCKED, "", "answer withheld, PROHIBITED_CONTENT"),
        (say.blocked_answer("SPII"), StopReason.BLOCKED, "", "answer withheld, SPII"),
        (say.text("some of it", "SAFETY"), StopReason.BLOCKED, "some of it", "answer withheld, SAFETY"),
        (say.recitation(), StopReason.RECITATION, "", "RECITATION"),
        (say.malformed_call(), StopReason.MALFORMED_CALL, "", "MALFORMED_FUNCTION_CALL"),
        (say.finished("UNEXPECTED_TOOL_CALL"), StopReason.MALFORMED_CALL, "", "UNEXPECTED_TOOL_CALL"),
        (say.finished("OTHER"), StopReason.OTHER, "", "OTHER"),
        (say.finished("LANGUAGE"), StopReason.OTHER, "", "LANGUAGE"),
        (say.finished("CONTINUATION"), StopReason.OTHER, "", "CONTINUATION"),
        (say.text("unfinished", None), StopReason.OTHER, "unfinished", "no finish reason"),
        (say.empty(), StopReason.EMPTY, "", "neither text nor a call"),
        (say.text("\n"), StopReason.EMPTY, "", "neither text nor a call"),
        (say.thoughts_only(), StopReason.EMPTY, "", "neither text nor a call"),
        (say.no_candidates(), StopReason.EMPTY, "", "no candidate"),
        (say.raw(b""), StopReason.EMPTY, "", "no candidate"),
        (say.raw(b"null"), StopReason.EMPTY, "", "no candidate"),
    ],
)
def test_complete__stop_reason__is_told_before_the_content(reply, stop, text, detail) -> None:
    answer = asked(reply)
    assert (answer.stop, answer.text, answer.detail) == (stop, text, detail)


@pytest.mark.filterwarnings("ignore:BRAND_NEW is not a valid:UserWarning")
def test_complete__finish_reason_of_a_later_version__is_no_complete_answer() -> None:
    body = b'{"candidates": [{"content": {"parts": [{"text": "half"}]}, "finishReason": "BRAND_NEW"}]}'
    answer = asked(say.raw(body))
    assert (answer.stop, answer.detail) == (StopReason.OTHER, "BRAND_NEW")


def test_complete__answer_to_be_continued__is_not_continued_behind_our_back() -> None:
    candidate = {"content": {"parts": [{"text": "one"}]}, "finishReason": "CONTINUATION", "continuationToken": "more"}
    with FakeGemini(script([Reply({"candidates": [candidate]})])) as fake:
        assert gemini_for(fake).complete(a_request()).stop is StopReason.OTHER
    assert len(fake.wire) == 1


def test_complete__cut_json__comes_back_as_it_was_cut() -> None:
    cut = '{"findings":[{"title":"one"},{"title":"two"},{"ti'
    assert asked(say.truncated(cut)).text == cut


def test_complete__several_calls__keep_order_arguments_and_get_ids_of_their_own() -> None:
    other = Call("search_codebase", {"query": "q", "path": None, "numbers": [1, 2.5, "3"], "deep": {"a": [{}]}})
    answer = asked(say.calls(CALL, other, CALL))
    assert [call.name for call in answer.tool_calls] == ["read_lines", "search_codebase", "read_lines"]
    assert answer.tool_calls[1].arguments == other.args
    assert [call.id for call in answer.tool_calls] == ["call-1-1", "call-1-2", "call-1-3"]


def test_complete__unknown_tool__is_passed_on_for_the_pipeline_to_refuse() -> None:
    answer = asked(say.calls(Call("rm_rf", {"path": "/"})))
    assert (answer.stop, answer.tool_calls[0].name) == (StopReason.TOOL_CALLS, "rm_rf")


def test_complete__call_without_arguments__has_empty_ones() -> None:
    body = b'{"candidates": [{"content": {"parts": [{"functionCall": {"name": "a"}}]}, "finishReason": "STOP"}]}'
    assert asked(say.raw(body)).tool_calls[0].arguments == {}


def test_complete__call_without_a_name__is_malformed() -> None:
    body = b'{"candidates": [{"content": {"parts": [{"functionCall": {"args": {}}}]}, "finishReason": "STOP"}]}'
    assert asked(say.raw(body)).stop is StopReason.MALFORMED_CALL


def test_complete__ids_given_by_the_service_twice__are_unique_in_the_history() -> None:
    same = Call("read_lines", {"path": "app.py"}, id="function-call-1")
    replies = script([say.calls(same), say.calls(same), say.text("done")])
    with FakeGemini(replies) as fake:
        model = gemini_for(fake)
        first = model.complete(a_request())
        history = turn(first)
        second = model.complete(a_request(*history, step=1))
        assert first.tool_calls[0].id != second.tool_calls[0].id
        model.complete(a_request(*history, *turn(second), step=3))
    assert fake.requests[-1].tool_results() == [
        ("read_lines", "result of call-1-1"),
        ("read_lines", "result of call-1-2"),
    ]


def turn(reply) -> tuple[AssistantMessage | ToolMessage, ...]:
    """A reply put back into the history, each call answered."""
    answers = (ToolMessage(call.id, call.name, f"result of {call.id}") for call in reply.tool_calls)
    return (AssistantMessage(reply.text, reply.tool_calls, reply.provider_state), *answers)


def test_complete__three_turns__bring_every_signature_and_text_back() -> None:
    def respond(request):
        number = len(request.tool_results())
        if number >= 4:
            return say.text("done")
        return say.calls(Call("read_lines", {"path": f"{number}.py"}), Call("search_codebase", {}), words="Hm.")

    with FakeGemini(respond) as fake:
        model = gemini_for(fake)
        history: tuple[AssistantMessage | ToolMessage, ...] = ()
        for step in (1, 2, 3):
            history += turn(model.complete(a_request(*history, step=step)))
    last = fake.requests[-1]
    assert len(set(last.signatures())) == 4
    assert [name for name, _ in last.tool_calls()] == ["read_lines", "search_codebase"] * 2
    assert [content["parts"][0].get("text") for content in last.contents if content["role"] == "model"] == ["Hm."] * 2


def test_complete__provider_state__survives_json() -> None:
    with FakeGemini(script([say.calls(CALL, CALL), say.text("done")])) as fake:
        model = gemini_for(fake)
        reply = model.complete(a_request())
        stored = json.loads(json.dumps(reply.provider_state))
        answers = [ToolMessage(call.id, call.name, "x") for call in reply.tool_calls]
        model.complete(a_request(AssistantMessage(reply.text, reply.tool_calls, stored), *answers))
    assert all(fake.requests[-1].signatures())


def test_complete__provider_state__is_the_same_for_the_same_answer() -> None:
    first, second = asked(say.calls(CALL)), asked(say.calls(CALL))
    assert first == second


def test_complete__signed_text__is_brought_back() -> None:
    signed = {"text": "I saw it.", "thoughtSignature": "c2lnbmVk"}
    content = {"role": "model", "parts": [signed]}
    body = {"candidates": [{"content": content, "finishReason": "STOP"}], "modelVersion": say.MODEL_VERSION}
    with FakeGemini(script([Reply(body), say.text("done")])) as fake:
        model = gemini_for(fake)
        reply = model.complete(a_request())
        again = AssistantMessage(reply.text, reply.tool_calls, reply.provider_state)
        model.complete(a_request(again, *a_request().messages[1:]))
    assert fake.requests[-1].contents[1]["parts"] == [signed]


def test_complete__usage__counts_thoughts_as_output_and_every_attempt() -> None:
    replies = script([say.http_error(503), say.text("fine")])
    with FakeGemini(replies) as fake:
        usage = gemini_for(fake).complete(a_request()).usage
    assert usage == Usage(requests=2, input_tokens=120, cached_tokens=40, output_tokens=27, thinking_tokens=7)


def test_complete__no_usage_reported__counts_the_request() -> None:
    body = b'{"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]}'
    assert asked(say.raw(body)).usage == Usage(requests=1)


def test_complete__served_version__is_recorded() -> None:
    assert asked(say.text("fine")).model == say.MODEL_VERSION


def test_complete__text_of_20_mb__is_refused_with_its_size() -> None:
    with pytest.raises(ModelError, match="20000000 characters"):
        asked(say.huge(20_000_000), timeout_seconds=60.0)


def test_complete__arguments_of_20_mb__are_passed_on() -> None:
    answer = asked(say.calls(Call("submit_review", {"summary": "x" * 20_000_000})), timeout_seconds=60.0)
    assert len(answer.tool_calls[0].arguments["summary"]) == 20_000_000


def test_complete__more_bytes_than_any_answer_has__is_refused_while_reading(monkeypatch) -> None:
    monkeypatch.setattr("devpulse.adapters.gemini.body.MAX_BYTES", 100_000)
    with pytest.raises(ModelError, match="longer than 100000 bytes"):
        asked(say.huge(200_000))


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"<html>down</html>",
        b"\xff\xfe\xff",
        b"[" * 100_000,
        b'{"candidates": 5}',
        b'{"candidates": [{"content": {"parts": [{"functionCall": {"name": "a", "args": "x"}}]}}]}',
        b'{"candidates": [{"content": {"parts": [{"text": "a", "thoughtSignature": "!"}]}, "finishReason": "STOP"}]}',
    ],
)
def test_complete__answer_that_is_no_reply__is_an_error_and_not_tried_again(body) -> None:
    with FakeGemini(script([say.raw(body)])) as fake, pytest.raises(ModelError, match="cannot be read") as caught:
        gemini_for(fake).complete(a_request())
    assert type(caught.value) is ModelError
    assert len(fake.wire) == 1
