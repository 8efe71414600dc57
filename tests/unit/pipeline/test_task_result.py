"""A task's result as a file."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from builders import make_finding

from devpulse.core.finding import Step, Trace
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.pipeline.task_result import TaskResult, artifact_name, dump, outcome_from_json, outcome_to_json

RESULT = TaskResult(
    "db-1", "app/db.py", Reviewed(), (make_finding(),), "One finding.", Usage(1, 2, 3, 4, 5), context_tokens=9, steps=2
)


@pytest.mark.parametrize(
    "result",
    [
        RESULT,
        replace(RESULT, findings=(), outcome=Failed("x"), summary=""),
        replace(RESULT, usage=Usage(1, 2, 3, 4, 5, Decimal("0.000123456789")), window=9, largest_request=5, splits=2),
        replace(RESULT, usage=Usage(), compactions=3, denials=("DENIED: x",)),
        replace(RESULT, path="caf\udce9\n.py", findings=(make_finding(path="caf\udce9\n.py"),)),
        replace(RESULT, findings=(make_finding(trace=Trace(Step("a", 1, ""), (), Step("b", 2, ""))),)),
    ],
)
def test_task_result__survives_the_file(result):
    text = dump(result.to_json())
    text.encode("ascii")
    assert text.endswith("}\n")
    assert TaskResult.from_json(json.loads(text)) == result


def test_to_json__says_what_it_is_and_how_bad():
    document = RESULT.to_json()
    assert (document["schema"], document["overall_risk"]) == ("devpulse.task/1", "high")
    assert document["outcome"] == {"kind": "reviewed", "reason": ""}


def test_to_json__the_usage_report_has_tokens_money_and_shares():
    used = replace(RESULT, window=32_000, largest_request=13_001, splits=1, compactions=2)
    assert used.to_json()["usage"] == {
        "requests": 1, "input_tokens": 2, "cached_tokens": 3, "output_tokens": 4, "thinking_tokens": 5,
        "cost_usd": None, "context_tokens": 9, "window": 32_000, "largest_request": 13_001,
        "largest_request_percent": 41, "compactions": 2, "splits": 1, "steps": 2,
    }  # fmt: skip
    assert replace(RESULT, usage=Usage()).to_json()["usage"]["cost_usd"] == 0.0


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "devpulse.task/2"}, {"outcome": "reviewed"}, {"outcome": {"kind": "fine", "reason": ""}},
        {"findings": 3}, {"findings": [{}]}, {"usage": {"x": 1}}, {"usage": None},
        {"usage": {**RESULT.to_json()["usage"], "cost_usd": "0.1"}},
        {"usage": {**RESULT.to_json()["usage"], "cost_usd": float("nan")}},
    ],
)  # fmt: skip
def test_from_json__refuses_other_documents(change):
    with pytest.raises((KeyError, TypeError, ValueError)):
        TaskResult.from_json({**RESULT.to_json(), **change})


@pytest.mark.parametrize("name", ["schema", "task", "path", "outcome", "findings", "summary", "usage", "model"])
def test_from_json__refuses_an_incomplete_document(name):
    document = RESULT.to_json()
    del document[name]
    with pytest.raises(KeyError):
        TaskResult.from_json(document)


@pytest.mark.parametrize(
    "outcome", [Reviewed("reused"), Partial("x"), Failed("y"), Skipped("z"), Skipped("late", SkipKind.LIMIT)]
)
def test_outcome__survives(outcome):
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(outcome)))) == outcome


def test_artifact_name():
    assert artifact_name("db-1") == "findings/db-1.json"
