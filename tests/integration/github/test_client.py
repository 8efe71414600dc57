import json
import pickle
import time

import pytest
from fakes.http_server import Fault, HttpReply, LoopbackServer

from devpulse.adapters.github.client import Calls, Pace, Patience, connect
from devpulse.adapters.github.exchange import exchange
from devpulse.adapters.github.failures import github_errors
from devpulse.errors import (
    ConfigurationError,
    GitHubError,
    GitHubForbidden,
    GitHubNotFound,
    GitHubRateLimited,
    GitHubRefused,
    GitHubUnavailable,
)

QUICK = Pace(timeout=1, first_retry=0.001)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def reply(status, body=None, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpReply(status, json.dumps({} if body is None else body).encode(), named)


def ask(replies, verb="GET", url="/x", token="t0ken", pace=QUICK):
    """What comes back, what arrived, and how many calls were counted."""
    queue = list(replies)
    calls = Calls()
    with (
        LoopbackServer(lambda _: queue.pop(0)) as server,
        connect(server.url, token, pace=pace, calls=calls, patience=Patience(3.0)) as client,
    ):
        try:
            body = exchange(client.requester, verb, url, {"a": 1}, "asking", "contents: read")[1]
        except GitHubError as error:
            body = error
    return body, server.requests, calls.made


@pytest.mark.parametrize(
    "first",
    [
        reply(500),
        reply(502),
        reply(503, retry_after="0"),
        reply(504),
        reply(408),
        reply(409),
        reply(429, retry_after="1"),
        reply(403, {"message": SECONDARY}, retry_after="0"),
        reply(403, {"message": "API rate limit exceeded"}, x_ratelimit_remaining="0", x_ratelimit_reset="0"),
        HttpReply(fault=Fault.RESET),
        HttpReply(delay=1.3),
    ],
)
def test_connect__read_is_sent_again(first):
    body, requests, calls = ask([first, reply(200, {"b": 2})])
    assert (body, len(requests), calls) == ({"b": 2}, 2, 2)


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (reply(500), GitHubUnavailable),
        (reply(502), GitHubUnavailable),
        (reply(504), GitHubUnavailable),
        (reply(408), GitHubUnavailable),
        (reply(409), GitHubUnavailable),
        (reply(503, retry_after="0"), GitHubUnavailable),
        (reply(429, retry_after="0"), GitHubRateLimited),
        (reply(403, {"message": SECONDARY}, retry_after="0"), GitHubRateLimited),
        (HttpReply(fault=Fault.RESET), GitHubUnavailable),
        (HttpReply(delay=1.3), GitHubUnavailable),
        (HttpReply(201, b"{} ", fault=Fault.CUT), GitHubUnavailable),
    ],
)
def test_connect__write_is_never_sent_again(first, kind):
    error, requests, calls = ask([first], "POST")
    assert (type(error), len(requests), calls) == (kind, 1, 1)


def test_connect__gives_up_after_three_more_attempts():
    error, requests, calls = ask([reply(503)] * 4)
    assert (type(error), len(requests), calls) == (GitHubUnavailable, 4, 4)
    assert "503" in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        reply(429, retry_after="3600"),
        reply(403, {"message": SECONDARY}),
        reply(403, {"message": "API rate limit exceeded"}, x_ratelimit_remaining="0", x_ratelimit_reset="99999999999"),
    ],
)
def test_connect__does_not_wait_beyond_its_patience(answer):
    started = time.monotonic()
    error, requests, _ = ask([answer])
    assert (type(error), len(requests)) == (GitHubRateLimited, 1)
    assert time.monotonic() - started < 2


def test_connect__patience_is_one_allowance_for_all_requests():
    with (
        LoopbackServer(lambda _: reply(503)) as server,
        connect(server.url, None, patience=Patience(0.001)) as client,
    ):
        for _ in range(2):
            with pytest.raises(GitHubUnavailable):
                exchange(client.requester, "GET", "/x", {}, "asking", "")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "kind", "words", "hint"),
    [
        (reply(401, {"message": "Bad credentials"}), GitHubForbidden, "Bad credentials", "github-token"),
        (reply(403, {"message": "Resource not accessible by integration"}), GitHubForbidden, "403", "contents: read"),
        (
            reply(403, {"message": "Resource not accessible"}, x_accepted_github_permissions="pull_requests=write"),
            GitHubForbidden,
            "403",
            "pull-requests: write",
        ),
        (HttpReply(403, b"<html>"), GitHubForbidden, "403", "contents: read"),
        (reply(404, {"message": "Not Found"}), GitHubNotFound, "while asking", "may not read"),
        (reply(422, {"message": "No", "errors": ["line must", {"message": "m"}]}), GitHubRefused, "line must; m", ""),
        (
            reply(422, {"message": "No", "errors": [{"resource": "R", "field": "f", "code": "custom"}]}),
            GitHubRefused,
            "R f custom",
            "",
        ),
        (reply(422, {"message": "No", "errors": "one text"}), GitHubRefused, "one text", ""),
        (HttpReply(200, b'{"a": '), GitHubUnavailable, "cannot be read", "GITHUB_API_URL"),
        (reply(422, {"message": "No", "errors": ["was submitted too quickly"]}), GitHubRateLimited, "60 s", "later"),
        (reply(407, {"message": "No"}), GitHubError, "asks for a user", "HTTPS_PROXY"),
    ],
)
def test_github_errors__answers(answer, kind, words, hint):
    error, _, _ = ask([answer])
    assert type(error) is kind
    assert words in str(error)
    assert hint in error.hint
    assert "t0ken" not in f"{error!r} {error.hint}"


