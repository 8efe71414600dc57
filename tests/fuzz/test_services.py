"""Errors and answers of services, of any shape: told in our own words, on one line, without the key."""

from __future__ import annotations

from fuzz.mutation import mutated
from fuzz.profile import fuzzed
from fuzz.test_replies import ANYTHING
from github.GithubException import GithubException
from hypothesis import given
from hypothesis import strategies as st

from devpulse.adapters.gemini.failures import Addressee, HttpError, http_failure
from devpulse.adapters.github.failures import github_errors, graphql_error
from devpulse.adapters.github.retrying import rate_limit_wait
from devpulse.errors import GitHubError, ModelError
from devpulse.output.comments.marker import read_finding_marker, read_summary_marker

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
TO = Addressee("gemini-x", "host", KEY)
STATUSES = st.sampled_from([300, 307, 400, 401, 403, 404, 407, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 599])
DETAIL = st.fixed_dictionaries(
    {
        "@type": st.sampled_from(
            ["type.googleapis.com/google.rpc.RetryInfo", "x.google.rpc.QuotaFailure", "google.rpc.ErrorInfo"]
        )
    },
    optional={"retryDelay": ANYTHING, "violations": ANYTHING, "reason": ANYTHING},
)
BODY = st.fixed_dictionaries(
    {},
    optional={
        "message": ANYTHING | st.just(f"the key {KEY}\nis odd"),
        "status": ANYTHING,
        "details": st.lists(DETAIL, max_size=3) | ANYTHING,
        "errors": ANYTHING,
        "code": ANYTHING,
    },
)
HEADER = ANYTHING.map(str) | st.sampled_from(
    ["5", "-1", "1e9", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "9" * 400, "\u0665"]
)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["retry-after", "Retry-After", "x-ratelimit-remaining", "x-ratelimit-reset", "x-accepted-github-permissions"]
    ),
    HEADER,
    max_size=3,
)


@fuzzed
@given(STATUSES, ANYTHING | BODY | BODY.map(lambda body: {"error": body}), st.none() | HEADER)
def test_http_failure__any_answer(status, details, retry_after):
    failure = http_failure(HttpError(status, details, retry_after), TO)
    assert isinstance(failure.error, ModelError)
    assert failure.error.hint
    assert KEY not in str(failure.error)
    assert "\n" not in str(failure.error)
    assert len(str(failure.error)) < 600
    assert failure.wait is None or failure.wait >= 0


@fuzzed
@given(STATUSES, ANYTHING | BODY, HEADERS)
def test_github_errors__any_answer(status, data, headers):
    try:
        with github_errors("asking", permission="contents: read"):
            raise GithubException(status, data, headers)
    except GitHubError as raised:
        error = raised
    assert "while asking" in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 1_200


@fuzzed
@given(st.lists(ANYTHING | BODY, max_size=4), HEADERS)
def test_graphql_error__any_faults(faults, headers):
    error = graphql_error(faults, headers, "asking")
    assert "while asking" in str(error)
    assert "\n" not in str(error)


@fuzzed
@given(STATUSES, HEADERS, st.text(max_size=30))
def test_rate_limit_wait__any_headers(status, headers, message):
    assert rate_limit_wait(status, {name.lower(): value for name, value in headers.items()}, message, 1e9) >= 0


@fuzzed
@given(
    mutated(
        [
            "**High: x**\n\nbody\n<!-- devpulse:finding 0123456789abcdef -->",
            "# DevPulse security review\n\n<!-- devpulse:summary head=" + "a" * 40 + " digest=" + "b" * 32 + " -->",
        ],
        ["<!--", "-->", "\r\n", "0" * 64],
    )
)
def test_markers__any_comment(body):
    found = read_finding_marker(body)
    assert found is None or (4 <= len(found) <= 64 and set(found) <= set("0123456789abcdef"))
    mark = read_summary_marker(body)
    assert mark is None or len(mark.digest) == 32
