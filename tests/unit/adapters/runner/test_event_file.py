"""Event files of every event that works, and files that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devpulse.adapters.runner import event_file
from devpulse.adapters.runner.event_file import read_other_run, read_trigger
from devpulse.core.commands import CommentCommand
from devpulse.core.event import PullRequestState, Trigger
from devpulse.core.other_run import OtherRun
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
        return read_trigger(event, path)

    return reader


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target"])
def test_read_trigger__a_pull_request(read, event):
    assert read(payload(), event) == Trigger(event, 17, HEAD, PullRequestState.OPEN)


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


def test_read_trigger__a_deleted_fork(read):
    head = {"sha": HEAD, "ref": "x", "repo": None, "user": None}
    assert read(payload(pull_request=pull_request(head=head))).head_sha == HEAD


def test_read_trigger__sha256_and_a_byte_order_mark(read):
    document = payload(pull_request=pull_request(head={"sha": "c" * 64, "repo": None}))
    assert read(b"\xef\xbb\xbf" + json.dumps(document).encode()).head_sha == "c" * 64


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch", "merge_group", "push"])
def test_read_trigger__the_file_of_another_event_is_not_read(tmp_path, event):
    assert read_trigger(event, tmp_path / "missing") == Trigger(event)


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
        (payload(pull_request=pull_request(head={"sha": "main; rm -rf /"})), "pull_request.head.sha"),
    ],
)
def test_read_trigger__another_shape_is_named_without_its_content(read, document, where):
    with pytest.raises(ConfigurationError, match=rf"not that of a pull_request event: {where}: ") as caught:
        read(document)
    assert "rm -rf" not in str(caught.value)


def test_read_trigger__missing_or_a_folder(tmp_path):
    for path, cause in ((tmp_path / "none.json", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(ConfigurationError, match=f"cannot be read: {cause}"):
            read_trigger("pull_request", path)


def test_read_trigger__too_large(read, monkeypatch):
    size = len(json.dumps(payload()))
    monkeypatch.setattr(event_file, "MAX_BYTES", size)
    read(payload())
    monkeypatch.setattr(event_file, "MAX_BYTES", size - 1)
    with pytest.raises(ConfigurationError, match="more than"):
        read(payload())


def comment(body="/devpulse review", action="created", **changes):
    issue = {"number": 17, "pull_request": {"url": "https://api.github.com/repos/octo/shop/pulls/17"}}
    return {"action": action, "issue": issue, "comment": {"body": body, "user": {"login": "ada"}}} | changes


@pytest.mark.parametrize(
    ("document", "number", "command"),
    [
        (comment(), 17, CommentCommand.REVIEW),
        (comment("/devpulse dance"), 17, CommentCommand.UNKNOWN),
        (comment("nice work"), 17, None),
        (comment(action="edited"), None, None),
        (comment(action="deleted"), None, None),
        (comment(issue={"number": 17}), None, None),
        (comment(comment={"body": "/devpulse review", "user": None}), None, None),
    ],
)
def test_read_trigger__comments(tmp_path, document, number, command):
    (tmp_path / "event.json").write_text(json.dumps(document))
    trigger = read_trigger("issue_comment", tmp_path / "event.json")
    assert (trigger.number, trigger.command) == (number, command)
    assert trigger.commenter == ("ada" if number else "")


def run(**changes):
    values = {"event": "pull_request", "head_sha": HEAD, "head_branch": "work", "html_url": "https://github.com/x"}
    return {"workflow_run": values | {"head_repository": {"full_name": "eve/shop"}} | changes}


def test_read_other_run__what_github_says_of_it(tmp_path):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(run()))
    assert read_other_run(path) == OtherRun("pull_request", "eve/shop", "work", HEAD, "https://github.com/x")
    path.write_text(json.dumps(run(head_repository=None)))
    assert read_other_run(path).head_repository is None


@pytest.mark.parametrize(
    "changes", [{"head_sha": "main"}, {"head_repository": {"full_name": "eve shop"}}, {"event": None}]
)
def test_read_other_run__another_form_is_refused(tmp_path, changes):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(run(**changes)))
    with pytest.raises(ConfigurationError, match="workflow_run"):
        read_other_run(path)
