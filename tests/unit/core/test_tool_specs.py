"""The tools as a model is told about them."""

from __future__ import annotations

import json

import pytest
from builders import submitted_finding
from jsonschema import Draft202012Validator

from devpulse.core.budget import ContextBudget, estimate_tokens
from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS

BY_NAME = {spec.name: spec for spec in TOOLS}
REQUIRED = {
    "search_codebase": ["query"],
    "load_symbol_source": ["symbol_name"],
    "find_references": ["symbol_name"],
    "get_file_diff": ["path"],
    "read_lines": ["path", "start_line", "end_line"],
    SUBMIT_REVIEW: ["findings", "overall_risk", "summary"],
}


def test_tools__names_and_required_arguments_of_the_contract():
    assert {name: spec.parameters["required"] for name, spec in BY_NAME.items()} == REQUIRED


@pytest.mark.parametrize("spec", TOOLS, ids=lambda spec: spec.name)
def test_tools__each_has_a_valid_object_schema(spec):
    Draft202012Validator.check_schema(spec.parameters)
    assert spec.parameters["type"] == "object"
    assert set(spec.parameters["required"]) <= spec.parameters["properties"].keys()
    assert spec.description


def test_tools__declarations_are_small_and_serialise():
    text = json.dumps([[spec.name, spec.description, spec.parameters] for spec in TOOLS])
    assert estimate_tokens(text) < ContextBudget().system


def test_submit_review__offers_every_category_level_and_risk():
    finding = BY_NAME[SUBMIT_REVIEW].parameters["properties"]["findings"]["items"]["properties"]
    assert finding["category"]["enum"] == list(CATEGORIES)
    assert finding["severity"]["enum"] == list(Severity)
    assert finding["confidence"]["enum"] == list(Confidence)
    assert finding["side"]["enum"] == ["RIGHT", "LEFT"]
    assert BY_NAME[SUBMIT_REVIEW].parameters["properties"]["overall_risk"]["enum"] == ["none", *Severity]


def test_submit_review__schema_accepts_a_good_review_and_refuses_a_bad_one():
    validator = Draft202012Validator(dict(BY_NAME[SUBMIT_REVIEW].parameters))
    review = {"findings": [submitted_finding()], "overall_risk": "critical", "summary": ""}
    assert validator.is_valid(review)
    assert not validator.is_valid(review | {"findings": [submitted_finding(severity="severe")]})
    assert not validator.is_valid(review | {"findings": [submitted_finding(start_line=0)]})
