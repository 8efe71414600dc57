"""What each fault becomes, how often it is tried and how long is waited, through the real client."""

from __future__ import annotations

import logging
import socket
import traceback
from dataclasses import replace

import pytest
from fakes import gemini_replies as say
from fakes.gemini import FakeGemini, script
from fakes.gemini_client import KEY, MODEL, Sleeps, a_request, gemini_for
from fakes.gemini_replies import Reply

from devpulse.adapters.gemini.retrying import RetryPolicy
from devpulse.core.messages import StopReason
from devpulse.errors import ContextOverflow, ModelError, ModelMisconfigured, ModelUnavailable

BACKOFF = [1.0, 2.0, 4.0]
"""The waits without jitter: half of 2, 4 and 8 seconds."""


def failing(reply: Reply, times: int = 4, **options) -> tuple[ModelError, int, Sleeps]:
    """The error of an engine that gets ``reply`` each time, the requests made, and the waits."""
    sleeps = Sleeps()
    with FakeGemini(script([reply] * times)) as fake, pytest.raises(ModelError) as caught:
        gemini_for(fake, sleeps=sleeps, **options).complete(a_request())
    return caught.value, len(fake.wire), sleeps


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 520])
def test_complete__passing_status__is_tried_four_times_with_longer_waits(status) -> None:
    error, requests, sleeps = failing(say.http_error(status, "overloaded"))
    assert type(error) is ModelUnavailable
    assert str(error) == f"Gemini answered {status}: overloaded (4 attempts)"
    assert (requests, sleeps) == (4, BACKOFF)
    assert error.hint


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        ({"retry_after": "7"}, [7.0] * 3),
        ({"retry_info": "2.5s"}, [2.5] * 3),
        ({"retry_after": "3", "retry_info": "12s"}, [12.0] * 3),
        ({"retry_after": "0"}, [0.0] * 3),
        ({"retry_after": "soon", "retry_info": "never"}, BACKOFF),
        ({"retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"}, [0.0] * 3),
    ],
)
def test_complete__asked_to_wait__waits_as_long(status, asked, waits) -> None:
    _, requests, sleeps = failing(say.http_error(status, **asked))
    assert (requests, sleeps) == (4, waits)


@pytest.mark.parametrize("asked", [{"retry_after": "3600"}, {"retry_info": "61s"}])
def test_complete__asked_to_wait_for_longer_than_the_cap__gives_up_at_once(asked) -> None:
    error, requests, sleeps = failing(say.http_error(429, **asked), times=1)
    assert type(error) is ModelUnavailable
    assert "it asks to wait" in str(error)
    assert (requests, sleeps) == (1, [])


def test_complete__waits_without_a_hint__are_capped() -> None:
    policy = RetryPolicy(attempts=6, first_wait=8.0, longest_wait=20.0)
    _, requests, sleeps = failing(say.http_error(503), times=6, retry=policy)
    assert (requests, sleeps) == (6, [4.0, 8.0, 10.0, 10.0, 10.0])


def test_complete__quota_of_the_day_used_up__is_not_tried_again() -> None:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
    quota = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}
    error, requests, _ = failing(say.http_error(429, retry_info="5s", details=(quota,)), times=1)
    assert type(error) is ModelUnavailable
    assert "quota" in error.hint
    assert requests == 1


def test_complete__time_of_the_run__bounds_waits_and_attempts() -> None:
    left = iter([30.0, 30.0, 5.0, 5.0, 5.0, 2.0])
    error, requests, sleeps = failing(say.http_error(503, retry_after="4"), times=2, remaining=lambda: next(left))
    assert "time is used up" in str(error)
    assert (requests, sleeps) == (2, [4.0])


def test_complete__run_already_over__sends_nothing() -> None:
    error, requests, _ = failing(say.text("never"), times=0, remaining=lambda: 0.0)
    assert type(error) is ModelUnavailable
    assert requests == 0


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (400, "API key not valid. Please pass a valid API key.", ModelMisconfigured),
        (400, "API key expired. Please renew the API key.", ModelMisconfigured),
        (401, "Request had invalid authentication credentials.", ModelMisconfigured),
        (403, "Permission denied on resource project.", ModelMisconfigured),
        (404, "models/x is not found for API version v1beta", ModelMisconfigured),
        (407, "", ModelMisconfigured),
        (
            400,
            "The input token count (9) exceeds the maximum number of tokens allowed (8).",
            ContextOverflow,
        ),
        (400, "Request payload size exceeds the limit: 20971520 bytes.", ContextOverflow),
        (413, "too large", ContextOverflow),
        (400, "Invalid JSON payload received.", ModelError),
        (422, "odd", ModelError),
        (501, "not implemented", ModelError),
    ],
)
def test_complete__lasting_status__is_not_tried_again(status, message, kind) -> None:
    error, requests, sleeps = failing(say.http_error(status, message), times=1)
    assert type(error) is kind
    assert (requests, sleeps) == (1, [])
    assert error.hint


