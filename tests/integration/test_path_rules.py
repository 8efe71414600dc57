"""``paths`` of ``.devpulse.yml`` in whole runs: report, gate, prompts and stored work."""

import json

import pytest
from fakes.gemini import FakeGemini
from marking import marks
from repos import Repo

from devpulse.cli import run

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
PLACES = ("services/pay/sql.py", "services/web/sql.py", "tools/sql.py")


def made(folder, config):
    """A change that brings the same weakness to three places; the configuration is in the base."""
    repo = Repo(folder)
    repo.write(".devpulse.yml", config)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for path in PLACES:
        repo.write(path, INJECTION)
    repo.commit("head")
    return repo


def report_of(repo):
    return json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())


def statuses(repo):
    return {f["path"]: (f["severity"], f["status"], f["reason"]) for f in report_of(repo)["findings"]}


def review(repo, *arguments):
    return run(["review", str(repo.root), "--base", "main", "--head", "work", *arguments])


CONFIG = """
fail-on: high
paths:
  - path: services/
    min-severity: high
    severity-overrides: {sql-injection: medium}
  - path: services/pay/
    severity-overrides: {sql-injection: critical}
  - path: tools/
    ignore: [{category: sql-injection, reason: "run by hand, on a copy"}]
"""


def test_paths__decide_what_is_reported_and_what_the_gate_counts(tmp_path, capsys):
    repo = made(tmp_path / "repo", CONFIG)
    assert review(repo) == 1
    assert statuses(repo) == {
        "services/pay/sql.py": ("critical", "open", ""),
        "services/web/sql.py": ("medium", "below-threshold", "severity medium is below high"),
        "tools/sql.py": ("critical", "suppressed", "run by hand, on a copy"),
    }
    capsys.readouterr()


def test_paths__without_anything_left_to_count_the_gate_lets_it_pass(tmp_path, capsys):
    repo = made(tmp_path / "repo", CONFIG.replace("critical", "low"))
    assert review(repo) == 0
    assert {status for _, status, _ in statuses(repo).values()} == {"below-threshold", "suppressed"}
    assert report_of(repo)["risk"] == "none"
    capsys.readouterr()


def test_paths__a_change_cannot_bring_its_own(tmp_path, capsys):
    repo = made(tmp_path / "repo", "fail-on: high\n")
    repo.write(".devpulse.yml", CONFIG.replace("critical", "low"))
    repo.commit("excuse")
    assert review(repo) == 1
    assert {status for _, status, _ in statuses(repo).values()} == {"open"}
    capsys.readouterr()


def test_paths__a_bad_value_ends_the_run_and_is_named(tmp_path, capsys):
    repo = made(tmp_path / "repo", "paths:\n  - path: services/\n    min-severity: hihg\n")
    assert review(repo) == 2
    err = capsys.readouterr().err
    assert 'error: .devpulse.yml line 1: paths item 1: min-severity is "hihg"; allowed: low, medium, high' in err
    assert 'Did you mean "high"?' in err


def test_paths__hold_in_a_scan_of_a_folder(tmp_path, capsys):
    (tmp_path / ".devpulse.yml").write_text(CONFIG)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "sql.py").write_text(INJECTION)
    assert run(["scan", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "devpulse-artifacts" / "findings.json").read_text())
    assert [(f["path"], f["status"]) for f in report["findings"]] == [("tools/sql.py", "suppressed")]
    capsys.readouterr()


NOTES = """
instructions: Names are public.
paths:
  - {path: services/pay/, instructions: Amounts are in cents.}
"""


@pytest.fixture
def asked(monkeypatch):
    """The engine behind HTTP; gives what it was sent."""
    with FakeGemini(marks) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        yield lambda: [(request.system(), request.text()) for request in fake.requests]


def reviewed(asked, since=0):
    """By path, the notes in the system prompt of each review that was asked for."""
    found = {}
    for system, text in asked()[since:]:
        path = next((path for path in PLACES if path in text.partition("\n@@")[0]), None)
        if path is not None and "Project notes" in system:
            found[path] = system.rpartition("\n")[2]
    return found


def test_paths__instructions_go_into_the_prompts_of_their_files_and_into_the_key_of_stored_work(
    asked, tmp_path, capsys
):
    repo = made(tmp_path / "repo", NOTES)
    assert review(repo) == 0
    assert reviewed(asked) == {
        "services/pay/sql.py": "Amounts are in cents.",
        "services/web/sql.py": "Names are public.",
        "tools/sql.py": "Names are public.",
    }
    repo.git("switch", "--quiet", "main")
    repo.write(".devpulse.yml", NOTES.replace("cents", "euros"))
    repo.commit("other notes")
    repo.git("switch", "--quiet", "work")
    repo.git("rebase", "--quiet", "main")
    before = len(asked())
    assert review(repo) == 0
    assert reviewed(asked, before) == {"services/pay/sql.py": "Amounts are in euros."}
    capsys.readouterr()
