"""``devpulse action`` in a runner's environment, against both fakes: what GitHub is left with."""

import pytest
from fakes.gemini import FakeGemini
from fakes.github import FakeGitHub
from marking import marks
from odd_change import NOT_REVIEWED, RIGHT_PATHS, expected_places, odd_repo
from repos import Repo
from runner import INJECTION, KEY, SAFE, Runner, merged_checkout, places

from devpulse.output.outputs import OUTPUTS


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
        before = (places(hub), hub.comments[0].body, len(hub.writes()), len(gemini.requests))
        again = runner.run(hub, hub.event(), inputs=inputs, **variables)
        assert again.status == 1, again.err
        assert (places(hub), hub.comments[0].body, len(hub.writes()), len(gemini.requests)) == before
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
        ran = runner.run_process(hub, hub.event())
        assert ran.status == 0, ran.err
        assert places(hub) == [("app/users.py", "RIGHT", 5)]
        (summary,) = hub.comments
        assert "Risk critical" in summary.body
        assert f"{hub.site}/octo/shop/actions/runs/41" in summary.body
        assert len(hub.calls()) <= (7 if depth == 0 else 13)
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


def test_action__fork_without_key_and_with_a_read_only_token(repo, runner, tmp_path):
    with FakeGitHub(repo, head_repository="eve/shop") as hub:
        hub.faults.read_only = True
        ran = runner.run(hub, hub.event(), inputs={"fail-on": "high"})
        assert ran.status == 1, ran.err
        assert (hub.threads, hub.comments) == ([], [])
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


def test_action__a_long_statement_is_told_on_the_lines_the_diff_shows(repo, tmp_path):
    long = ["from flask import request", "", "", "def lookup(db):", "    return db.execute("]
    long += [f"        'select {number} ' +" for number in range(30)]
    repo.git("switch", "--quiet", "main")
    repo.write("app/long.py", "\n".join([*long, "        '',", "    )", ""]))
    repo.commit("a long statement")
    repo.git("switch", "--quiet", "work")
    repo.git("merge", "--quiet", "--no-edit", "main")
    repo.write("app/long.py", "\n".join([*long, "        request.args['name'],", "    )", ""]))
    repo.commit("now with a name")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        lines = [thread.line for thread in hub.threads if thread.path == "app/long.py"]
    assert len(lines) == 1
    assert lines[0] in (36, 37)


def test_action__no_checkout_at_all(repo, tmp_path):
    (tmp_path / "empty").mkdir()
    runner = Runner(tmp_path / "runner", tmp_path / "empty")
    with FakeGitHub(repo, api_path="/api/v3") as hub:
        ran = runner.run(hub, hub.event())
        assert ran.status == 0, ran.err
        assert places(hub) == [("app/users.py", "RIGHT", 5)]
        assert "there is no checkout" in ran.artifact("summary.md")


def test_inputs__hyphens_and_unknown_ones(repo, runner):
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event(), inputs={"min-severty": "high"}, **{"INPUT_MAX-COMMENTS": "0"})
        assert ran.status == 0, ran.err
        assert hub.threads == []
        assert 'Did you mean "min-severity"?' in ran.summary


def test_action__comments_switched_off_become_annotations(repo, runner):
    with FakeGitHub(repo) as hub:
        ran = runner.run(hub, hub.event(), inputs={"comment": "false", "summary": "never"})
        assert ran.status == 0, ran.err
        assert hub.writes() == []
    assert [line.partition(",")[0] for line in ran.commands()] == ["::error file=app/users.py"]
