"""``devpulse action`` as a process in a runner's environment, against both fakes: what GitHub is left with."""

import json
import re
import signal
import time

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from fakes.github import FakeGitHub
from odd_change import NOT_REVIEWED, RIGHT_PATHS, expected_places, marked_rows, odd_repo
from repos import Repo
from runner import Runner

from devpulse.cli import run
from devpulse.core.fence import Fence
from devpulse.output.outputs import OUTPUTS

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
SAFE = "from flask import request\n\n\ndef lookup(db):\n    return db.execute('select 1')\n"


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "origin")
    repo.write("app/users.py", SAFE)
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/users.py", INJECTION)
    repo.commit("head")
    return repo


def merged_checkout(repo, folder, *, depth=0):
    """What actions/checkout leaves for a pull request: the merge commit, detached, with or without the history."""
    repo.git("switch", "--quiet", "--detach", "main")
    repo.git("merge", "--quiet", "--no-ff", "--message", "merge", "work")
    repo.git("update-ref", "refs/pull/7/merge", "HEAD")
    repo.git("switch", "--quiet", "work")
    clone = Repo(folder)
    clone.git("remote", "add", "origin", f"file://{repo.root}")
    what = [f"--depth={depth}"] if depth else ["+refs/heads/*:refs/remotes/origin/*"]
    clone.git("fetch", "--quiet", *what[:depth], "origin", *what[depth:], "refs/pull/7/merge:refs/remotes/pull/7/merge")
    clone.git("checkout", "--quiet", "--detach", "refs/remotes/pull/7/merge")
    return folder


def block(request, kind):
    text = request.text()
    key = re.search(r"Fence key ([0-9a-f]{16})\.", text)
    assert key, text[:200]
    return "\n".join(Fence(key[1]).blocks(kind, text))


def marks(request):
    """A model that marks every marked row, confirms what it is asked to verify, and concludes."""
    if "submit_verdicts" in request.declared():
        names = [json.loads(row)["id"] for row in block(request, "findings").split("\n")]
        verdicts = [{"id": name, "verdict": "confirmed", "reason": "marked"} for name in names]
        return replies.calls(Call("submit_verdicts", {"verdicts": verdicts}))
    if "submit_conclusion" in request.declared():
        return replies.calls(Call("submit_conclusion", {"overall_risk": "critical", "summary": "Marks everywhere."}))
    found = [
        {
            "category": "sql-injection", "severity": "critical", "confidence": "high", "side": side, "start_line": line,
            "end_line": line, "title": "Marked", "description": "A mark.", "fix": "Remove it.", "evidence": code,
        }
        for side, line, code in marked_rows(block(request, "diff"))
    ]  # fmt: skip
    return replies.calls(
        Call("submit_review", {"findings": found, "dismissed_leads": [], "overall_risk": "none", "summary": "ok"})
    )


def reviews(gemini):
    return [request for request in gemini.requests if "submit_conclusion" not in request.declared()]


def places(hub):
    return sorted((t.path, t.side, t.line) for t in hub.threads)


def test_action__every_odd_file_with_a_model_exact_lines_once_and_silent_again(tmp_path):
    repo = odd_repo(tmp_path / "origin")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    # JSON cannot carry a name that is not UTF-8, and GitHub shows no diff of a file with a NUL: no comment there.
    elsewhere = ("bytes-\udcff.py", "nul.js")
    wanted = [place for place in expected_places(repo) if place[0] not in elsewhere]
    with FakeGemini(marks) as gemini, FakeGitHub(repo) as hub:
        variables = {"GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_API_KEY": KEY}
        inputs = {"max-comments": "100", "fail-on": "high"}
        ran = runner.run(hub, hub.event(), inputs=inputs, **variables)
        assert ran.status == 1, ran.err
        assert places(hub) == wanted
        assert ran.outputs["engine"] == "gemini"
        calls = len(hub.calls())
        assert calls <= 12
        assert len(hub.comments) == 1
        before = (places(hub), hub.comments[0].body, len(hub.writes()), len(reviews(gemini)))
        again = runner.run(hub, hub.event(), inputs=inputs, **variables)
        assert again.status == 1, again.err
        assert (places(hub), hub.comments[0].body, len(hub.writes()), len(reviews(gemini))) == before
        rows = {row["path"]: row["outcome"] for row in ran.artifact("findings.json")["coverage"]}
    assert {path for path, outcome in rows.items() if outcome == "skipped"} == set(NOT_REVIEWED)
    assert len(rows) == len(NOT_REVIEWED) + len(RIGHT_PATHS)


