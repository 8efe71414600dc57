"""The findings file and its schema."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from report_strategies import findings, reports

from devpulse.core.finding import Finding, Step, Trace
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, Skipped
from devpulse.output.characters import is_hidden, well_formed
from devpulse.output.json_v1 import (
    SCHEMA_NAME,
    finding_from_json,
    finding_to_json,
    findings_schema,
    render_findings,
    render_findings_schema,
)

SCHEMA_FILE = Path(__file__).parents[3] / "src" / "devpulse" / "output" / "schemas" / "findings-v1.schema.json"
VALIDATOR = Draft202012Validator(findings_schema())
OPTIONAL = {"suggestion", "trace", "rule_id"}


def _well_formed(finding: Finding) -> Finding:
    """The finding with lone surrogates replaced in everything but paths: the one loss that is documented."""

    def step(of: Step) -> Step:
        return replace(of, note=well_formed(of.note))

    texts: dict[str, Any] = {
        name: well_formed(value)
        for name in (
            "fingerprint",
            "symbol",
            "title",
            "description",
            "fix",
            "evidence",
            "reason",
            "suggestion",
            "rule_id",
        )
        if (value := getattr(finding, name)) is not None
    }
    trace = finding.trace
    if trace is not None:
        trace = Trace(step(trace.source), tuple(map(step, trace.steps)), step(trace.sink))
    return replace(finding, **texts, trace=trace)


def test_committed_schema__is_in_step_with_the_models():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == render_findings_schema()


def test_findings_schema__is_itself_valid():
    Draft202012Validator.check_schema(findings_schema())


def test_render_findings__keys_of_the_contract():
    document = json.loads(render_findings(make_report(make_finding())))
    assert list(document) == [
        "schema", "pull_request", "engine", "model", "risk", "summary", "coverage", "findings", "usage",
    ]  # fmt: skip
    assert document["schema"] == SCHEMA_NAME
    assert list(document["pull_request"]) == ["repository", "number", "base_sha", "head_sha"]
    assert list(document["usage"]) == [
        "requests", "input_tokens", "cached_tokens", "output_tokens", "thinking_tokens", "cost_usd",
    ]  # fmt: skip


def test_render_findings__nulls_stand_and_optional_keys_are_absent():
    report = make_report(make_finding(cwe=None, symbol=None), pull_request=None, usage=Usage(1, 2, 3, 4, 5))
    document = json.loads(render_findings(report))
    assert document["pull_request"] is None
    assert document["model"] is None
    assert document["usage"]["cost_usd"] is None
    (finding,) = document["findings"]
    assert finding["cwe"] is None
    assert finding["symbol"] is None
    assert not OPTIONAL & finding.keys()


@pytest.mark.parametrize(
    ("outcome", "name", "reason"),
    [
        (Reviewed("reused"), "reviewed", "reused"),
        (Partial("token budget"), "partial", "token budget"),
        (Skipped("binary"), "skipped", "binary"),
        (Failed("cut off"), "failed", "cut off"),
    ],
)
def test_render_findings__outcomes_in_lower_case(outcome, name, reason):
    document = json.loads(render_findings(make_report(coverage=(Coverage("a.py", outcome, 2, 30),))))
    expected = {"path": "a.py", "outcome": name, "reason": reason, "parts": 2, "tokens": 30}
    assert document["coverage"] == [expected]


def test_render_findings__shows_hidden_characters_in_the_raw_file():
    text = render_findings(make_report(make_finding(title="a\u202eb", path="caf\udce9.py", fix="naïve 日本")))
    assert r"a\u202eb" in text
    assert r"caf\\xe9.py" in text
    assert "naïve 日本" in text


@settings(max_examples=25, deadline=None)
@given(reports())
def test_render_findings__any_report_is_valid(report):
    text = render_findings(report)
    assert text.endswith("}\n")
    text.encode("utf-8")
    assert not any(map(is_hidden, text))
    document = json.loads(text)
    VALIDATOR.validate(document)
    assert len(document["findings"]) == len(report.findings)


@settings(max_examples=40, deadline=None)
@given(findings)
def test_finding_from_json__gives_back_the_finding(finding):
    text = json.dumps(finding_to_json(finding))
    assert finding_from_json(json.loads(text)) == _well_formed(finding)


def test_finding_to_json__knows_every_field():
    full = make_finding(suggestion="x", rule_id="r", trace=Trace(Step("a", 1, ""), (), Step("b", 2, "")))
    assert finding_to_json(full).keys() == {field.name for field in fields(Finding)}


@pytest.mark.parametrize(
    "change",
    [
        {"severity": "apocalyptic"},
        {"start_line": "4"},
        {"surprise": 1},
        {"trace": {"source": {}}},
        {"title": None},
        {"status": "OPEN"},
    ],
)
def test_finding_from_json__refuses_what_is_not_a_finding(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        finding_from_json(finding_to_json(make_finding()) | change)


@pytest.mark.parametrize("value", [None, [], "finding", {}])
def test_finding_from_json__refuses_other_values(value):
    with pytest.raises(ValueError, match="FindingV1"):
        finding_from_json(value)
