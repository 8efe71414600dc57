"""Hostile files, a GitHub that fails, and signals."""

import re
import signal
import time

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.github import FakeGitHub
from runner import INJECTION, KEY, Runner, merged_checkout


def test_action__nothing_of_a_file_becomes_a_command(repo, tmp_path):
    repo.write("app/::error::x.py", INJECTION)
    repo.write("app/evil.py", INJECTION.replace("lookup", "x") + "# ::set-output name=a::b\n")
    repo.commit("evil")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        hub.faults.read_only = True
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        commands = ran.commands()
        paths = sorted(match[1] for line in commands if (match := re.match(r"::error file=([^,]+),", line)))
    assert paths == ["app/%3A%3Aerror%3A%3Ax.py", "app/evil.py", "app/users.py"]
    assert [line.partition(" ")[0] for line in commands] == ["::notice", "::error", "::error", "::error"]
    assert not [line for line in ran.err.split("\n") if line.lstrip().startswith("::") or "##[" in line]


def test_action__no_token_or_key_is_written_anywhere(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    repo.write("app/leak.py", "# ghs_abcdefghijklmnopqrstuvwxyz0123456789 ours\n" + INJECTION)
    repo.commit("leak")
    runner.workspace = merged_checkout(repo, tmp_path / "leaking")
    token = "ghs_abcdefghijklmnopqrstuvwxyz0123456789"
    with FakeGitHub(repo, token=token) as hub:
        ran = runner.run_process(hub, hub.event())
        assert ran.status == 0, ran.err
        said = "".join(thread.comments[0].body for thread in hub.threads) + hub.comments[0].body
    written = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (ran.workspace / "devpulse-artifacts").rglob("*")
        if path.is_file()
    )
    assert token not in said + written + ran.out + ran.err + ran.summary


@pytest.mark.parametrize(("status", "says"), [(404, "octo/shop#7"), (401, "token"), (502, "502")])
def test_action__github_does_not_give_the_pull_request(repo, runner, status, says):
    with FakeGitHub(repo) as hub:
        hub.faults.fail("GET .*/pulls/7", status, message="no", times=None)
        ran = runner.run(hub, hub.event())
        assert ran.status == 2
        assert says in ran.err
        assert any(line.startswith("::error title=DevPulse::") for line in ran.commands())


def test_action__cancelled_while_posting_keeps_its_outputs(repo, runner):
    with FakeGitHub(repo) as hub:
        process = runner.start(runner.environment(hub, hub.event()))
        hub.faults.before("POST .*/reviews", lambda: process.send_signal(signal.SIGTERM))
        ran = runner.ended(process)
        assert ran.status == 143, ran.err
    assert ran.outputs["findings-count"] == "1"
    assert "Risk critical" in ran.summary


def test_action__publishing_fails_but_nothing_is_lost(repo, runner):
    with FakeGitHub(repo) as hub:
        hub.faults.graphql_down = True
        ran = runner.run(hub, hub.event(), inputs={"fail-on": "high"})
        assert ran.status == 1, ran.err
        assert hub.writes() == []
        assert any(line.startswith("::error file=app/users.py") for line in ran.commands())
        assert any(line.startswith("::warning title=DevPulse::Comments could not be posted") for line in ran.commands())
        assert "Risk critical" in ran.summary


def test_action__cancelled_writes_what_it_has(repo, runner):

    def slow(_request):
        return replies.slow(30.0)

    with FakeGemini(slow) as gemini, FakeGitHub(repo) as hub:
        variables = {"GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_API_KEY": KEY}
        process = runner.start(runner.environment(hub, hub.event(), **variables))
        limit = time.monotonic() + 60
        while not gemini.requests and time.monotonic() < limit:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        ran = runner.ended(process)
        assert time.monotonic() - began < 7.5
        assert ran.status == 130
        assert hub.writes() == []
        assert ran.outputs["incomplete"] == "true"
        assert ran.artifact("findings.json")["coverage"][0]["reason"] == "cancelled"


def test_action__cancelled_while_github_is_asked_what_people_decided(repo, runner):
    with FakeGitHub(repo) as hub:
        process = runner.start(runner.environment(hub, hub.event(), inputs={"fail-on": "high"}))
        hub.faults.before("POST /graphql", lambda: process.send_signal(signal.SIGTERM))
        ran = runner.ended(process)
        assert ran.status == 143, ran.err
        assert hub.writes() == []
    report = ran.artifact("findings.json")
    assert [finding["status"] for finding in report["findings"]] == ["open"]
    assert "is not known: the run was cancelled" in ran.artifact("run_log.jsonl")
    assert ran.artifact("results.sarif")["runs"][0]["results"]
    assert ran.outputs["findings-count"] == "1"
