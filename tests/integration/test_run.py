"""Whole runs through the command line: artifacts, exit statuses, resuming, stopping."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from repos import Repo

from devpulse.cli import run

SAFE = "def lookup(db, name):\n    return db.execute('select 1 where a = ?', (name,))\n"
FLASK = "from flask import request\n\n\ndef lookup(db):\n    name = request.args['name']\n"
INJECTION = FLASK + "    return db.execute('select * from users where name = ' + name)\n"
KEY = "sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/safe.py", "x = 1\n")
    repo.write("app/sql.py", SAFE)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/safe.py", "x = 2\n")
    repo.write("app/sql.py", INJECTION)
    repo.commit("head")
    return repo


def review(repo, *arguments):
    return run(["review", str(repo.root), "--base", "main", "--head", "work", *arguments])


def folder(repo):
    return repo.root / "devpulse-artifacts"


def findings(repo):
    return json.loads((folder(repo) / "findings.json").read_text())


def process(repo, *arguments, **options):
    command = [sys.executable, "-m", "devpulse", "review", str(repo.root), "--base", "main", "--head", "work"]
    return subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def without_usage(report):
    coverage = [{**row, "tokens": 0, "reason": ""} for row in report["coverage"]]
    return {**report, "usage": None, "coverage": coverage}


def test_review__finds_writes_and_says(repo, capsys):
    assert review(repo) == 0
    report = findings(repo)
    assert [(f["category"], f["path"], f["start_line"], f["status"]) for f in report["findings"]] == [
        ("sql-injection", "app/sql.py", 6, "open")
    ]
    assert report["risk"] == "critical"
    assert {row["path"]: row["outcome"] for row in report["coverage"]} == dict.fromkeys(
        ["app/safe.py", "app/sql.py"], "reviewed"
    )
    written = {path.name for path in folder(repo).iterdir()}
    assert written >= {
        "plan.json", "findings", "findings.json", "results.sarif", "report.html", "summary.md", "run_log.jsonl",
        "progress_notes.md",
    }  # fmt: skip
    shown = capsys.readouterr().out
    assert "app/sql.py:6" in shown
    assert "db.execute('select * from users where name = ' + name)" in shown
    assert "2 files: 2 reviewed" in shown


def test_review__json_alone_on_standard_output(repo, capsys):
    assert review(repo, "--json") == 0
    assert json.loads(capsys.readouterr().out) == findings(repo)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--fail-on", "critical"], 1),
        (["--fail-on", "low", "--exclude", "app/sql.py"], 0),
        (["--fail-on", "low", "--severity-overrides", "sql-injection=low", "--min-severity", "medium"], 0),
        (["--fail-on", "nonsense"], 2),
        (["--output-dir", "../elsewhere"], 2),
        (["--head", "no-such-branch"], 2),
        (["--state-dir", "."], 2),
    ],
)
def test_review__exit_status(repo, arguments, status, monkeypatch, capsys):
    monkeypatch.chdir(repo.root)
    assert review(repo, *arguments) == status
    if status == 2:
        assert "error: " in capsys.readouterr().err.lower()


def test_review__no_secret_leaves(repo, capsys):
    repo.write("app/pay.py", f'API_KEY = "{KEY}"\n')
    repo.write("notes.txt", f"the key is {KEY}\n")
    repo.commit("pay")
    assert review(repo, "--progress") == 0
    assert any(finding["category"] == "hardcoded-secret" for finding in findings(repo)["findings"])
    captured = capsys.readouterr()
    assert KEY not in captured.out + captured.err
    for file in folder(repo).rglob("*"):
        if file.is_file():
            assert KEY not in file.read_text(), file


def test_review__configuration_is_the_base_sides(repo, capsys):
    repo.write(".devpulse.yml", "exclude: app/**\nfail-on: none\n")
    repo.commit("the change tries to excuse itself")
    assert review(repo, "--fail-on", "high") == 1
    repo.git("switch", "--quiet", "main")
    repo.write(".devpulse.yml", "exclude: app/sql.py\n")
    repo.commit("the base excludes a file")
    repo.git("switch", "--quiet", "work")
    repo.git("rebase", "--quiet", "-X", "ours", "main")
    assert review(repo, "--fail-on", "high") == 0
    reasons = {row["path"]: row["reason"] for row in findings(repo)["coverage"]}
    assert reasons["app/sql.py"] == "excluded"
    capsys.readouterr()


def test_review__an_unknown_key_of_the_configuration_is_named(repo, capsys):
    repo.git("switch", "--quiet", "main")
    repo.write(".devpulse.yml", "fail_on: high\n")
    repo.commit("config")
    repo.git("switch", "--quiet", "work")
    repo.git("rebase", "--quiet", "main")
    assert review(repo) == 2
    assert "fail_on" in capsys.readouterr().err


def test_resume__finished_work_is_taken_from_the_store(repo, capsys):
    assert review(repo) == 0
    first = findings(repo)
    assert review(repo) == 0
    second = findings(repo)
    assert {row["reason"] for row in second["coverage"]} == {"reused"}
    assert without_usage(first) == without_usage(second)
    assert "taken from the store" in capsys.readouterr().out


def test_resume__fresh_redoes_everything(repo, capsys):
    review(repo)
    review(repo, "--fresh")
    assert {row["reason"] for row in findings(repo)["coverage"]} == {""}
    capsys.readouterr()


def test_resume__a_change_elsewhere_makes_the_entry_stale(repo, capsys):
    cleaning = "import os\n\n\ndef tidy(name):\n    return os.path.basename(name)\n"
    passing = "def tidy(name):\n    return name\n"
    user = (
        "from flask import request\n\nfrom app.tidying import tidy\n\n\ndef download():\n"
        "    return open('/srv/files/' + tidy(request.args['name']))\n"
    )
    repo.write("app/tidying.py", cleaning)
    repo.write("app/download.py", user)
    repo.commit("with a cleaning helper")
    assert review(repo) == 0
    before = [finding["path"] for finding in findings(repo)["findings"]]
    repo.write("app/tidying.py", passing)
    repo.commit("the helper no longer cleans")
    assert review(repo) == 0
    after = [finding["path"] for finding in findings(repo)["findings"]]
    rows = {row["path"]: row["reason"] for row in findings(repo)["coverage"]}
    assert "app/download.py" not in before
    assert "app/download.py" in after
    assert rows["app/sql.py"] == "reused"
    capsys.readouterr()


def test_resume__an_edited_entry_is_redone_and_said(repo, capsys, tmp_path):
    state = tmp_path / "state"
    review(repo, "--state-dir", str(state))
    for entry in state.rglob("*.json"):
        entry.write_text(entry.read_text().replace("sql-injection", "other"))
    assert review(repo, "--state-dir", str(state)) == 0
    assert [f["category"] for f in findings(repo)["findings"]] == ["sql-injection"]
    assert "damaged" in capsys.readouterr().out


def test_stop_after__resumes_to_the_same_findings(repo, tmp_path):
    for number in range(6):
        repo.write(f"app/more{number}.py", INJECTION)
    repo.commit("more")
    state = ["--state-dir", str(tmp_path / "state")]
    stopped = process(repo, "--fresh", "--stop-after", "3", "--max-parallel", "1", *state)
    stopped.communicate(timeout=60)
    assert stopped.returncode == 70
    assert not (folder(repo) / "findings.json").exists()
    assert review(repo, *state) == 0
    resumed = findings(repo)
    assert sum(row["reason"] == "reused" for row in resumed["coverage"]) >= 3
    assert review(repo, "--fresh", *state) == 0
    assert without_usage(resumed) == without_usage(findings(repo))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal__artifacts_as_far_as_they_got(repo, number, status, tmp_path):
    for number_of_file in range(60):
        repo.write(f"app/more{number_of_file}.py", INJECTION * 40)
    repo.commit("more")
    running = process(repo, "--max-parallel", "1", "--state-dir", str(tmp_path / "state"))
    saved = folder(repo) / "findings"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (saved.exists() and any(saved.glob("*.json"))):
        time.sleep(0.02)
    running.send_signal(number)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == status
    report = findings(repo)
    outcomes = {(row["outcome"], row["reason"]) for row in report["coverage"]}
    assert ("skipped", "cancelled") in outcomes
    assert ("reviewed", "") in outcomes
    assert "run it again to resume" in " ".join(out.split())


def test_signal__ignored_at_start_is_heard_all_the_same(repo, tmp_path):
    for number_of_file in range(60):
        repo.write(f"app/more{number_of_file}.py", INJECTION * 40)
    repo.commit("more")
    running = process(
        repo, "--max-parallel", "1", "--state-dir", str(tmp_path / "state"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    saved = folder(repo) / "findings"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (saved.exists() and any(saved.glob("*.json"))):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert running.returncode == 130


def test_nothing_reviewed__is_red_and_said(repo, capsys):
    repo.git("switch", "--quiet", "main")
    repo.git("switch", "--quiet", "--create", "huge")
    repo.write("bundle.js", "var a='" + "x" * 10_000_000 + "';")
    repo.commit("a single line of 10 MB")
    assert run(["review", str(repo.root), "--base", "main", "--head", "huge"]) == 4
    (row,) = findings(repo)["coverage"]
    assert row["outcome"] == "skipped"
    assert "too large" in row["reason"]
    assert "nothing" in capsys.readouterr().out.lower()


def test_incomplete__fails_only_with_a_gate(repo, capsys):
    repo.write("app/wide.py", "x = '" + "y" * 5_000 + "'\n")
    repo.commit("an overlong line")
    assert review(repo, "--exclude", "app/sql.py") == 0
    assert findings(repo)["coverage"][-1]["outcome"] == "partial"
    assert review(repo, "--exclude", "app/sql.py", "--fail-on", "critical") == 3
    assert review(repo, "--exclude", "app/sql.py", "--fail-on", "critical", "--fail-on-incomplete", "false") == 0
    capsys.readouterr()


def test_empty_diff__is_named_and_green(repo, capsys):
    assert run(["review", str(repo.root), "--base", "work", "--head", "work", "--fail-on", "low"]) == 0
    assert findings(repo)["coverage"] == []
    assert "nothing" in capsys.readouterr().out.lower()


def test_output__is_not_part_of_the_next_review(repo, capsys):
    assert run(["review", str(repo.root), "--base", "main"]) == 0
    first = findings(repo)["coverage"]
    assert run(["review", str(repo.root), "--base", "main"]) == 0
    assert [row["path"] for row in findings(repo)["coverage"]] == [row["path"] for row in first]
    assert repo.git("status", "--porcelain") == ""
    capsys.readouterr()


def test_help_and_offline_review__load_no_model_library(repo):
    code = (
        "import sys; from devpulse.cli import run; "
        f"run(['review', {str(repo.root)!r}, '--base', 'main', '--head', 'work', '--engine', 'offline', '--json']); "
        "heavy = ('langchain_core', 'langchain_google_genai', 'github', 'google', 'genai_prices'); "
        "bad = [name for name in sys.modules if name.split('.')[0] in heavy]; "
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_review__with_a_closed_stream_still_says_how_it_ended(repo, closed):
    number = {"stdout": 1, "stderr": 2}[closed]
    command = [sys.executable, "-m", "devpulse", "review", str(repo.root), "--base", "main", "--head", "work"]
    done = subprocess.run(
        [*command, "--fail-on", "high"], check=False, preexec_fn=lambda: os.close(number), stdin=subprocess.DEVNULL
    )
    assert done.returncode == 1
    assert findings(repo)["risk"] == "critical"