def test_github_errors__an_answer_that_redirects_to_another_server():
    error, requests, _ = ask([HttpReply(301, b"", {"Location": "http://evil.example/x"})])
    assert (type(error), len(requests)) == (GitHubError, 1)
    assert "another server" in str(error)


def test_github_errors__an_error_of_our_own():
    with pytest.raises(RuntimeError, match="other"), github_errors("asking"):
        raise RuntimeError("other")


def test_github_errors__rate_limit_says_how_long():
    error, _, _ = ask([reply(429, retry_after="3600")])
    assert pickle.loads(pickle.dumps(error)).wait == error.wait == 3600


def test_github_errors__no_answer_in_time():
    error, _, _ = ask([HttpReply(delay=1.3)], "POST")
    assert "gave no answer in the time allowed" in str(error)


def test_github_errors__refusal_carries_its_reasons():
    error, _, _ = ask([reply(422, {"message": "No", "errors": ["line must be part of the diff"]})], "POST")
    assert (error.messages, error.status) == (("line must be part of the diff",), 422)


def test_github_errors__nobody_there():
    with LoopbackServer(lambda _: reply(200)) as server:
        url = server.url
    with (
        connect(url, "t", pace=QUICK) as client,
        pytest.raises(GitHubUnavailable, match="could not be reached"),
    ):
        exchange(client.requester, "GET", "/x", {}, "asking", "")


def test_connect__what_is_sent():
    _, (request,), _ = ask([reply(200)])
    assert request.headers["authorization"] == "token t0ken"
    assert request.headers["user-agent"] == "devpulse"
    _, (request,), _ = ask([reply(200)], token=None)
    assert "authorization" not in request.headers


@pytest.mark.parametrize("url", ["", "api.github.com", "ftp://x", "http://", "http://x:port"])
def test_connect__not_an_api_url(url):
    with pytest.raises(ConfigurationError):
        connect(url, "t")


def test_connect__token_with_a_line_feed_inside():
    with pytest.raises(ConfigurationError, match="characters"):
        connect("http://x", "a\nb")
    connect("http://x", " a\n").close()


@pytest.mark.parametrize("status", [404, 403, 422, 500])
@pytest.mark.parametrize("body", [b"[1]", b'"x"', b'{"message": {"a": 1}}', b"[" * 100_000, b"\xff", b"", b"<html>"])
def test_exchange__an_error_with_an_odd_body(status, body):
    error, _, _ = ask([HttpReply(status, body)], "POST")
    assert isinstance(error, GitHubError)
    assert str(status) in str(error) or type(error) in (GitHubNotFound, GitHubUnavailable)


@pytest.mark.parametrize(
    "answer",
    [
        HttpReply(200, b"<html>"),
        HttpReply(200, b"[" * 100_000),
        HttpReply(200, b"\xff"),
        HttpReply(204),
        HttpReply(307, b"{}", {"Location": "/elsewhere"}),
        HttpReply(304),
        HttpReply(200, b"{}", {"x-ratelimit-limit": "many", "x-ratelimit-remaining": "some"}),
    ],
)
def test_exchange__no_answer_of_githubs(answer):
    error, requests, _ = ask([answer], "POST")
    assert (type(error), len(requests)) == (GitHubUnavailable, 1)


def test_exchange__a_proxy_that_asks_for_a_login(monkeypatch):
    with LoopbackServer(lambda _: reply(407)) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url.replace("http://", "http://user:s3cret@"))
        monkeypatch.setenv("no_proxy", "")
        with (
            connect("https://github.invalid", "t", pace=QUICK) as client,
            pytest.raises(GitHubError, match="proxy asks for a user") as caught,
        ):
            exchange(client.requester, "POST", "/x", {}, "asking", "")
    assert "s3cret" not in f"{caught.value} {caught.value.hint}"
