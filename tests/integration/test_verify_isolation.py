"""The proof of isolation over logs of real runs, honest and forged, and over a run whose children share a history."""

import json
import os
import re

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from harness import run_source
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.cli import run
from devpulse.core.budget import ContextBudget
from devpulse.core.messages import StopReason, Usage
from devpulse.pipeline.conversation import opening as fresh_opening

HELPER = "".join(f"def helper_{n}(value):\n    return value + {n}\n\n\n" for n in range(120))


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("proof") / "repo")
    repo.write("app/helper.py", HELPER)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for name in ("one", "two", "three"):
        repo.write(f"app/{name}.py", f"from app.helper import helper_1\n\n\ndef {name}(x):\n    return helper_1(x)\n")
    repo.commit("head")
    return repo


def wandering(request):
    """A model that looks things up in every way, errs in every way, and ends well."""
    if request.task.endswith(".verify"):
        return reply(call("submit_verdicts", verdicts=[{"id": "F1", "verdict": "confirmed", "reason": "so it is"}]))
    if request.task == "conclude":
        return reply(call("submit_conclusion", overall_risk="high", summary="Three findings."))
    if request.forced_tool:
        return reply(submit())
    path = f"app/{request.task.split('.')[0].removeprefix('app-')}.py"
    return [
        reply(call("read_lines", path="app/helper.py", start_line=1, end_line=60), call("read_lines", path=".git/x")),
        reply(text="It is fine, I think."),
        reply(call("read_lines", path="app/helper.py", start_line=1, end_line=60)),
        reply(text="", stop=StopReason.EMPTY),
        *[reply(call("read_lines", path="app/helper.py", start_line=n, end_line=n + 90)) for n in (100, 190, 280)],
        reply(submit({"nonsense": True}), usage=Usage(1, 10, 0, 5)),
        reply(submit(submitted_finding(start_line=5, end_line=5, evidence="    return helper_1(x)", path=path))),
    ][request.step - 1]


def reviewed(repo, folder, model=wandering, **options):
    with Repository.open(repo.root) as opened:
        return run_source(GitRangeSource(opened, "main", "work"), ScriptedModel(model), folder, **options)


def proof(folder, capsys):
    status = run(["verify-isolation", str(folder)])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


@pytest.fixture
def folder(repo, tmp_path):
    reviewed(repo, tmp_path / "out")
    return tmp_path / "out"


def events(folder):
    return [json.loads(line) for line in (folder / "run_log.jsonl").read_text().splitlines()]


