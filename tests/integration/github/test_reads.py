import json

import pytest
from fakes.http_server import Fault, HttpReply, LoopbackServer
from pull_requests import QUICK

from devpulse.adapters.github.client import connect
from devpulse.adapters.github.reads import Reads
from devpulse.core.content import blob_id
from devpulse.errors import GitHubNotFound, GitHubUnavailable

BLOB = {"content": "aGVsbG8=", "encoding": "base64"}


def ask(question, *replies):
    queue = list(replies)
    with LoopbackServer(lambda _: queue.pop(0)) as server, connect(server.url, "t", pace=QUICK) as client:
        return question(Reads(client, "octo/shop")), [request.target for request in server.requests]


def reply(body, **headers):
    return HttpReply(200, json.dumps(body).encode(), headers)


def test_blob__read_again_when_it_was_cut_off():
    sha = blob_id(b"hello")
    whole = reply(BLOB)
    found, targets = ask(lambda reads: reads.blob(sha), HttpReply(200, whole.body, fault=Fault.CUT), whole)
    assert (found, targets) == (b"hello", [f"/repos/octo/shop/git/blobs/{sha}"] * 2)


@pytest.mark.parametrize("body", [BLOB, {"content": "a", "encoding": "base64"}, {"encoding": "none"}, [], None])
def test_blob__another_object_or_none(body):
    with pytest.raises(GitHubUnavailable, match="cannot be read"):
        ask(lambda reads: reads.blob("1" * 40), reply(body))


def test_rows__every_page():
    row = {"filename": "a", "status": "added"}
    found, targets = ask(
        lambda reads: list(reads.rows(7)), reply([row] * 2, Link='<http://x/?page=2>; rel="next"'), reply([row])
    )
    assert len(found) == 3
    assert targets == [f"/repos/octo/shop/pulls/7/files?page={page}&per_page=100" for page in (1, 2)]


@pytest.mark.parametrize(
    ("branch", "quoted"),
    [
        ("rel/1.0", "rel%2F1.0"),
        ("a#b", "a%23b"),
        ("a%2Fb?c", "a%252Fb%3Fc"),
        ("ä&+", "%C3%A4%26%2B"),
        ("\ud800", "%3F"),
    ],
)
def test_merge_base__names_of_branches(branch, quoted):
    found, targets = ask(lambda reads: reads.merge_base(branch, "h"), reply({"merge_base_commit": {"sha": "m"}}))
    assert (found, targets) == ("m", [f"/repos/octo/shop/compare/{quoted}...h?per_page=1"])


@pytest.mark.parametrize("ends", [("a...b", "h"), ("../../user", "h"), ("b", "a..h")])
def test_merge_base__a_name_that_would_be_another_question(ends):
    with pytest.raises(GitHubNotFound, match="name"):
        ask(lambda reads: reads.merge_base(*ends))


def test_merge_base__one_commit_is_enough():
    found, targets = ask(lambda reads: reads.merge_base("b", "h"), reply({"merge_base_commit": {"sha": "m"}}))
    assert (found, targets) == ("m", ["/repos/octo/shop/compare/b...h?per_page=1"])


def test_rows__no_further_page_than_needed():
    row = {"filename": "a", "status": "added"}
    found, targets = ask(lambda reads: next(reads.rows(7)), reply([row], Link='<http://x/?page=2>; rel="next"'))
    assert (found.filename, len(targets)) == ("a", 1)


def test_tree__recursive_only_when_asked():
    tree = reply({"tree": [], "truncated": True})
    for recursive, query in ((True, "?recursive=1"), (False, "")):
        found, targets = ask(lambda reads, recursive=recursive: reads.tree("t", recursive=recursive), tree)
        assert (found.truncated, targets) == (True, [f"/repos/octo/shop/git/trees/t{query}"])