def test_complete__token_limit_named_in_a_429__is_a_limit_of_rate() -> None:
    error, requests, _ = failing(say.http_error(429, "Per minute token limit reached"))
    assert (type(error), requests) == (ModelUnavailable, 4)


def test_complete__api_key_invalid_by_reason_only__is_misconfigured() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    error, _, _ = failing(say.http_error(400, "Bad.", details=(info,)), times=1)
    assert type(error) is ModelMisconfigured


def test_complete__unknown_model__is_named() -> None:
    error, _, _ = failing(say.http_error(404, "not found"), times=1)
    assert MODEL in str(error)
    assert "model" in error.hint


@pytest.mark.parametrize(
    ("body", "status", "attempts"),
    [
        (b"<html>Bad gateway</html>", 502, 4),
        (b"", 503, 4),
        (b"[]", 503, 4),
        (b'"down"', 503, 4),
        (b'{"error": "text"}', 429, 4),
        (b'{"error": {"details": [null, 5, {"@type": 3}], "message": {"a": 1}}}', 429, 4),
        (b"[]", 400, 1),
        (b"\xe4\xff", 400, 1),
        (b"created", 201, 1),
        (b"", 302, 1),
    ],
)
def test_complete__error_that_is_not_googles__is_told_by_its_status(body, status, attempts) -> None:
    error, requests, _ = failing(say.raw(body, status, "text/html"), times=attempts)
    assert requests == attempts
    assert isinstance(error, ModelUnavailable) == (attempts == 4)


def test_complete__recovers__after_faults_of_every_kind() -> None:
    sleeps = Sleeps()
    replies = [say.reset(), say.cut_connection(), say.http_error(503), say.text("fine")]
    with FakeGemini(script(replies)) as fake:
        reply = gemini_for(fake, sleeps=sleeps).complete(a_request())
    assert (reply.stop, reply.text, reply.usage.requests) == (StopReason.STOP, "fine", 4)
    assert sleeps == BACKOFF


@pytest.mark.parametrize(
    ("reply", "words", "seconds"),
    [
        (say.reset(), "reset", 10.0),
        (say.cut_connection(), "cut off", 10.0),
        (say.slow(5.0), "no answer in the time allowed", 0.2),
        (say.trickle(), "no answer in the time allowed", 0.2),
    ],
)
def test_complete__network_fault__is_tried_four_times(reply, words, seconds) -> None:
    error, requests, sleeps = failing(reply, timeout_seconds=seconds)
    assert type(error) is ModelUnavailable
    assert words in str(error)
    assert (requests, sleeps) == (4, BACKOFF)


def test_complete__nobody_listens__is_unavailable() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    sleeps = Sleeps()
    with pytest.raises(ModelUnavailable, match=f"127.0.0.1:{port}: cannot connect"):
        gemini_for(f"http://127.0.0.1:{port}", sleeps=sleeps).complete(a_request())
    assert sleeps == BACKOFF


@pytest.mark.parametrize(
    "reply",
    [
        say.http_error(400, f"the key {KEY} is odd"),
        say.http_error(403, f"key={KEY}"),
        say.http_error(404, KEY),
        say.raw(KEY.encode()),
        say.raw(f"<p>{KEY}".encode(), 400),
        say.blocked_prompt(),
        say.no_candidates(),
    ],
)
def test_complete__key__stands_in_no_error_trace_log_or_repr(reply, caplog, capfd) -> None:
    caplog.set_level(logging.DEBUG)
    with FakeGemini(script([reply])) as fake:
        model = gemini_for(fake)
        shown = repr(model) + repr(vars(model))
        try:
            shown += repr(model.complete(a_request()))
        except ModelError as error:
            shown += "".join(traceback.format_exception(error)) + repr(error.__context__) + error.hint
    assert KEY not in shown + caplog.text + "".join(capfd.readouterr())


def test_complete__long_message_of_the_service__is_cut() -> None:
    error, _, _ = failing(say.http_error(400, "much\n" * 10_000), times=1)
    assert len(str(error)) < 400
    assert "\n" not in str(error)


def test_complete__redirect__is_not_followed_because_the_key_would_go_along() -> None:
    with FakeGemini(script([])) as other:
        moved = replace(say.raw(b"", 307), headers={"location": f"{other.url}/v1beta/models/{MODEL}:generateContent"})
        error, requests, _ = failing(moved, times=1)
    assert (type(error), requests, other.wire) == (ModelMisconfigured, 1, [])
