"""The fake GitHub fails the test that uses GitHub wrongly, and its own replies are held to the contract."""

from __future__ import annotations

import pytest
import requests
from fake_shop import connect, inline, refused, small_repo
from fakes import github_contract
from fakes.github import FakeGitHub
from fakes.github_http import GitHubRequest


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return small_repo(tmp_path_factory.mktemp("small") / "shop")


def test_violations__an_unknown_route_fails_at_the_end(small):
    with pytest.raises(AssertionError, match="no such route: GET /repos/octo/shop/labels"), FakeGitHub(small) as hub:
        assert refused(lambda: list(connect(hub).get_labels())).status == 501


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"event": "COMMENTED"}, r"\$\.event"),
        ({"event": "COMMENT", "comments": [inline("3")]}, r"\$\.comments\[0\]\.line"),
        ({"event": "COMMENT", "comments": [{"path": "app.py"}]}, "'body' is a required property"),
    ],
)
def test_violations__a_request_off_the_description_fails_at_the_end(small, body, where):
    headers = {"authorization": "token ghs_test"}
    hub = FakeGitHub(small)
    with pytest.raises(AssertionError, match=where), hub:
        requests.post(f"{hub.url}/repos/octo/shop/pulls/7/reviews", json=body, headers=headers, timeout=10)
    assert hub.reviews == []


def test_violations__an_incomplete_reply_fails_at_the_end(small, monkeypatch):
    faulty = FakeGitHub(small)
    incomplete = {key: value for key, value in faulty._json.pull_full().items() if key != "node_id"}
    monkeypatch.setattr(faulty._json, "pull_full", lambda: incomplete)
    with pytest.raises(AssertionError, match=r"the reply 200: .*'node_id' is a required property"), faulty as hub:
        connect(hub).get_pull(7).update()


def test_violations__another_media_type_fails_at_the_end(small):
    headers = {"authorization": "token ghs_test", "accept": "application/vnd.github.v3.diff"}
    with pytest.raises(AssertionError, match="JSON only"), FakeGitHub(small) as hub:
        requests.get(f"{hub.url}/repos/octo/shop/pulls/7", headers=headers, timeout=10)


def test_contract__accepts_a_described_request_and_no_other():
    fine = GitHubRequest("POST", "/repos/o/r/issues/1/comments", {}, {"body": "x"}, {})
    assert github_contract.request_faults(fine) == []
    assert github_contract.request_faults(GitHubRequest("POST", fine.path, {}, {"body": 3}, {})) != []
    assert github_contract.request_faults(GitHubRequest("GET", "/repos/o/r/labels", {}, None, {})) != []
