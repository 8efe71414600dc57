"""A submitted review at the boundary."""

from __future__ import annotations

import pytest
from builders import submitted_finding

from devpulse.core.change import Side
from devpulse.core.shown import MAX_LINE_CHARACTERS, show_line
from devpulse.pipeline.submission import MAX_FINDINGS, Submission, parse_submission

PATH = "app/db.py"


def _parse(*findings, path=PATH, **others):
    return parse_submission({"findings": list(findings), **others}, path)


def test_parse_submission__long_texts_are_cut_and_nothing_is_lost_for_them():
    long = {"title": "t" * 301, "description": "d" * 9_000, "fix": "f" * 9_000}
    (found,) = _parse(submitted_finding(**long)).findings
    assert (len(found.title), len(found.description), len(found.fix)) == (300, 4_000, 4_000)
    assert found.title.endswith("t…")


def test_parse_submission__a_good_review():
    given = submitted_finding(path=PATH, side="LEFT", lead="L1", suggestion="x")
    review = _parse(given, dismissed_leads=[{"id": "L2", "reason": "constant"}], summary="Fine.")
    (finding,) = review.findings
    assert (finding.category, finding.side, finding.lead) == ("sql-injection", Side.LEFT, "L1")
    assert [(lead.id, lead.reason) for lead in review.dismissed] == [("L2", "constant")]
    assert (review.summary, review.errors) == ("Fine.", ())


@pytest.mark.parametrize(
    ("overrides", "field", "value"),
    [
        ({"category": " SQL_Injection "}, "category", "sql-injection"),
        ({"category": "Sql Injection"}, "category", "sql-injection"),
        ({"severity": " HIGH"}, "severity", "high"),
        ({"confidence": "Low "}, "confidence", "low"),
        ({"side": "left"}, "side", "LEFT"),
        ({"start_line": "7"}, "start_line", 7),
        ({"path": ""}, "path", ""),
        ({"unknown": 1}, "lead", None),
    ],
)
def test_parse_submission__spelling_is_forgiven(overrides, field, value):
    review = _parse(submitted_finding(**overrides))
    assert review.errors == ()
    assert getattr(review.findings[0], field) == value


@pytest.mark.parametrize(
    "overrides",
    [
        {"category": "bug"}, {"category": None}, {"category": 3}, {"severity": "severe"}, {"confidence": 0.9},
        {"side": "MIDDLE"}, {"start_line": 0}, {"start_line": -1}, {"end_line": None}, {"start_line": "x"},
        {"start_line": 1.5}, {"title": ""}, {"description": ""}, {"evidence": ""},
        {"evidence": None}, {"evidence": ["x"]}, {"evidence": "x" * 30_000}, {"fix": None}, {"lead": 1},
        {"suggestion": {}}, {"path": "other.py"}, {"path": "../app/db.py"},
    ],
)  # fmt: skip
def test_parse_submission__one_bad_item_costs_only_itself(overrides):
    review = _parse(submitted_finding(), submitted_finding(**overrides), submitted_finding(start_line=9, end_line=9))
    assert [finding.start_line for finding in review.findings] == [3, 9]
    assert review.errors
    assert all(error.startswith("findings[1].") for error in review.errors)


@pytest.mark.parametrize("item", [None, "x", 3, [], [["category", "other"]], True])
def test_parse_submission__items_that_are_no_objects(item):
    review = _parse(item, submitted_finding(), dismissed_leads=[item, {"id": "L1", "reason": "r"}])
    assert len(review.findings) == len(review.dismissed) == 1
    assert [error.partition(":")[0] for error in review.errors] == ["findings[0]", "dismissed_leads[0]"]


@pytest.mark.parametrize("findings", ["x", {"a": 1}, 3, True])
def test_parse_submission__findings_that_are_no_list(findings):
    assert parse_submission({"findings": findings}, PATH).errors == ("findings: must be a list",)


def test_parse_submission__missing_findings_is_an_error_missing_leads_is_not():
    assert parse_submission({}, PATH).errors == ("findings: missing; pass an empty list when there are none",)
    assert parse_submission({"findings": None}, PATH).errors
    assert _parse().errors == _parse(dismissed_leads=None).errors == ()


def test_parse_submission__too_many_are_recorded_not_silently_cut():
    items = [submitted_finding(start_line=n, end_line=n) for n in range(1, MAX_FINDINGS + 3)]
    review = _parse(*items)
    assert len(review.findings) == MAX_FINDINGS
    assert review.errors == (f"findings: {MAX_FINDINGS + 2} items, at most {MAX_FINDINGS} are taken",)


@pytest.mark.parametrize("summary", [None, 3, ["x"]])
def test_parse_submission__summary_of_another_type_is_empty(summary):
    assert _parse(summary=summary).summary == ""


def test_parse_submission__errors_never_echo_what_was_sent():
    review = _parse(submitted_finding(severity="hunter2hunter2", start_line="hunter2hunter2"))
    assert "hunter2" not in "".join(review.errors)


def test_parse_submission__a_file_can_be_named_as_it_was_shown():
    odd = "caf\udce9\n.py"
    assert not _parse(submitted_finding(path=r"caf\u{DCE9}\n.py"), path=odd).errors
    assert not _parse(submitted_finding(path=odd), path=odd).errors


def test_parse_submission__ten_lines_at_their_longest_are_evidence():
    longest = show_line("x" * 1_000_000)
    assert len(longest) > MAX_LINE_CHARACTERS
    assert not _parse(submitted_finding(evidence="\n".join([longest] * 10))).errors


def test_merged__adds_what_is_new_and_keeps_only_later_errors():
    first = _parse(submitted_finding(), None, dismissed_leads=[{"id": "L1", "reason": "r"}], summary="one")
    later = _parse(submitted_finding(), submitted_finding(start_line=9, end_line=9))
    both = first.merged(later)
    assert [finding.start_line for finding in both.findings] == [3, 9]
    assert [lead.id for lead in both.dismissed] == ["L1"]
    assert (both.summary, both.errors) == ("one", ())
    assert Submission().merged(first) == first
