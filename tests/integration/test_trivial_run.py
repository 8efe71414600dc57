"""What nobody need look at is told without a request; what rules find in it counts all the same."""

from __future__ import annotations

import json

import pytest
from builders import ScriptedModel, reply, submit
from fakes.gemini import FakeGemini
from fakes.github import FakeGitHub
from harness import run_source
from marking import marks
from repos import Repo
from runner import INJECTION, KEY, SAFE, Runner, merged_checkout

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.core.review import Reviewed, Skipped

SECRET = "AKIA" + "Q3EGX7MPLNB5TZKD"
CODE = "def total(rows):\n    return sum(rows)\n"
TRIVIAL = {
    "commented.py": (CODE, f"# Adds up.\n{CODE}"),
    "formatted.py": (CODE, "def total( rows ):\n    return sum( rows )\n"),
    "poetry.lock": ("a = 1\n", "a = 2\n"),
    "gen/api.py": (CODE, CODE.replace("sum", "max")),
}


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


def review(repo, folder, files, attributes=("", "")):
    for number, name in enumerate(("base", "head")):
        repo.write(".gitattributes", attributes[number])
        for path, texts in files.items():
            repo.write(path, texts[number])
        repo.commit(name)
        if name == "base":
            repo.git("switch", "--quiet", "--create", "work")
    model = ScriptedModel(lambda _request: reply(submit()))
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), model, folder, verify=False)
    asked = {json.loads(request.task) if request.task.startswith('"') else request.task for request in model.requests}
    return run.result.report, asked


def test_trivial__skipped_by_policy_and_no_request(repo, tmp_path):
    marked = "gen/** linguist-generated\n"
    report, asked = review(repo, tmp_path / "out", TRIVIAL, (marked, marked))
    assert {row.path: row.outcome for row in report.coverage} == {
        "commented.py": Skipped("trivial: comments only"),
        "formatted.py": Skipped("trivial: formatting only"),
        "poetry.lock": Skipped("trivial: lock file"),
        "gen/api.py": Skipped("trivial: generated, say the attributes of the base"),
    }
    assert asked == set()
    assert not report.incomplete


def test_trivial__attributes_that_the_change_brings_do_not_count(repo, tmp_path):
    report, asked = review(
        repo, tmp_path / "out", {"gen/api.py": TRIVIAL["gen/api.py"]}, ("", "gen/** linguist-generated\n")
    )
    outcomes = {row.path: row.outcome for row in report.coverage}
    assert outcomes["gen/api.py"] == Reviewed()
    assert any("api.py" in task for task in asked)


def test_trivial__a_finding_of_a_rule_counts(repo, tmp_path):
    files = {"commented.py": (CODE, f"# The key was {SECRET} until now.\n{CODE}")}
    report, asked = review(repo, tmp_path / "out", files)
    assert [(f.path, f.start_line, f.category) for f in report.findings] == [("commented.py", 1, "hardcoded-secret")]
    assert report.risk == "critical"
    assert isinstance(report.coverage[0].outcome, Skipped)
    assert asked == set()


def test_trivial__a_lead_of_a_rule_is_reviewed(repo, tmp_path):
    files = {"gen/users.py": (SAFE, INJECTION)}
    marked = "gen/** linguist-generated\n"
    report, asked = review(repo, tmp_path / "out", files, (marked, marked))
    assert report.coverage[0].outcome == Reviewed()
    assert asked


def test_again__nothing_changed_asks_no_model_and_github_six_times_at_most(tmp_path):
    repo = Repo(tmp_path / "origin")
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(2):
        repo.write(f"app/part{number}.py", SAFE.replace("lookup", f"f{number}"))
    repo.write("app/users.py", INJECTION)
    repo.commit("head")
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    with FakeGemini(marks) as gemini, FakeGitHub(repo) as hub:
        variables = {"GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_API_KEY": KEY}
        first = runner.run(hub, hub.event(), **variables)
        assert first.status == 0, first.err
        asked, called = len(gemini.requests), len(hub.calls())
        again = runner.run(hub, hub.event(), **variables)
        assert again.status == 0, again.err
        assert len(gemini.requests) == asked
        assert len(hub.calls()) - called <= 6, hub.calls()[called:]