def test_action__three_hundred_files_in_a_dozen_calls(tmp_path):
    repo = Repo(tmp_path / "origin")
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(300):
        repo.write(f"app/part{number:03}.py", INJECTION if number % 15 == 0 else SAFE.replace("lookup", f"f{number}"))
    repo.commit("head")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        assert places(hub) == [(f"app/part{number:03}.py", "RIGHT", 5) for number in range(0, 300, 15)]
        assert len(hub.calls()) <= 12
        again = runner.run(hub, hub.event())
        assert again.status == 0, again.err
        assert len(hub.writes()) == 2


def test_action__pull_request_target_never_has_the_head_on_disk(repo, tmp_path):
    """The base is checked out, its history holds nothing of the fork, and the key is there."""
    clone = Repo(tmp_path / "shop")
    clone.git("fetch", "--quiet", f"file://{repo.root}", "main")
    clone.git("checkout", "--quiet", "--detach", "FETCH_HEAD")
    runner = Runner(tmp_path / "runner", clone.root)
    with FakeGitHub(repo, head_repository="eve/shop") as hub, FakeGemini(marks) as gemini:
        variables = {"GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_API_KEY": KEY}
        event = hub.event("labeled", "pull_request_target")
        ran = runner.run(hub, event, name="pull_request_target", **variables)
        assert ran.status == 0, ran.err
        assert len(hub.comments) == 1
    assert ran.outputs["engine"] == "gemini"
    assert (clone.root / "app/users.py").read_text() == SAFE
    assert clone.git("status", "--short", "--untracked-files=no") == ""
    assert not (tmp_path / "runner" / "temp" / "devpulse-state").exists()


@pytest.mark.parametrize("depth", [0, 1])
def test_action__comments_summary_outputs(repo, tmp_path, depth):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop", depth=depth))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        assert places(hub) == [("app/users.py", "RIGHT", 5)]
        (summary,) = hub.comments
        assert "Risk critical" in summary.body
        assert f"{hub.site}/octo/shop/actions/runs/41" in summary.body
        assert len(hub.calls()) <= (6 if depth == 0 else 12)
    assert set(ran.outputs) == set(OUTPUTS)
    assert ran.outputs["findings-count"] == "1"
    assert ran.outputs["highest-severity"] == ran.outputs["risk"] == "critical"
    assert ran.outputs["incomplete"] == "false"
    assert ran.outputs["engine"] == "offline"
    assert ran.outputs["artifacts-path"] == "devpulse-artifacts"
    assert (ran.workspace / ran.outputs["findings-path"]).is_file()
    assert (ran.workspace / ran.outputs["sarif-path"]).is_file()
    assert (ran.workspace / ran.outputs["report-path"]).is_file()
    assert "Risk critical" in ran.summary
    assert ran.commands() == []
    assert [c["path"] for c in ran.artifact("comments.json")["posted"]] == ["app/users.py"]
    sarif = ran.artifact("results.sarif")["runs"][0]
    assert sarif["versionControlProvenance"][0]["repositoryUri"] == f"{hub.site}/octo/shop"
    rung = "local git" if depth == 0 else "GitHub API"
    assert rung in ran.artifact("summary.md")


def test_action__fork_without_key_and_with_a_read_only_token(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo, head_repository="eve/shop") as hub:
        hub.faults.read_only = True
        ran = runner.run(hub, hub.event(), inputs={"fail-on": "high"})
        assert ran.status == 1, ran.err
        assert hub.threads == hub.comments == []
        annotations = ran.commands()
    assert any(
        line.startswith("::error file=app/users.py,line=5,endLine=5,title=critical sql-injection")
        for line in annotations
    )
    assert any("pull-requests: write" in line for line in annotations)
    assert "No Gemini key was given" in ran.summary
    assert ran.outputs["findings-count"] == "1"
    assert not (tmp_path / "runner" / "temp" / "devpulse-state").exists()


