"""``/devpulse review`` as a comment: heeded from people who may write, of the head as it is when it is first read."""

import pytest
from fakes.github import FakeGitHub
from runner import INJECTION, places
from two_jobs import TwoJobs


@pytest.mark.parametrize(
    ("author", "body", "says", "calls"),
    [
        ("bob", "/devpulse review", "not-allowed", 1),
        ("eve[bot]", "/devpulse review", "not-allowed", 1),
        ("ada", "please /devpulse review", "comment-commands", 0),
        ("ada", "/devpulse dance", "comment-commands", 0),
    ],
)
def test_command__without_effect_and_without_an_answer(repo, tmp_path, author, body, says, calls):
    with FakeGitHub(repo, permissions={"ada": "write", "bob": "read"}) as hub:
        hub.add_comment(author, body)
        jobs = TwoJobs(repo, tmp_path / "jobs", hub)
        ran = jobs.run("command", jobs.workspace, hub.event(event="issue_comment"), name="issue_comment")
        assert ran.status == 0, ran.err
        assert says in ran.out
        assert len(hub.calls()) == calls
        assert hub.writes() == []


def test_command__reviews_the_head_that_was_there_when_it_began(repo, tmp_path):
    with FakeGitHub(repo, head_repository="eve/shop", permissions={"ada": "write"}) as hub:
        hub.add_comment("ada", "/devpulse review\r\n")
        jobs = TwoJobs(repo, tmp_path / "jobs", hub)
        asked = hub.head_sha

        def push():
            repo.write("app/more.py", INJECTION)
            repo.commit("pushed while it ran")
            hub.moved()

        # The first question after the pull request itself: by then the head is pinned.
        hub.faults.before("GET .*/compare/.*", push)
        ran = jobs.run("command", jobs.workspace, hub.event(event="issue_comment"), name="issue_comment")
        assert ran.status == 0, ran.err
        assert ran.artifact("findings.json")["pull_request"]["head_sha"] == asked
        assert [row["path"] for row in ran.artifact("findings.json")["coverage"]] == ["app/users.py"]
        assert places(hub) == [("app/users.py", "RIGHT", 5)]
