import json
from dataclasses import replace

import pytest
from builders import make_finding, make_report
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.change import PullRequest
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.errors import ResultsRefused
from devpulse.output.json_v1 import finding_to_json, render_findings
from devpulse.pipeline import foreign
from devpulse.pipeline.foreign import parse_foreign

PULL = PullRequest("a" * 40, "b" * 40, "octo/shop", 7)


def document(*findings, **changes):
    report = make_report(*findings, pull_request=PULL, engine="offline")
    return json.loads(render_findings(report)) | changes


def read(*findings, tasks=(), **changes):
    return parse_foreign(json.dumps(document(*findings, **changes)).encode(), tasks)


def test_parse_foreign__what_a_run_writes():
    finding = make_finding(path="app/\udcff.py")
    got = read(finding)
    assert (got.repository, got.number, got.head_sha, got.engine) == ("octo/shop", 7, "b" * 40, "offline")
    (claim,) = got.claims
    assert claim.path == "app/\udcff.py"
    assert (claim.item.title, claim.item.evidence) == (finding.title, finding.evidence)
    assert claim.disputed is None
    assert got.dropped.total() == 0


def test_parse_foreign__the_same_finding_in_two_files_counts_once():
    finding = make_finding()
    task = {"schema": "devpulse.task/1", "findings": [finding_to_json(finding)]}
    other = {"schema": "devpulse.task/1", "findings": [finding_to_json(replace(finding, title="Other"))]}
    got = read(finding, tasks=[json.dumps(each).encode() for each in (task, other)])
    assert [claim.item.title for claim in got.claims] == [finding.title, "Other"]


def test_parse_foreign__disputed_stays_disputed_and_no_other_status_counts():
    for status in FindingStatus:
        (claim,) = read(make_finding(status=status, reason="said so")).claims
        assert claim.disputed == ("said so" if status is FindingStatus.DISPUTED else None)


def test_parse_foreign__long_texts_are_cut_and_long_traces_left_out():
    step = Step("a.py", 1, "x")
    (claim,) = read(make_finding(title="t" * 999, trace=Trace(step, (step,) * 60, step))).claims
    assert len(claim.item.title) == 300
    assert claim.trace is None
    assert read(make_finding(trace=Trace(step, (), step))).claims[0].trace == Trace(step, (), step)


@pytest.mark.parametrize("task", [b"", b"[]", b'{"schema": "devpulse.task/1"}', b"[" * 100_000, b"\xff"])
def test_parse_foreign__a_bad_task_costs_only_itself(task):
    got = read(make_finding(), tasks=[task])
    assert len(got.claims) == 1
    assert got.dropped.total() == 1


def test_parse_foreign__no_more_than_the_limit(monkeypatch):
    monkeypatch.setattr(foreign, "MAX_CLAIMS", 2)
    got = read(*(make_finding(title=f"T{number}") for number in range(5)))
    assert len(got.claims) == 2
    assert got.dropped["there are too many"] == 3


def test_parse_foreign__coverage_rows_that_are_none_are_left_out():
    rows = [{"path": "a.py", "outcome": "reviewed", "reason": "r" * 999, "parts": 1, "tokens": 1}, 7, {"path": "b.py"}]
    got = read(coverage=rows)
    assert list(got.coverage) == ["a.py"]
    assert len(got.coverage["a.py"][1]) == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "devpulse.findings/2"},
        {"pull_request": None},
        {"engine": "eve"},
        {"model": "x\n::error::"},
        {"model": "m" * 101},
        {"findings": {}},
        {"coverage": "all"},
        {"usage": {}},
    ],
)
def test_parse_foreign__a_document_of_another_form_is_refused(changes):
    with pytest.raises(ResultsRefused, match=r"findings\.json of the other run"):
        read(**changes)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=4,
)


@given(st.sampled_from(sorted(finding_to_json(make_finding()))), _JSON)
def test_parse_foreign__any_value_in_any_field_is_taken_or_dropped(name, value):
    row = finding_to_json(make_finding()) | {name: value}
    got = parse_foreign(json.dumps(document(findings=[row]), allow_nan=False).encode(), []) if _plain(value) else None
    assert got is None or len(got.claims) + got.dropped.total() == 1


def _plain(value):
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


@given(st.binary(max_size=50) | _JSON.map(lambda value: json.dumps(value).encode()))
def test_parse_foreign__anything_else_is_refused(data):
    with pytest.raises(ResultsRefused):
        parse_foreign(data, [])
