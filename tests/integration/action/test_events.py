"""What each event comes to, with its exit status."""

import pytest
from fakes.github import FakeGitHub
from runner import Runner, merged_checkout

from devpulse.cli import run


@pytest.mark.parametrize(
    ("event", "inputs", "status", "says"),
    [
        (("pull_request", "opened"), {}, 0, "critical"),
        (("pull_request", "synchronize"), {}, 0, "critical"),
        (("pull_request", "reopened"), {}, 0, "critical"),
        (("pull_request", "ready_for_review"), {"fail-on": "critical"}, 1, "critical"),
        (("pull_request_target", "labeled"), {"fail-on": "low"}, 1, "critical"),
        (("merge_group", None), {"fail-on": "low"}, 0, "merge-group"),
        (("workflow_dispatch", None), {"pull-request-number": "7"}, 0, "critical"),
        (("schedule", None), {"pull-request-number": "7", "fail-on": "high"}, 1, "critical"),
        (("workflow_dispatch", None), {}, 2, "pull-request-number"),
        (("push", None), {}, 2, "pull_request_target"),
        (("issue_comment", None), {"fail-on": "low"}, 0, "not-allowed"),
        (("pull_request", "opened"), {"fail-on": "hihg"}, 2, "hihg"),
        (("pull_request", "opened"), {"exclude": "*", "fail-on": "low"}, 0, "Nothing was reviewed"),
        (("pull_request", "opened"), {"command": "review"}, 0, "critical"),
    ],
)
def test_action__event_policy(repo, runner, event, inputs, status, says):
    event, action = event
    with FakeGitHub(repo) as hub:
        hub.add_comment("bob", "/devpulse review")
        ran = runner.run(hub, hub.event(action, event), name=event, inputs=inputs)
        assert ran.status == status, ran.err
        assert says in ran.out + ran.err
        reviewed = status in (0, 1) and says == "critical"
        assert len(hub.threads) == (1 if reviewed and inputs.get("command") != "review" else 0)
        if status == 2:
            assert any(line.startswith("::error title=DevPulse::") for line in ran.commands())
            assert hub.writes() == []


def test_action__drafts(repo, runner):
    with FakeGitHub(repo, draft=True) as hub:
        skipped = runner.run(hub, hub.event(), inputs={"skip-drafts": "true"})
        assert skipped.status == 0, skipped.err
        assert "draft" in skipped.out
        assert "draft" in skipped.summary
        assert skipped.outputs["engine"] == ""
        assert len(hub.calls()) == 1
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        assert len(hub.threads) == 1


def test_action__closed(repo, runner):
    with FakeGitHub(repo) as hub:
        event = hub.event("closed")
        event["pull_request"]["state"] = "closed"
        ran = runner.run(hub, event, inputs={"fail-on": "low"})
        assert ran.status == 0, ran.err
        assert "closed" in ran.summary
        assert hub.calls() == []


def test_action__empty_diff_says_that_nothing_was_reviewed(repo, tmp_path):
    repo.git("reset", "--quiet", "--hard", "main")
    repo.commit("nothing")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event(), inputs={"fail-on": "low"})
        assert ran.status == 0, ran.err
        assert "Nothing was reviewed" in ran.summary
        assert "Nothing was reviewed" in hub.comments[0].body


def test_action__without_a_runner_says_what_is_missing(capsys):
    assert run(["action"]) == 2
    said = capsys.readouterr().err
    assert "GITHUB_EVENT_NAME" in said
    assert "devpulse review" in said
