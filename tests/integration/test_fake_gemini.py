"""The fake service refuses what the real one would, and says so at the end of the test."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request

import pytest
from fakes import gemini_replies as say
from fakes.gemini import FakeGemini, GeminiRequest, script
from fakes.gemini_replies import Call, Reply
from fakes.http_server import HttpReply, LoopbackServer
from pydantic import ValidationError

KEY = "AIza-key"
ROUTE = "/v1beta/models/gemini-3.8-flash:generateContent"
HELLO = {"role": "user", "parts": [{"text": "hello"}]}


def post(fake, body=None, *, route=ROUTE, key: str | None = KEY, **headers):
    """Status and body of one request, sent without any library."""
    content = json.dumps({"contents": [HELLO]} if body is None else body).encode()
    headers = {"content-type": "application/json", **({"x-goog-api-key": key} if key else {}), **headers}
    request = urllib.request.Request(fake.url + route, data=content, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def call_turn(signature: str | None, name: str = "read_lines") -> dict[str, object]:
    part = {"functionCall": {"name": name, "args": {}}, **({"thoughtSignature": signature} if signature else {})}
    return {"role": "model", "parts": [part]}


def result_turn(name: str = "read_lines") -> dict[str, object]:
    return {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {"output": "x"}}}]}


def test_fake__valid_request__is_answered_and_recorded() -> None:
    with FakeGemini(script([say.text("hi")])) as fake:
        status, body = post(fake)
    assert (status, body["candidates"][0]["content"]["parts"]) == (200, [{"text": "hi"}])
    assert fake.requests[0].text() == "hello"


@pytest.mark.parametrize(
    "route",
    [
        "/v1/models/gemini-3.8-flash:generateContent",
        "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
        "/v1beta/models/gemini-3.8-flash:countTokens",
        "/v1beta/models",
        f"{ROUTE}?key={KEY}",
    ],
)
def test_fake__route_that_is_not_served__fails_the_test(route) -> None:
    with pytest.raises(AssertionError, match="no such route"), FakeGemini(script([])) as fake:
        assert post(fake, route=route)[0] == 501


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"contents": [HELLO], "system": "x"}, "not a GenerateContentRequest"),
        ({"contents": [HELLO], "generationConfig": {"temperature": "hot"}}, "not a GenerateContentRequest"),
        ({"contents": [HELLO], "toolConfig": {"functionCallingConfig": {"mode": "SOME"}}}, "not a GenerateContent"),
        ({"contents": []}, "the last turn is not the user's"),
        ({"contents": [{"role": "user", "parts": []}]}, "has no part"),
        ({"contents": [HELLO, call_turn("eA==")]}, "the last turn is not the user's"),
        ({"contents": [HELLO, result_turn()]}, r"answers \['read_lines'\], but the turn before calls \[\]"),
        ({"contents": [HELLO, call_turn("eA=="), HELLO]}, r"answers \[\], but the turn before calls"),
        ({"contents": [HELLO, call_turn("eA=="), result_turn("other")]}, "answers"),
        ({"contents": [call_turn("eA=="), result_turn()]}, "does not follow a user turn"),
    ],
)
def test_fake__request_against_the_contract__fails_the_test(body, fault) -> None:
    with pytest.raises(AssertionError, match=fault), FakeGemini(script([])) as fake:
        assert post(fake, body)[0] == 400


@pytest.mark.parametrize(
    "config",
    [
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "LOW"}}},
        {"toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}}},
    ],
)
def test_fake__documented_field_the_protobufs_lack__is_taken(config) -> None:
    with FakeGemini(script([say.text("hi")])) as fake:
        assert post(fake, {"contents": [HELLO], **config})[0] == 200


@pytest.mark.parametrize(
    "signature",
    [
        "skip_thought_signature_validator",
        base64.b64encode(b"skip_thought_signature_validator").decode(),
        base64.b64encode(b"made up").decode(),
        None,
    ],
)
def test_fake__signature_that_is_not_its_own__fails_the_test(signature) -> None:
    history = [HELLO, call_turn(signature), result_turn()]
    with pytest.raises(AssertionError, match="signature"), FakeGemini(script([say.text("hi")])) as fake:
        post(fake, {"contents": history})


def test_fake__its_own_signature__is_taken_back_for_its_own_call_only() -> None:
    replies = [say.calls(Call("read_lines")), say.text("hi")]
    with FakeGemini(script(replies)) as fake:
        part = post(fake)[1]["candidates"][0]["content"]["parts"][0]
        history = [HELLO, {"role": "model", "parts": [part]}, result_turn()]
        assert post(fake, {"contents": history})[0] == 200
        other = [HELLO, call_turn(part["thoughtSignature"], "other"), result_turn("other")]
        assert post(fake, {"contents": other})[0] == 400
        assert len(fake.violations) == 1
        fake.violations.clear()


def test_fake__sentinel__is_refused_also_without_signatures() -> None:
    history = [HELLO, call_turn("skip_thought_signature_validator"), result_turn()]
    with pytest.raises(AssertionError, match="sentinel"), FakeGemini(script([]), signatures=False) as fake:
        post(fake, {"contents": history})


@pytest.mark.parametrize(
    ("key", "body", "headers"),
    [
        (None, None, {}),
        (KEY, {"contents": [{"role": "user", "parts": [{"text": KEY}]}]}, {}),
        (KEY, None, {"authorization": f"Bearer {KEY}"}),
    ],
)
def test_fake__key_missing_or_elsewhere__fails_the_test(key, body, headers) -> None:
    with pytest.raises(AssertionError, match="key"), FakeGemini(script([])) as fake:
        assert post(fake, body, key=key, **headers)[0] == 400


def test_fake__reply_the_service_could_not_give__fails_the_test() -> None:
    with pytest.raises(ValidationError), FakeGemini(script([Reply({"answer": "hi"})])) as fake:
        assert post(fake)[0] == 500


def test_fake__request_beyond_the_script__fails_the_test() -> None:
    with pytest.raises(AssertionError, match="no reply left"), FakeGemini(script([])) as fake:
        assert post(fake)[0] == 500


def test_fake__failing_test__keeps_its_own_error() -> None:
    with pytest.raises(KeyError), FakeGemini(script([])) as fake:
        {}[post(fake, route="/nowhere")[0]]


def test_gemini_request__short_ways__find_what_was_sent() -> None:
    calling = {"mode": "ANY", "allowedFunctionNames": ["a"]}
    body = {
        "systemInstruction": {"parts": [{"text": "be brief"}]},
        "contents": [HELLO, call_turn("s"), result_turn()],
        "tools": [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}],
        "toolConfig": {"functionCallingConfig": calling},
    }
    request = GeminiRequest("m", body, {})
    assert (request.system(), request.text(), request.declared()) == ("be brief", "hello", ["a", "b"])
    assert (request.tool_results(), request.signatures()) == ([("read_lines", "x")], ["s"])
    assert request.forced_tool() == "a"
    assert GeminiRequest("m", {**body, "toolConfig": {}}, {}).forced_tool() is None


def test_loopback_server__error_in_the_answer__reaches_the_test() -> None:
    def broken(_) -> HttpReply:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), LoopbackServer(broken) as server:
        assert post(server, route="/any")[0] == 500


def test_loopback_server__delay__ends_when_the_server_is_closed() -> None:
    with LoopbackServer(lambda _: HttpReply(delay=60.0)) as server, pytest.raises(TimeoutError):
        urllib.request.urlopen(server.url, timeout=0.05)
