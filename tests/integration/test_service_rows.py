"""Every way a service fails or lies, through the whole program over HTTP: coverage row, findings, exit status."""

from __future__ import annotations

import functools
import json
import socket

import pytest
from fakes import gemini_replies as say
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from fakes.github import FakeGitHub
from marking import finding
from repos import Repo
from runner import KEY, Runner

from devpulse.adapters.gemini import config
from devpulse.adapters.gemini.config import GeminiConfig
from devpulse.cli import run

CODE = "def go(target):\n    return leave(target)\n"
RULES_ONLY = "model unavailable, rules only"
HONEST = {"findings": [], "dismissed_leads": [], "overall_risk": "none", "summary": "ok"}
FOUND = {**finding("RIGHT", 2, "    return leave(target)"), "severity": "medium"}
PASSING = [408, 409, 429, 500, 502, 503, 504]
EVERY = [400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504]


@pytest.fixture(autouse=True)
def no_waits(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("a.py", CODE)
    repo.commit("head")
    return repo


def review(repo, monkeypatch, url, *flags):
    """The exit status, the row of the only file, and its findings."""
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    status = run(["review", str(repo.root), "--base", "main", "--head", "work", "--fail-on", "high", *flags])
    file = repo.root / "devpulse-artifacts" / "findings.json"
    report = json.loads(file.read_text())
    (row,) = report["coverage"]
    return status, row, report["findings"]


def reviewed_by(repo, monkeypatch, respond, *flags):
    with FakeGemini(respond) as fake:
        return (*review(repo, monkeypatch, fake.url, *flags), len(fake.wire))


@pytest.mark.parametrize(
    ("status", "asked"),
    [*((status, {}) for status in PASSING), (429, {"retry_info": "2s"}), (503, {"retry_after": "3"})],
)
def test_gemini__passing_status(repo, monkeypatch, status, asked):
    ended, row, _, requests = reviewed_by(repo, monkeypatch, lambda _r: say.http_error(status, **asked))
    assert (ended, row["outcome"], row["reason"]) == (3, "partial", RULES_ONLY)
    assert requests == 4, "one layer tries again, and no conclusion is asked for"


@pytest.mark.parametrize("asked", [{"retry_after": "4000"}, {"retry_info": "4000s"}], ids=str)
def test_gemini__asked_to_wait_too_long(repo, monkeypatch, asked):
    flags = ("--engine", "gemini")
    ended, row, _, requests = reviewed_by(repo, monkeypatch, lambda _r: say.http_error(429, **asked), *flags)
    assert (ended, row["outcome"], requests) == (4, "failed", 1)
    assert "it asks to wait 4000 s" in row["reason"]


@pytest.mark.parametrize("status", [400, 422, 501])
def test_gemini__lasting_status(repo, monkeypatch, status):
    ended, row, _, requests = reviewed_by(repo, monkeypatch, lambda _r: say.http_error(status))
    assert (ended, row["outcome"], requests) == (4, "failed", 1)
    assert str(status) in row["reason"]


@pytest.mark.parametrize("fault", ["refused", "reset", "cut", "silent", "trickle"])
def test_gemini__no_answer(repo, monkeypatch, fault):
    monkeypatch.setattr(config, "GeminiConfig", functools.partial(GeminiConfig, timeout_seconds=0.2))
    replies = {"reset": say.reset(), "cut": say.cut_connection(), "silent": say.slow(5.0), "trickle": say.trickle()}
    if fault == "refused":
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        ended, row, _ = review(repo, monkeypatch, url)
    else:
        ended, row, _, requests = reviewed_by(repo, monkeypatch, lambda _r: replies[fault])
        assert requests == 4
    assert (ended, row["outcome"], row["reason"]) == (3, "partial", RULES_ONLY)


def submitted(*findings, **more):
    return say.calls(Call("submit_review", {**HONEST, "findings": list(findings), **more}))


def lying(first, *then):
    """Answers a review with ``first``, then with each of ``then``, the last for ever; confirms and concludes."""

    def respond(request):
        if "submit_verdicts" in request.declared():
            return say.calls(Call("submit_verdicts", {"verdicts": [{"id": "F1", "verdict": "unsure", "reason": "?"}]}))
        if "submit_conclusion" in request.declared():
            return say.calls(Call("submit_conclusion", {"overall_risk": "low", "summary": "x"}))
        asked.append(request)
        return answers[min(len(asked), len(answers)) - 1]

    asked: list[object] = []
    answers = (first, *then)
    return respond


BAD = {
    "wrong types": {**FOUND, "start_line": "two", "evidence": 7},
    "wrong word": {**FOUND, "severity": "apocalyptic"},
    "another file": {**FOUND, "path": "b.py"},
    "no object": "a finding",
}


@pytest.mark.parametrize("bad", BAD)
def test_gemini__an_invalid_item_is_asked_for_again_and_costs_only_itself(repo, monkeypatch, bad):
    wrong = submitted(FOUND, BAD[bad])
    ended, row, found, _ = reviewed_by(repo, monkeypatch, lying(wrong))
    assert (ended, row["outcome"], len(found)) == (3, "partial", 1)
    assert "invalid parts of the answer were dropped" in row["reason"]
    ended, row, found, _ = reviewed_by(repo, monkeypatch, lying(wrong, submitted()), "--fresh")
    assert (ended, row["outcome"], [f["start_line"] for f in found]) == (0, "reviewed", [2])


@pytest.mark.parametrize(
    ("items", "places"),
    [
        ([FOUND, FOUND], [("open", 2)]),
        ([{**FOUND, "start_line": 10**9, "end_line": 10**9}], [("open", 2)]),
        ([{**FOUND, "evidence": "nothing like it", "start_line": 10**9, "end_line": 10**9}], [("unanchored", 10**9)]),
    ],
    ids=["twice", "out of range, real code", "out of range, no code"],
)
def test_gemini__doubled_and_out_of_range(repo, monkeypatch, items, places):
    ended, row, found, _ = reviewed_by(repo, monkeypatch, lying(submitted(*items)))
    assert (ended, row["outcome"], [(f["status"], f["start_line"]) for f in found]) == (0, "reviewed", places)


def test_gemini__a_form_in_prose(repo, monkeypatch):
    prose = say.text(f"Sure!\n```json\n{json.dumps({**HONEST, 'findings': [FOUND]})}\n```\n")
    ended, row, found, _ = reviewed_by(repo, monkeypatch, lying(prose))
    assert (ended, row["outcome"], len(found)) == (0, "reviewed", 1)


def test_gemini__tools_called_after_they_were_withdrawn(repo, monkeypatch):
    call = say.calls(Call("search_codebase", {"query": "leave"}))
    ended, row, _, requests = reviewed_by(repo, monkeypatch, lying(call), "--max-steps", "3")
    assert (ended, row["outcome"], row["reason"]) == (3, "partial", "step limit")
    assert requests == 3


def test_gemini__context_overflow(repo, monkeypatch):
    reply = say.http_error(400, "The input token count (9) exceeds the maximum number of tokens allowed (8).")
    ended, row, _, requests = reviewed_by(repo, monkeypatch, lambda _r: reply)
    assert (ended, row["outcome"], "context budget" in row["reason"]) == (3, "partial", True)
    assert requests < 40


@pytest.mark.parametrize("status", EVERY)
def test_github__cannot_be_read(repo, tmp_path, monkeypatch, capsys, status):
    with FakeGitHub(repo) as hub:
        hub.faults.fail("GET .*/pulls/7", status, message="no", times=None)
        ended = acted(hub, repo, tmp_path, monkeypatch)
    said = capsys.readouterr()
    assert ended == 2
    assert "error: " in said.err
    assert "hint: " in said.err
    assert "Traceback" not in said.out + said.err
    attempts = {**dict.fromkeys((408, 409, 500, 502, 503, 504), 4), 429: 2}  # after a minute there is no patience left
    assert len(hub.calls("GET .*/pulls/7")) == attempts.get(status, 1), "one layer tries again"


@pytest.mark.parametrize(
    "status", [pytest.param(status, marks=pytest.mark.slow) if status == 429 else status for status in EVERY]
)  # a secondary limit that names no time is waited out for a real minute
def test_github__takes_no_comment(repo, tmp_path, monkeypatch, capsys, status):
    """What was found is in artifacts and annotations, and the status is that of the gate."""
    repo.write("a.py", "from flask import request\n\n\ndef f():\n    return open('/srv/' + request.args['f']).read()\n")
    repo.commit("now with a hole")
    with FakeGitHub(repo) as hub:
        hub.faults.fail("POST .*/(reviews|comments)", status, message="no", times=None)
        ended = acted(hub, repo, tmp_path, monkeypatch, **{"fail-on": "medium"})
        assert (hub.threads, hub.comments) == ([], [])
    said = capsys.readouterr()
    record = json.loads((repo.root / "devpulse-artifacts" / "comments.json").read_text())
    assert ended == 1, said.err
    assert [each["path"] for each in record["unplaced"]] == ["a.py"]
    assert record["denied"] or record["failed"]
    assert "file=a.py,line=5" in said.out
    assert len(hub.calls("POST .*/reviews")) <= 2, "a write is sent again once, after a look"


def acted(hub, repo, tmp_path, monkeypatch, **inputs):
    runner = Runner(tmp_path / "runner", repo.root)
    for name, value in runner.environment(hub, hub.event(), inputs=inputs).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.root)
    return run(["action"])
