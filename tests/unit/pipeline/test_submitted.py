from __future__ import annotations

import pytest

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import Side
from devpulse.pipeline.submitted import DismissedLead, SubmittedFinding, SubmittedVerdict, validated

ITEM = {
    "category": "sql-injection",
    "severity": "high",
    "confidence": "medium",
    "start_line": 3,
    "end_line": 4,
    "title": "A title",
    "description": "What happens.",
    "fix": "What to do.",
    "evidence": "db.execute(sql)",
}


def finding(**changes):
    errors: list[str] = []
    return validated(SubmittedFinding, ITEM | changes, "findings[2]", errors), errors


def test_validated__words_in_any_case_and_spelling():
    found, errors = finding(category="SQL injection", severity=" High ", confidence="LOW", side="left")
    assert errors == []
    assert found is not None
    assert (found.category, found.severity, found.confidence) == ("sql-injection", Severity.HIGH, Confidence.LOW)
    assert found.side is Side.LEFT


def test_validated__what_may_be_left_out():
    found, _ = finding()
    assert found is not None
    assert (found.path, found.side, found.suggestion, found.lead) == (None, Side.RIGHT, None, None)


@pytest.mark.parametrize(("name", "limit"), [("title", 300), ("description", 4_000), ("fix", 4_000)])
def test_validated__an_overlong_text_is_cut_not_refused(name, limit):
    found, errors = finding(**{name: "x" * (limit + 100)})
    assert errors == []
    assert 0 < len(getattr(found, name)) <= limit


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"category": "sqli"}, "findings[2].category: "),
        ({"severity": "awful"}, "findings[2].severity: "),
        ({"severity": 3}, "findings[2].severity: "),
        ({"side": "middle"}, "findings[2].side: "),
        ({"start_line": 0}, "findings[2].start_line: "),
        ({"title": ""}, "findings[2].title: "),
        ({"evidence": ""}, "findings[2].evidence: "),
        ({"suggestion": "x" * 20_001}, "findings[2].suggestion: "),
    ],
)
def test_validated__refuses_and_names_the_place(changes, says):
    found, (error,) = finding(**changes)
    assert found is None
    assert error.startswith(says)


def test_validated__names_every_place_and_quotes_nothing():
    found, errors = finding(severity="awful secret", end_line=-1)
    assert found is None
    assert [error.partition(":")[0] for error in errors] == ["findings[2].severity", "findings[2].end_line"]
    assert "awful secret" not in "".join(errors)


@pytest.mark.parametrize("item", [None, "text", 3, ["id"]])
def test_validated__what_is_no_object_is_named(item):
    errors: list[str] = []
    assert validated(DismissedLead, item, "dismissed_leads[0]", errors) is None
    assert errors[0].startswith("dismissed_leads[0]: ")


@pytest.mark.parametrize(
    ("word", "verdict"), [("Refuted", "refuted"), (" unsure ", "unsure"), ("confirmed", "confirmed"), ("no", None)]
)
def test_validated__a_verdict_is_one_of_three(word, verdict):
    found = validated(SubmittedVerdict, {"id": "a", "verdict": word, "reason": "so"}, "verdicts[0]", [])
    assert (found and found.verdict) == verdict
