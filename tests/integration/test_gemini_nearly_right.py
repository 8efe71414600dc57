"""Answers that are nearly right, over the real client: valid parts are kept, one re-ask carries the error."""

import json

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from repos import Repo

from devpulse.cli import run

SINK = "return db.execute('select * from users where name = ' + request.args['name'])"
CODE = f"from flask import request\n\n\ndef lookup(db):\n    {SINK}\n"
GOOD = {
    "category": "sql-injection", "severity": "critical", "confidence": "high", "start_line": 5, "end_line": 5,
    "title": "SQL injection", "description": "Joined text.", "fix": "Bind it.", "evidence": SINK,
}  # fmt: skip


def review_with(*findings, **others):
    return Call(
        "submit_review",
        {"findings": list(findings), "dismissed_leads": [], "overall_risk": "none", "summary": "s", **others},
    )


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("a.py", CODE)
    repo.commit("head")
    return repo


@pytest.fixture
def review(repo, monkeypatch, capsys):
    """Reviews with the answers one after the other; gives the report and the requests."""

    def go(*answers, **flags):
        queue = iter(answers)
        with FakeGemini(lambda _request: next(queue)) as fake:
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
            monkeypatch.setenv("GEMINI_API_KEY", "AIza" + "x" * 35)
            arguments = [word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", str(value))]
            command = ["review", str(repo.root), "--base", "main", "--head", "work", "--no-verify", *arguments]
            assert run(command) == 0
            capsys.readouterr()
            report = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())
            return report, fake.requests

    return go


def places(report):
    return [(f["path"], f["start_line"], f["status"]) for f in report["findings"]]


STANDS = [("a.py", 5, "open")]


@pytest.mark.parametrize(
    "item",
    [
        {**GOOD, "start_line": "5", "end_line": "5"},
        {**GOOD, "severity": "Critical", "category": "SQL Injection"},
        {**GOOD, "start_line": 900, "end_line": 901},
        {**GOOD, "evidence": f"  {SINK}   "},
        {**GOOD, "path": "a.py", "surprise": [1, 2]},
    ],
)
def test_one_answer_is_enough_when_only_the_form_is_odd(review, item):
    report, requests = review(replies.calls(review_with(item)))
    assert places(report) == STANDS
    assert len(requests) == 1


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({**GOOD, "category": "bad-vibes"}, "must be one of"),
        ({**GOOD, "start_line": 0}, "greater than or equal to 1"),
        ({**GOOD, "path": "other.py"}, "only the file under review"),
        ("not even an object", "findings[1]"),
    ],
)
def test_one_bad_item_costs_only_itself_and_is_asked_for_once(review, bad, named):
    report, requests = review(replies.calls(review_with(GOOD, bad)), replies.calls(review_with()))
    assert places(report) == STANDS
    assert report["coverage"][0]["outcome"] == "reviewed"
    assert len(requests) == 2
    assert named in requests[1].tool_results()[0][1]


def test_bad_again__what_was_valid_is_kept_and_the_rest_recorded(review):
    bad = {**GOOD, "severity": "apocalyptic"}
    report, requests = review(replies.calls(review_with(GOOD, bad)), replies.calls(review_with(bad)))
    assert places(report) == STANDS
    assert report["coverage"][0]["outcome"] == "partial"
    assert "invalid" in report["coverage"][0]["reason"]
    assert len(requests) == 2


def test_several_calls_at_once__all_answered_in_order(review):
    both = replies.calls(
        Call("search_codebase", {"query": "lookup"}),
        Call("read_lines", {"path": "a.py", "start_line": "1", "end_line": 2}),
    )
    report, requests = review(both, replies.calls(review_with(GOOD)))
    assert places(report) == STANDS
    assert [name for name, _ in requests[1].tool_results()] == ["search_codebase", "read_lines"]
    assert "from flask import request" in requests[1].tool_results()[1][1]


def test_unknown_tool_and_wrong_arguments__an_answer_to_act_on(review):
    wrong = replies.calls(Call("run_shell", {"cmd": "id"}), Call("read_lines", {"path": 7}))
    report, requests = review(wrong, replies.calls(review_with(GOOD)))
    assert places(report) == STANDS
    texts = [text for _, text in requests[1].tool_results()]
    assert "unknown tool" in texts[0]
    assert "path must be a string" in texts[1]


def test_gate__denials_reach_the_model_and_nothing_else(review, repo):
    (repo.root / ".env").write_text("TOKEN=outside\n")
    wanted = ["../../etc/passwd", "/etc/passwd", ".git/config", ".env", "missing.py"]
    calls = [Call("read_lines", {"path": path, "start_line": 1, "end_line": 9}) for path in wanted]
    _, requests = review(replies.calls(*calls), replies.calls(review_with()))
    assert all(text.startswith("DENIED: ") for _, text in requests[1].tool_results())


def test_last_step__submission_is_forced_and_a_withdrawn_tool_ends_as_step_limit(review):
    look = replies.calls(Call("search_codebase", {"query": "lookup"}))
    report, requests = review(look, look, look, max_steps=3)
    assert [request.forced_tool() for request in requests] == [None, None, "submit_review"]
    assert report["coverage"][0]["reason"] == "step limit"
    assert [f["source"] for f in report["findings"]] == ["rule"], "the lead stays"


def test_leads__are_offered_as_unverified_and_can_be_confirmed_by_id(review):
    report, requests = review(replies.calls(review_with({**GOOD, "lead": "L1"})))
    assert "Leads (unverified):" in requests[0].text()
    (finding,) = report["findings"]
    assert (finding["source"], finding["rule_id"]) == ("model", "sql-injection")
    assert finding["trace"]["sink"]["line"] == 5
