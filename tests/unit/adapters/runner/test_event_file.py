"""Event files of every event that works, and files that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devpulse.adapters.runner import event_file
from devpulse.adapters.runner.event_file import read_trigger
from devpulse.core.event import Comment, PullRequestState, Trigger
from devpulse.errors import ConfigurationError

BASE, HEAD = "a" * 40, "b" * 40


def pull_request(**overrides: Any) -> dict[str, Any]:
    values = {
        "number": 17,
        "state": "open",
        "merged": False,
        "draft": False,
        "title": "A change",
        "head": {"sha": HEAD, "ref": "topic", "repo": {"full_name": "octo/shop", "fork": False}},
        "base": {"sha": BASE, "ref": "main", "repo": {"full_name": "octo/shop"}},
    }
    return values | overrides


def payload(**overrides: Any) -> dict[str, Any]:
    values = {
        "action": "synchronize",
        "number": 17,
        "pull_request": pull_request(),
        "repository": {"full_name": "octo/shop", "private": True},
        "sender": {"login": "dependabot[bot]", "type": "Bot"},
        "enterprise": {"slug": "octo"},
    }
    return values | overrides


@pytest.fixture
def read(tmp_path):
    def reader(document: Any, event: str = "pull_request") -> Trigger:
        path = tmp_path / "event.json"
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return read_trigger(event, path, "octo/shop")

    return reader


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target"])
def test_read_trigger__a_pull_request(read, event):
    assert read(payload(), event) == Trigger(
        event, "octo/shop", "synchronize", 17, BASE, HEAD, False, PullRequestState.OPEN, "octo/shop", False
    )


@pytest.mark.parametrize(
    ("overrides", "state"),
    [
        ({"state": "closed"}, PullRequestState.CLOSED),
        ({"state": "closed", "merged": True}, PullRequestState.MERGED),
        ({"state": "closed", "merged": None, "merged_at": "2026-01-01T00:00:00Z"}, PullRequestState.MERGED),
    ],
)
def test_read_trigger__closed_and_merged(read, overrides, state):
    assert read(payload(pull_request=pull_request(**overrides))).state is state


@pytest.mark.parametrize(("draft", "expected"), [(True, True), (None, False)])
def test_read_trigger__draft(read, draft, expected):
    assert read(payload(pull_request=pull_request(draft=draft))).draft is expected


@pytest.mark.parametrize(
    ("repo", "name", "from_fork"),
    [
        ({"full_name": "stranger/shop"}, "stranger/shop", True),
        ({"full_name": "Octo/Shop"}, "Octo/Shop", False),
        (None, None, True),
    ],
)
def test_read_trigger__where_the_head_lives(read, repo, name, from_fork):
    found = read(payload(pull_request=pull_request(head={"sha": HEAD, "ref": "x", "repo": repo, "user": None})))
    assert (found.head_repository, found.from_fork) == (name, from_fork)


def test_read_trigger__sha256_and_a_byte_order_mark(read):
    document = payload(pull_request=pull_request(head={"sha": "c" * 64, "repo": None}))
    assert read(b"\xef\xbb\xbf" + json.dumps(document).encode()).head_sha == "c" * 64


@pytest.mark.parametrize(
    ("issue", "on_pull_request", "state"),
    [
        ({"pull_request": {"url": "x", "merged_at": None}, "state": "open"}, True, PullRequestState.OPEN),
        ({"pull_request": {"merged_at": "2026-01-01"}, "state": "closed"}, True, PullRequestState.MERGED),
        ({"state": "closed"}, False, PullRequestState.CLOSED),
    ],
)
def test_read_trigger__a_comment(read, issue, on_pull_request, state):
    comment = {"body": "/devpulse review\nplease 🙏", "user": {"login": "octocat"}, "author_association": "OWNER"}
    document = {"action": "created", "issue": {"number": 17, **issue}, "comment": comment}
    found = read(document, "issue_comment")
    assert found.comment == Comment("/devpulse review\nplease 🙏", "octocat", on_pull_request)
    assert (found.action, found.number, found.state) == ("created", 17, state)
    assert found.from_fork is on_pull_request


def test_read_trigger__a_comment_of_nobody_with_half_a_character(read):
    document = {"issue": {"number": 17}, "comment": {"body": "cut \ud83d", "user": None}}
    assert read(document, "issue_comment").comment == Comment("cut \ufffd", "", on_pull_request=False)
    document = {"issue": {"number": 17}, "comment": {"body": None}}
    assert read(document, "issue_comment").comment == Comment("", "", on_pull_request=False)


def test_read_trigger__a_merge_group(read):
    document = {"action": "checks_requested", "merge_group": {"head_sha": HEAD, "base_sha": BASE}}
    assert read(document, "merge_group") == Trigger(
        "merge_group", "octo/shop", "checks_requested", base_sha=BASE, head_sha=HEAD
    )


@pytest.mark.parametrize(
    ("event", "document"),
    [
        ("schedule", {"schedule": "0 5 * * *"}),
        ("workflow_dispatch", {"inputs": {"number": "7"}, "ref": "refs/heads/main", "repository": None}),
    ],
)
def test_read_trigger__events_without_a_pull_request(read, event, document):
    assert read(document, event) == Trigger(event, "octo/shop")


def test_read_trigger__the_file_of_another_event_is_not_read(tmp_path):
    assert read_trigger("push", tmp_path / "missing", "octo/shop") == Trigger("push", "octo/shop")


@pytest.mark.parametrize("document", [b"", b"{", b"\xff\xfe\xfd", b"[" * 100_000, b"1" * 5000])
def test_read_trigger__not_json(read, document):
    with pytest.raises(ConfigurationError, match="is not JSON") as caught:
        read(document)
    assert "GITHUB_EVENT_PATH" in caught.value.hint


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ([], "the whole"),
        (payload(pull_request=None), "pull_request"),
        (payload(pull_request=pull_request(number=0)), "pull_request.number"),
        (payload(pull_request=pull_request(head={"repo": None})), "pull_request.head.sha"),
        (payload(pull_request=pull_request(base={"sha": "main; rm -rf /"})), "pull_request.base.sha"),
        (payload(repository="octo/shop"), "repository"),
    ],
)
def test_read_trigger__another_shape_is_named_without_its_content(read, document, where):
    with pytest.raises(ConfigurationError, match=rf"not that of a pull_request event: {where}: ") as caught:
        read(document)
    assert "rm -rf" not in str(caught.value)


def test_read_trigger__missing_or_a_folder(tmp_path):
    for path, cause in ((tmp_path / "none.json", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(ConfigurationError, match=f"cannot be read: {cause}"):
            read_trigger("pull_request", path, "octo/shop")


def test_read_trigger__too_large(read, monkeypatch):
    size = len(json.dumps(payload()))
    monkeypatch.setattr(event_file, "MAX_BYTES", size)
    read(payload())
    monkeypatch.setattr(event_file, "MAX_BYTES", size - 1)
    with pytest.raises(ConfigurationError, match="more than"):
        read(payload())
