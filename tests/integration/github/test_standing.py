"""Reading what stands, from answers that the fake GitHub does not give."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from fakes.http_server import HttpReply, LoopbackServer

from devpulse.adapters.github.client import Pace, connect
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.standing import read_standing
from devpulse.errors import GitHubForbidden, GitHubNotFound, GitHubRateLimited, GitHubRefused, GitHubUnavailable
from devpulse.output.comments.marker import SUMMARY_HEADING, SummaryMark, finding_marker, summary_marker
from devpulse.output.comments.standing import IgnoreRequest, Standing

MARK = SummaryMark("b" * 40, "d" * 32)
HEAD = "a" * 40
LAST = {"hasNextPage": False, "endCursor": None}


def comment(number: int, body: str, *, own: bool = True, author: str | None = "github-actions") -> dict[str, Any]:
    return {
        "fullDatabaseId": str(number),
        "viewerDidAuthor": own,
        "body": body,
        "url": f"https://x.example/{number}",
        "author": {"login": author} if author else None,
    }


def thread(*comments: Any, **overrides: Any) -> dict[str, Any]:
    values = {"id": "T", "isResolved": False, "path": "a.py", "line": None, "resolvedBy": None}
    return values | {"comments": {"nodes": list(comments)}} | overrides


def answer(threads: list[Any], comments: list[Any]) -> dict[str, Any]:
    pull = {
        "headRefOid": HEAD,
        "reviewThreads": {"pageInfo": LAST, "nodes": threads},
        "comments": {"pageInfo": LAST, "nodes": comments},
    }
    return {"data": {"repository": {"pullRequest": pull}}}


def read(*replies: object, **headers: str) -> Standing:
    """What is read from the replies; the last is given again and again."""
    queue = [HttpReply(200, json.dumps(reply).encode(), _named(headers)) for reply in replies]
    server = LoopbackServer(lambda _: queue.pop(0) if len(queue) > 1 else queue[0])
    with server, contextlib.closing(connect(server.url, "t", pace=Pace(first_retry=0))) as client:
        return read_standing(client, PullRequestId("octo/shop", 7), sleep=lambda _: None)


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}


def test_read_standing__passes_over_what_is_gone():
    ghost = comment(2, "Hm.", own=False, author=None)
    own = comment(2**31 + 7, f"**Low: Words**\r\n\r\n{finding_marker('feed')}\r\n")
    standing = read(answer([None, thread(), thread(None, own, ghost)], [None, comment(9, "Words.")]))
    (found,) = standing.comments
    assert (found.id, found.fingerprint, found.line, found.answered_by) == (2**31 + 7, "feed", None, ("ghost",))
    assert (standing.summary, standing.head_sha) == (None, HEAD)


def test_read_standing__of_several_summaries_the_oldest():
    bodies = [comment(number, f"{SUMMARY_HEADING}\r\n\r\n{summary_marker(MARK)}") for number in (12, 5, 30)]
    standing = read(answer([], bodies))
    assert standing.summary is not None
    assert standing.summary.id == 5


@pytest.mark.parametrize("reply", [{}, [], {"data": None}, {"data": {"repository": None}}, None])
def test_read_standing__an_answer_of_another_shape(reply):
    with pytest.raises(GitHubUnavailable, match="cannot be read"):
        read(reply)


@pytest.mark.parametrize(("kind", "error"), [("NOT_FOUND", GitHubNotFound), ("FORBIDDEN", GitHubForbidden)])
def test_read_standing__errors_of_graphql(kind, error):
    with pytest.raises(error, match="in GitHub's words"):
        read({"data": None, "errors": [{"type": kind, "message": "in GitHub's words"}]})


@pytest.mark.parametrize(
    "fault", [{"message": "Something went wrong while executing your query."}, {"type": "INTERNAL"}, "Timeout", {}]
)
def test_read_standing__a_query_that_github_failed_at_is_sent_again(fault):
    failed = {"data": {"repository": None}, "errors": [fault]}
    assert read(failed, failed, failed, answer([], [])) == Standing(head_sha=HEAD)
    with pytest.raises(GitHubUnavailable, match="answered with an error"):
        read(failed)


def test_read_standing__a_query_that_is_at_fault_is_not_sent_again():
    fault = {"message": "Field 'x' doesn't exist", "extensions": {"code": "undefinedField"}}
    with pytest.raises(GitHubRefused, match="doesn't exist"):
        read({"errors": [fault]}, answer([], []))


@pytest.mark.parametrize(
    ("headers", "wait"), [({}, 60.0), ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1"}, 1.0)]
)
def test_read_standing__rate_limit_of_graphql(headers, wait):
    with pytest.raises(GitHubRateLimited) as caught:
        read({"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}, **headers)
    assert caught.value.wait == wait


def test_read_standing__what_people_ask_for_in_the_conversation():
    def said(number: int, body: str, **overrides: Any) -> dict[str, Any]:
        return comment(number, body, own=False, author="ada") | overrides

    bot = {"author": {"__typename": "Bot", "login": "ada"}}
    rows = [
        said(9, "/devpulse ignore 0123abcd later\r\n"),
        said(8, "/devpulse ignore 0123abcd"),
        said(7, "/devpulse review"),
        said(6, "> /devpulse ignore 0123abcd"),
        said(5, "/devpulse ignore 0123abcd", **bot),
        said(4, "/devpulse ignore 0123abcd", author=None),
        comment(3, "/devpulse ignore 0123abcd"),
    ]
    expected = (IgnoreRequest("ada", "0123abcd", ""), IgnoreRequest("ada", "0123abcd", "later"))
    assert read(answer([], rows)).requests == expected
