"""Reading what stands, from answers that the fake GitHub does not give."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from fakes.http_server import HttpReply, LoopbackServer

from devpulse.adapters.github.client import Pace, connect
from devpulse.adapters.github.conversation import read_standing
from devpulse.errors import GitHubForbidden, GitHubNotFound, GitHubUnavailable
from devpulse.output.comments.marker import SummaryMark, finding_marker, summary_marker
from devpulse.output.comments.standing import Standing

MARK = SummaryMark("b" * 40, "d" * 32)
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
    pull = {"reviewThreads": {"pageInfo": LAST, "nodes": threads}, "comments": {"pageInfo": LAST, "nodes": comments}}
    return {"data": {"viewer": {"login": "github-actions[bot]"}, "repository": {"pullRequest": pull}}}


def read(reply: object) -> Standing:
    headers = {"content-type": "application/json"}
    server = LoopbackServer(lambda _: HttpReply(200, json.dumps(reply).encode(), headers))
    with server, contextlib.closing(connect(server.url, "t", pace=Pace(first_retry=0))) as client:
        return read_standing(client, "octo/shop", 7, sleep=lambda _: None)


def test_read_standing__passes_over_what_is_gone():
    ghost = comment(2, "Hm.", own=False, author=None)
    own = comment(2**31 + 7, f"Words\r\n\r\n{finding_marker('feed')}\r\n")
    standing = read(answer([None, thread(), thread(None, own, ghost)], [None, comment(9, "Words.")]))
    (found,) = standing.comments
    assert (found.id, found.fingerprint, found.line, found.answered_by) == (2**31 + 7, "feed", None, ())
    assert (standing.summary, standing.viewer) == (None, "github-actions[bot]")


def test_read_standing__of_several_summaries_the_oldest():
    bodies = [comment(number, f"# Summary\n\n{summary_marker(MARK)}") for number in (12, 5, 30)]
    standing = read(answer([], bodies))
    assert standing.summary is not None
    assert standing.summary.id == 5


@pytest.mark.parametrize("reply", [{}, [], {"data": None}, {"data": {"viewer": None, "repository": None}}])
def test_read_standing__an_answer_of_another_shape(reply):
    with pytest.raises(GitHubUnavailable, match="cannot be read"):
        read(reply)


@pytest.mark.parametrize(("kind", "error"), [("NOT_FOUND", GitHubNotFound), ("FORBIDDEN", GitHubForbidden)])
def test_read_standing__errors_of_graphql(kind, error):
    with pytest.raises(error):
        read({"data": None, "errors": [{"type": kind, "message": "no"}]})