def test_action__a_push_adds_only_what_is_new(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        runner.run(hub, hub.event())
        repo.write("app/users.py", "# moved down\n" + INJECTION)
        repo.write("app/more.py", INJECTION.replace("lookup", "search"))
        repo.commit("push")
        hub.moved()
        runner.workspace = merged_checkout(repo, tmp_path / "again")
        ran = runner.run(hub, hub.event("synchronize"))
        assert ran.status == 0, ran.err
        assert sorted(t.path for t in hub.threads) == ["app/more.py", "app/users.py"]
        assert len(hub.comments) == 1
        assert "2 findings" in hub.comments[0].body


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
        (("issue_comment", None), {"fail-on": "low"}, 0, "comment-commands"),
        (("pull_request", "opened"), {"fail-on": "hihg"}, 2, "hihg"),
        (("pull_request", "opened"), {"exclude": "*", "fail-on": "low"}, 0, "Nothing was reviewed"),
        (("pull_request", "opened"), {"command": "review"}, 0, "critical"),
    ],
)
def test_action__event_policy(repo, tmp_path, event, inputs, status, says):
    event, action = event
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
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


def test_action__drafts(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
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


def test_action__closed(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
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


def test_action__no_checkout_at_all(repo, tmp_path):
    (tmp_path / "empty").mkdir()
    runner = Runner(tmp_path / "runner", tmp_path / "empty")
    with FakeGitHub(repo, api_path="/api/v3") as hub:
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        assert places(hub) == [("app/users.py", "RIGHT", 5)]
        assert "there is no checkout" in ran.artifact("summary.md")


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
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        said = "".join(thread.comments[0].body for thread in hub.threads) + hub.comments[0].body
    written = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (ran.workspace / "devpulse-artifacts").rglob("*")
        if path.is_file()
    )
    assert token not in said + written + ran.out + ran.err + ran.summary


@pytest.mark.parametrize(("status", "says"), [(404, "octo/shop#7"), (401, "token"), (502, "502")])
def test_action__github_does_not_give_the_pull_request(repo, tmp_path, status, says):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        hub.faults.fail("GET .*/pulls/7", status, message="no", times=None)
        ran = runner.run(hub, hub.event())
        assert ran.status == 2
        assert says in ran.err
        assert any(line.startswith("::error title=DevPulse::") for line in ran.commands())


def test_action__cancelled_while_posting_keeps_its_outputs(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        process = runner.start(runner.environment(hub, hub.event()))
        hub.faults.before("POST .*/reviews", lambda: process.send_signal(signal.SIGTERM))
        ran = runner.ended(process)
        assert ran.status == 143, ran.err
    assert ran.outputs["findings-count"] == "1"
    assert "Risk critical" in ran.summary


def test_action__comments_switched_off_become_annotations(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event(), inputs={"comment": "false", "summary": "never"})
        assert ran.status == 0, ran.err
        assert hub.writes() == []
    assert [line.partition(",")[0] for line in ran.commands()] == ["::error file=app/users.py"]


def test_action__publishing_fails_but_nothing_is_lost(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        hub.faults.graphql_down = True
        ran = runner.run(hub, hub.event(), inputs={"fail-on": "high"})
        assert ran.status == 1, ran.err
        assert hub.writes() == []
        assert any(line.startswith("::error file=app/users.py") for line in ran.commands())
        assert any(line.startswith("::warning title=DevPulse::Comments could not be posted") for line in ran.commands())
        assert "Risk critical" in ran.summary


def test_action__cancelled_writes_what_it_has(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))

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


def test_action__without_a_runner_says_what_is_missing(capsys):
    assert run(["action"]) == 2
    said = capsys.readouterr().err
    assert "GITHUB_EVENT_NAME" in said
    assert "devpulse review" in said


def test_inputs__hyphens_and_unknown_ones(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event(), inputs={"min-severty": "high"}, **{"INPUT_MAX-COMMENTS": "0"})
        assert ran.status == 0, ran.err
        assert hub.threads == []
        assert 'Did you mean "min-severity"?' in ran.summary
