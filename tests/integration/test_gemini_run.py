"""Whole runs with the real client over HTTP: exact lines, isolation, contract, key, and how each failure ends."""

import json
import os
import re
import subprocess
import sys

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from marking import block, marks
from odd_change import FOUND_BY_RULES, expected_places, odd_repo
from repos import Repo

from devpulse.cli import run
from devpulse.output.paths import display_path

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)


def curious(request):
    """Marks what it is shown, after it has looked something up for one of the files."""
    if "TOKEN-plain" in request.text() and not request.tool_results() and "submit_review" in request.declared():
        return replies.calls(Call("search_codebase", {"query": "filler"}), Call("read_lines", {"path": ".env"}))
    return marks(request)


@pytest.fixture
def gemini(monkeypatch):
    """Points the program at a fake; gives a function that starts it with a behaviour."""
    started = []

    def start(respond, **options):
        fake = FakeGemini(respond, **options).__enter__()
        started.append(fake)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        return fake

    yield start
    for fake in started:
        fake.__exit__(None, None, None)


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("a.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("a.py", INJECTION)
    repo.commit("head")
    return repo


def review(repo, *arguments):
    return run(["review", str(repo.root), "--base", "main", "--head", "work", *arguments])


def report(repo):
    return json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())


def test_odd_change__every_finding_on_its_exact_line_none_elsewhere(tmp_path, gemini, capsys):
    repo = odd_repo(tmp_path / "repo")
    fake = gemini(curious, signatures=True)
    assert review(repo, "--min-confidence", "low", "--show-requests", str(tmp_path / "sent")) == 0
    found = report(repo)
    real = [f for f in found["findings"] if f["source"] == "model"]
    assert sorted((f["path"], f["side"], f["start_line"]) for f in real) == sorted(
        (display_path(path), side, line)
        for path, side, line in expected_places(repo)
        if (path, side, line) not in FOUND_BY_RULES
    )
    assert all(row["outcome"] in ("reviewed", "skipped") for row in found["coverage"])
    owners: dict[str, set[str]] = {}
    for request in fake.requests:
        if "submit_conclusion" in request.declared():
            assert "TOKEN" not in json.dumps(request.body)
            continue
        path = json.loads(block(request, "file"))["path"]
        for token in re.findall(r"TOKEN-\w+", json.dumps(request.body)):
            owners.setdefault(token, set()).add(path)
    assert len(owners) > 10
    assert all(len(paths) == 1 for paths in owners.values())
    assert found["usage"]["requests"] == len(fake.requests)
    assert found["engine"] == "gemini"
    sent = list((tmp_path / "sent").iterdir())
    assert len(sent) == len(fake.requests)
    assert {json.dumps(json.loads(path.read_text()), sort_keys=True) for path in sent} == {
        json.dumps(request.body, sort_keys=True) for request in fake.requests
    }
    printed = capsys.readouterr()
    everything = [printed.out, printed.err, *(p.read_text() for p in sent)]
    everything += [p.read_text() for p in (repo.root / "devpulse-artifacts").rglob("*") if p.is_file()]
    assert not any(KEY in text for text in everything)


FAULTS = {
    "truncated": (lambda _r: replies.truncated("I have fou"), 0, "partial", "cut off"),
    "thoughts only": (lambda _r: replies.truncated(), 0, "partial", "cut off"),
    "blocked prompt": (lambda _r: replies.blocked_prompt(), 0, "partial", "blocked"),
    "blocked answer": (lambda _r: replies.blocked_answer(), 0, "partial", "blocked"),
    "recitation": (lambda _r: replies.recitation(), 0, "partial", "recitation"),
    "malformed call": (lambda _r: replies.malformed_call(), 0, "partial", "malformed"),
    "empty": (lambda _r: replies.empty(), 0, "partial", "empty"),
    "no candidates": (lambda _r: replies.no_candidates(), 0, "partial", "empty"),
    "prose only": (lambda _r: replies.text("All fine!"), 0, "partial", "step limit"),
    "endless calls": (lambda _r: replies.calls(Call("search_codebase", {"query": "x"})), 0, "partial", "step limit"),
    "unknown tool": (lambda _r: replies.calls(Call("run_shell", {"cmd": "id"})), 0, "partial", "step limit"),
    "20 MB": (lambda _r: replies.huge(20_000_000), 4, "failed", "model failed"),
    "cut": (lambda _r: replies.cut_connection(), 0, "partial", "model unavailable"),
    "400": (lambda _r: replies.http_error(400, message="odd field"), 4, "failed", "model failed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault__is_named_and_never_clean(repo, gemini, capsys, monkeypatch, fault):
    respond, status, outcome, reason = FAULTS[fault]
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    gemini(respond)
    assert review(repo) == status
    (row,) = report(repo)["coverage"]
    assert (row["outcome"], reason in row["reason"]) == (outcome, True), row
    assert [f["category"] for f in report(repo)["findings"]] == ["sql-injection"], "the rules' lead is kept"
    assert "a.py" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "message", "remedy"),
    [
        (400, "API key not valid. Please pass a valid API key.", "key"),
        (401, "no", "key"),
        (403, "denied", ""),
        (404, "models/x is not found", "model"),
    ],
)
def test_misconfigured__exit_2_with_a_remedy_after_one_request(repo, gemini, capsys, status, message, remedy):
    fake = gemini(lambda _r: replies.http_error(status, message=message))
    assert review(repo) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "hint: " in error
    assert remedy in error
    assert len(fake.requests) == 1


def test_unavailable__auto_falls_back_gemini_does_not(repo, gemini, capsys, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    gemini(lambda _r: replies.http_error(503))
    assert review(repo) == 0
    assert report(repo)["coverage"][0]["reason"] == "model unavailable, rules only"
    assert [f["status"] for f in report(repo)["findings"]] == ["open"]
    assert "not available" in capsys.readouterr().out
    assert review(repo, "--fail-on", "critical") == 1
    assert review(repo, "--fail-on", "critical", "--exclude", "a.py") == 0
    assert review(repo, "--engine", "gemini") == 4
    assert report(repo)["coverage"][0]["outcome"] == "failed"
    capsys.readouterr()


def test_engine__without_a_key(repo, capsys):
    assert review(repo, "--engine", "gemini") == 2
    assert "GEMINI_API_KEY" in capsys.readouterr().err
    assert review(repo) == 0
    assert report(repo)["engine"] == "offline"


def test_engine__offline_with_a_key_asks_nobody(repo, gemini, capsys):
    fake = gemini(curious)
    assert review(repo, "--engine", "offline") == 0
    assert fake.requests == []
    capsys.readouterr()


def test_key__in_the_code_under_review_is_masked_like_any_secret(repo, gemini, capsys):
    repo.write("a.py", INJECTION + f"\n# {KEY}\n")
    repo.commit("somebody pasted the key")
    fake = gemini(curious)
    review(repo)
    assert KEY not in "".join(json.dumps(request.body) for request in fake.requests)
    capsys.readouterr()


def test_start__offline_never_imports_the_library(repo, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nfrom devpulse.cli import run\n"
        f"run(['review', {str(repo.root)!r}, '--base', 'main', '--head', 'work', '--engine', 'offline'])\n"
        "sys.exit(str([name for name in sys.modules if name.startswith(('langchain', 'google'))]) or 0)\n"
    )
    environment = {**os.environ, "GEMINI_API_KEY": KEY}
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, env=environment)
    assert done.stderr.strip() == "[]"
