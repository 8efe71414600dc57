"""The comparison file and its schema."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from builders import make_finding
from comparisons import make_arm, make_comparison
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from report_strategies import hostile_text

from devpulse.core.comparison import AFTER, BEFORE, Ablation, ComparedTask
from devpulse.core.messages import Usage
from devpulse.output.characters import is_hidden
from devpulse.output.compare_v1 import SCHEMA_NAME, compare_schema, render_compare, render_compare_schema

SCHEMA_FILE = Path(__file__).parents[3] / "src" / "devpulse" / "output" / "schemas" / "compare-v1.schema.json"
VALIDATOR = Draft202012Validator(compare_schema())


def document_of(comparison):
    document = json.loads(render_compare(comparison))
    VALIDATOR.validate(document)
    return document


def test_committed_schema__is_in_step_with_the_models_and_valid():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == render_compare_schema()
    Draft202012Validator.check_schema(compare_schema())


def test_render_compare__figures_of_both_arms_and_of_each_task():
    document = document_of(make_comparison())
    assert document["schema"] == SCHEMA_NAME
    assert (document["before"]["input_tokens"], document["after"]["input_tokens"]) == (10_000, 2_000)
    assert (document["saved_tokens"], document["saved_percent"]) == (8_000, 80.0)
    assert document["before"]["contexts"] == [1_000, 9_000]
    assert document["tasks"][1] == {
        "task": "b-2", "path": "app/b.py", "part": "1 of 2", "before_tokens": 9_000, "after_tokens": 1_000,
        "before_first_request": 9_000, "after_first_request": 1_000,
    }  # fmt: skip


def test_render_compare__reported_use_and_its_cost_stand_beside_the_estimates():
    arm = make_arm(AFTER, [("a-1", 10)], reported=Usage(1, 12, 2, 3, 1))
    document = document_of(make_comparison(after=arm))
    assert document["after"]["reported"] == {
        "requests": 1, "input_tokens": 12, "cached_tokens": 2, "output_tokens": 3, "thinking_tokens": 1,
    }  # fmt: skip
    assert document["after"]["cost_usd"] is None
    assert document["before"]["cost_usd"] == 0


def saving(*uses):
    arms = [make_arm(n, [("a-1", 10)], reported=use) for n, use in zip((BEFORE, AFTER), uses, strict=True)]
    document = document_of(make_comparison(*arms))
    return document["saved_reported_percent"], document["saved_usd"]


def test_render_compare__what_was_saved_as_reported():
    dear, cheap = Usage(1, 400, cost_usd=Decimal("0.3")), Usage(1, 100, cost_usd=Decimal("0.1"))
    assert saving(dear, cheap) == (75.0, 0.2)
    assert saving(cheap, dear) == (-300.0, -0.2)
    assert saving(Usage(1, 400), cheap) == (75.0, None)
    assert saving(Usage(), Usage()) == (None, None), "the offline engine reports nothing"


def test_render_compare__names_the_findings_that_differ():
    before = make_arm(BEFORE, [("a-1", 10)], make_finding(), make_finding(fingerprint="f1", start_line=7))
    after = make_arm(AFTER, [("a-1", 10)], make_finding())
    same = document_of(make_comparison(before, after))["findings"]
    assert (same["identical"], same["total"], same["only_second"]) == (1, 2, [])
    assert same["only_first"] == [
        {"fingerprint": "f1", "category": "sql-injection", "path": "app/db.py", "start_line": 7}
    ]


def test_render_compare__an_ablation_and_a_failed_arm():
    arm, after = make_arm("whole-files", [("a-1", 500)], failure="down"), make_arm(AFTER, [("a-1", 100)])
    rows = (Ablation("select", "whole files become look-ups", arm, arm, after),)
    (row,) = document_of(make_comparison(after=after, ablations=rows))["ablation"]
    assert (row["without"], row["with"], row["arm"]["failure"]) == ("whole-files", "after", "down")
    assert (row["saved_tokens"], row["saved_percent"]) == (None, None)


@settings(max_examples=50, deadline=None)
@given(hostile_text, hostile_text)
def test_render_compare__any_text_makes_a_valid_file_without_hidden_characters(path, failure):
    comparison = make_comparison(
        make_arm(BEFORE, [("t", 1)], make_finding(path=path or "x"), failure=failure),
        tasks=(ComparedTask("t", path, ""),),
        model=failure,
    )
    VALIDATOR.validate(json.loads(render_compare(comparison)))
    assert not any(is_hidden(character) for character in render_compare(comparison).replace("\n", ""))
