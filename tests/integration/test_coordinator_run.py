"""Runs of three hundred files: the coordinator's history is compacted on the way, and no decision is lost."""

from __future__ import annotations

import json
import re

from builders import ScriptedModel, call, make_change, reply, submit, submitted_finding, trees_of
from harness import FENCE_KEY, run_source

from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet, FileStatus
from devpulse.core.coordinator_history import COORDINATOR_TOKENS
from devpulse.core.fence import Fence
from devpulse.core.history import request_tokens
from devpulse.core.messages import Usage
from devpulse.core.review import Reviewed

FILES = 300
PATHS = [f"src/part_{number:03}.py" for number in range(FILES)]
SINK = 'db.run("select " + name)'


class ManyFiles:
    """A ``ChangeSource`` of tiny new files."""

    def __init__(self) -> None:
        self._changes = [make_change(path, f"+import db\n+{SINK}\n", status=FileStatus.ADDED) for path in PATHS]
        self._base, self._head = trees_of(*self._changes)

    def load(self):
        return ChangeSet(None, tuple(self._changes), "test", "made by hand")

    def head(self):
        return self._head

    def base(self):
        return self._base


def level(number):
    return "high" if number % 3 == 0 else "none"


DENIED_IN = 7
SMALL = ContextBudget(8_000)
DECISIONS = {f"DECISION: {path} -> {level(number)}" for number, path in enumerate(PATHS)}


def respond(request):
    if not request.tools:
        return reply(text="Every third file joins a name into a query.", usage=Usage(1, 900, 0, 20))
    if request.task == "conclude":
        return reply(call("submit_conclusion", overall_risk="high", summary="One mistake, many files."))
    number = int(re.findall(r"part_(\d+)\.py", request.messages[1].text)[0])
    if number == DENIED_IN and request.step == 1:
        return reply(call("get_file_diff", path=".env"))
    found = [submitted_finding(severity="high", start_line=2, end_line=2, evidence=SINK)]
    return reply(submit(*found * (level(number) == "high")))


def review(folder, **options):
    model = ScriptedModel(respond)
    run = run_source(ManyFiles(), model, folder, verify=False, **options)
    rows = [json.loads(line) for line in run.artifact("run_log.jsonl").splitlines()]
    (asked,) = (request for request in model.requests if request.task == "conclude")
    (told,) = Fence(FENCE_KEY).blocks("decisions", asked.messages[1].text)
    compactions = [row for row in rows if row["event"] == "compaction" and row["task"] == "coordinator"]
    assert [row.outcome for row in run.result.report.coverage] == [Reviewed()] * FILES
    assert run.result.report.summary.endswith("One mistake, many files.")
    return run, model, compactions, told.split("\n"), asked


def test_run__three_hundred_files_compact_the_coordinator_and_keep_every_decision(tmp_path):
    run, model, compactions, told, asked = review(tmp_path / "out")
    assert compactions
    for row in compactions:
        assert row["before"] > COORDINATOR_TOKENS >= row["after"]
        assert row["turns"] > 20
        assert row["spilled"] == 0
    assert {line for line in told if line.startswith("DECISION")} == DECISIONS
    (denial,) = (line for line in told if line.startswith("DENIED: "))
    results = [json.loads(path.read_text()) for path in (run.folder / "findings").iterdir()]
    assert [(result["path"], result["denials"]) for result in results if result["denials"]] == [(PATHS[7], [denial])]
    assert not [request for request in model.requests if not request.tools]
    assert len([line for line in told if line.startswith("[saved: findings/")]) < FILES / 2
    assert request_tokens(asked.messages) < 25_600
    assert not (run.folder / "decisions.md").exists()
    assert len(run.result.report.findings) == FILES / 3


def test_run__decisions_without_room_are_in_the_file_that_the_conclusion_names(tmp_path):
    run, _, compactions, told, _ = review(tmp_path / "out", budget=SMALL)
    saved = run.artifact("decisions.md").splitlines()
    inline = [line for line in told if line.startswith("DECISION")]
    assert sum(row["spilled"] for row in compactions) == len(saved) > 0
    decided = [line for line in saved if line.startswith("DECISION")]
    assert sorted([*decided, *inline]) == sorted(DECISIONS)
    assert any(line.startswith("DENIED: ") for line in [*saved, *told])
    (named,) = (line for line in told if line.startswith("[saved: decisions.md]"))
    highs = sum(line.endswith("high") for line in decided)
    assert f"] {len(saved)} of these, word for word: {highs} decided high, {len(decided) - highs} decided none" in named


def test_run__a_model_words_the_chatter_when_it_is_asked_to(tmp_path):
    run, model, compactions, told, _ = review(tmp_path / "out", model_sums_up=True)
    asked = [request for request in model.requests if not request.tools]
    assert len(asked) == len(compactions) > 0
    assert "In short: Every third file joins a name into a query." in told
    assert {line for line in told if line.startswith("DECISION")} == DECISIONS
    assert run.result.report.usage == Usage(len(asked), 900 * len(asked), 0, 20 * len(asked))