def rewrite(folder, rows):
    (folder / "run_log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_verify_isolation__every_kind_of_step_is_proved(folder, capsys):
    names = {event["event"] for event in events(folder)}
    assert {"request", "reply", "tool_call", "tool_refused", "told", "submitted"} <= names
    status, said = proof(folder, capsys)
    assert (status, said[:16]) == (0, "Isolation holds:"), said
    requests = sum(event["event"] == "request" for event in events(folder))
    assert f" {requests} requests" in said


def test_verify_isolation__summed_up_histories_are_proved(repo, tmp_path, capsys):
    reviewed(repo, tmp_path / "out", budget=ContextBudget(5_000))
    assert "compaction" in {event["event"] for event in events(tmp_path / "out")}
    status, said = proof(tmp_path / "out", capsys)
    assert (status, said[:16]) == (0, "Isolation holds:"), said


def test_verify_isolation__a_message_of_another_child_is_found(folder, capsys):
    rows = events(folder)
    theirs = next(row for row in rows if row["event"] == "tool_call" and row["task"].startswith("app-one"))
    mine = next(
        row for row in rows if row["event"] == "request" and row["task"].startswith("app-two") and row["step"] == 3
    )
    mine["messages"][-1] = theirs["message"]
    rewrite(folder, rows)
    status, said = proof(folder, capsys)
    assert status == 1
    assert f"run_log.jsonl:{rows.index(mine) + 1} (task {mine['task']}, step 3)" in said
    assert f"an answer of a tool of {theirs['task']}" in said


def test_verify_isolation__children_that_share_a_history_are_found(repo, tmp_path, monkeypatch, capsys):
    shared: list[object] = []

    def opening(system, text):
        if not shared:
            shared.extend(fresh_opening(system, text))
        return shared

    monkeypatch.setattr("devpulse.pipeline.child.opening", opening)
    reviewed(repo, tmp_path / "out", lambda _request: reply(submit()), max_parallel=1)
    status, said = proof(tmp_path / "out", capsys)
    assert status == 1
    assert re.search("holds 3 messages, not its system prompt and task|was given the task text", said)


def test_verify_isolation__a_missing_line_is_found(folder, capsys):
    rows = events(folder)
    last = max(n for n, row in enumerate(rows) if row["event"] == "request" and not row["task"].startswith("conclude"))
    rewrite(folder, [*rows[:last], *rows[last + 1 :]])
    assert proof(folder, capsys)[0] == 1


def test_verify_isolation__a_torn_end_is_said_and_left_out(folder, capsys):
    with (folder / "run_log.jsonl").open("a") as log:
        log.write('{"time": "2026-')
    status, said = proof(folder, capsys)
    assert status == 0
    assert "cut off" in said


@pytest.mark.parametrize("line", ["not json", "[]", '{"event": 3}', "[" * 100_000])
def test_verify_isolation__a_line_that_no_run_wrote_is_named(folder, line, capsys):
    with (folder / "run_log.jsonl").open("a") as log:
        log.write(line + "\n")
    status, said = proof(folder, capsys)
    assert status == 1
    assert f"run_log.jsonl:{len((folder / 'run_log.jsonl').read_text().splitlines())}" in said


@pytest.mark.parametrize("text", ["{}", "torn", '{"task": "x", "outcome": {}, "steps": 1}'])
def test_verify_isolation__a_result_that_no_run_wrote_is_named(folder, text, capsys):
    (folder / "findings" / "x.json").write_text(text)
    status, said = proof(folder, capsys)
    assert status == 1
    assert "findings/x.json" in said


def test_verify_isolation__a_result_under_another_name_is_named(folder, capsys):
    result = sorted((folder / "findings").iterdir())[0]
    result.rename(result.with_name("other.json"))
    status, said = proof(folder, capsys)
    assert (status, "other.json is the result of another task" in said) == (1, True)


def summing_up(request):
    """As above, and a summary in words of its own when it is asked for one."""
    return reply(text="Short.", usage=Usage(1, 10, 0, 5)) if not request.tools else wandering(request)


@pytest.fixture
def summed_up(repo, tmp_path):
    folder = tmp_path / "summed"
    reviewed(repo, folder, summing_up, budget=ContextBudget(5_000), model_sums_up=True)
    return folder


def test_verify_isolation__requests_for_summaries_are_proved(summed_up, capsys):
    asked = [row for row in events(summed_up) if row["event"] == "summary_request"]
    assert any(row["about"] for row in asked)
    status, said = proof(summed_up, capsys)
    assert status == 0, said
    assert f"{len(asked)} requests for a summary" in said


def test_verify_isolation__a_summary_of_another_conversation_is_found(summed_up, capsys):
    rows = events(summed_up)
    asked = [row for row in rows if row["event"] == "summary_request" and row["about"]]
    other = next(row for row in asked if row["task"] != asked[0]["task"])
    asked[0]["about"] = other["about"]
    rewrite(summed_up, rows)
    status, said = proof(summed_up, capsys)
    assert (status, "not the oldest of its own conversation" in said) == (1, True), said


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be opened for another reason there")
def test_verify_isolation__a_result_that_cannot_be_read_is_a_usage_error_with_its_cause(folder, capsys):
    (folder / "findings" / "x.json").mkdir()
    status, said = proof(folder, capsys)
    assert status == 2
    assert re.search(r"x\.json'? cannot be read: Is a directory", said), said


def test_verify_isolation__no_log_is_a_usage_error(tmp_path, capsys):
    assert proof(tmp_path, capsys)[0] == 2
    (tmp_path / "run_log.jsonl").write_text("")
    status, said = proof(tmp_path, capsys)
    assert (status, said) == (0, "Nothing to prove: the log holds no request.\n")
