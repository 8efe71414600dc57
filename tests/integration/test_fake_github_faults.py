"""What a test can make go wrong between the real client and the fake GitHub."""

from __future__ import annotations

import time

import github
import pytest
import requests
from fakes.github import FakeGitHub
from repos import Repo


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("faults") / "shop")
    repo.commit("base", **{"app.py": "one\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{"app.py": "two\n"})
    return repo


def pull_of(hub, token=None, retry=None):
    client = github.Github(
        base_url=hub.url,
        auth=github.Auth.Token(token or hub.token),
        seconds_between_requests=None,
        seconds_between_writes=None,
        retry=retry,
        lazy=True,
    )
    return client.get_repo("octo/shop").get_pull(7)


def comment(hub, body="summary", **more):
    pull = pull_of(hub, **more)
    return pull.as_issue().create_comment(body)


def refused(call, *arguments, **more):
    with pytest.raises(github.GithubException) as caught:
        call(*arguments, **more)
    return caught.value


def test_token__a_wrong_one_is_refused(shop):
    with FakeGitHub(shop) as hub:
        with pytest.raises(github.BadCredentialsException):
            assert pull_of(hub, token="ghs_other").title
        assert requests.get(hub.url + "/rate_limit", timeout=10).status_code == 401


def test_read_only__reads_but_does_not_write(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.read_only = True
        pull = pull_of(hub)
        assert pull.title
        for write, arguments in ((comment, (hub,)), (pull.create_review, (github.GithubObject.NotSet, "x", "COMMENT"))):
            error = refused(write, *arguments)
            assert (error.status, error.data["message"]) == (403, "Resource not accessible by integration")
        assert (hub.comments, hub.reviews) == ([], [])


def test_primary_limit__says_when_it_ends(shop):
    with FakeGitHub(shop) as hub:
        reset = int(time.time()) + 1800
        hub.faults.primary_limit(reset=reset)
        with pytest.raises(github.RateLimitExceededException) as caught:
            assert pull_of(hub).title
        headers = caught.value.headers or {}
        assert (headers["x-ratelimit-remaining"], headers["x-ratelimit-reset"]) == ("0", str(reset))
        hub.faults.clear()
        assert pull_of(hub).title


@pytest.mark.parametrize("seconds", [None, 7])
def test_secondary_limit__with_and_without_a_time_to_wait(shop, seconds):
    with FakeGitHub(shop) as hub:
        hub.faults.secondary_limit("POST", retry_after=seconds)
        error = refused(comment, hub)
        assert "secondary rate limit" in error.data["message"]
        assert error.headers.get("retry-after") == (str(seconds) if seconds else None)
        assert hub.comments == []
        comment(hub)
        assert len(hub.comments) == 1


def test_limit_writes__lets_so_many_through(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.limit_writes(2, retry_after=1)
        comment(hub)
        comment(hub)
        assert refused(comment, hub).status == 403
        assert len(hub.comments) == 2


def test_fail__answers_so_many_times_on_its_route_only(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.fail("GET .*/files", 503, times=2)
        pull = pull_of(hub)
        assert [refused(lambda: list(pull.get_files())).status for _ in range(2)] == [503, 503]
        assert [each.filename for each in pull.get_files()] == ["app.py"]
        hub.faults.fail("GET .*/files", 404, times=None)
        assert refused(lambda: list(pull.get_files())).status == 404
        assert pull.title


def test_lose_reply__the_write_is_applied(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.lose_reply("POST .*/comments")
        with pytest.raises(requests.exceptions.ConnectionError):
            comment(hub)
        assert [each.body for each in hub.comments] == ["summary"]
        assert hub.violations == []


def test_lose_reply__a_client_that_sends_again_doubles(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.lose_reply("POST .*/comments")
        comment(hub, retry=github.GithubRetry())
        assert [each.body for each in hub.comments] == ["summary", "summary"]


def test_drop__nothing_is_applied(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.drop("POST .*/comments")
        with pytest.raises(requests.exceptions.ConnectionError):
            comment(hub)
        assert hub.comments == []
        assert len(hub.calls("POST")) == 1


def test_before__acts_between_two_requests(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.before("POST .*/comments", lambda: hub.add_comment("bob", "first"))
        comment(hub)
        comment(hub, "again")
        assert [each.body for each in hub.comments] == ["first", "summary", "again"]
