"""What a model hands in: any JSON is a submission and a list of faults, in bounded size, and never an exception."""

from __future__ import annotations

import json

from fuzz.mutation import mutated
from fuzz.profile import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.json_in_prose import find_form
from devpulse.pipeline.submission import MAX_FINDINGS, parse_submission
from devpulse.pipeline.verify import parse_verdicts

FINDING = {
    "category": "sql-injection", "severity": "high", "confidence": "high", "side": "RIGHT", "start_line": 5,
    "end_line": 6, "title": "T", "description": "D", "fix": "F", "evidence": "code",
}  # fmt: skip
REVIEW = {
    "findings": [FINDING],
    "dismissed_leads": [{"id": "L1", "reason": "r"}],
    "overall_risk": "high",
    "summary": "s",
}
_LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=3)
ANYTHING = st.recursive(
    _LEAF,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def damaged(good):
    """``good`` with some fields replaced by anything, or removed."""
    changes = st.dictionaries(st.sampled_from(sorted(good)), ANYTHING, max_size=4)
    return st.tuples(changes, st.sets(st.sampled_from(sorted(good)), max_size=2)).map(
        lambda drawn: {name: value for name, value in {**good, **drawn[0]}.items() if name not in drawn[1]}
    )


FINDINGS = st.lists(damaged(FINDING) | ANYTHING, max_size=6) | ANYTHING
SUBMISSIONS = st.tuples(damaged(REVIEW), FINDINGS, st.booleans()).map(
    lambda drawn: {**drawn[0], "findings": drawn[1]} if drawn[2] else drawn[0]
)


@fuzzed
@given(SUBMISSIONS)
def test_parse_submission__any_json(arguments):
    submission = parse_submission(arguments, "app.py")
    assert len(submission.findings) <= MAX_FINDINGS
    for finding in submission.findings:
        assert finding.start_line >= 1
        assert finding.end_line >= 1
        assert finding.title
        assert finding.evidence
        assert finding.path in (None, "", "app.py")
        assert (len(finding.title), len(finding.description)) <= (301, 4_001)
    listed = arguments.get("findings")
    if isinstance(listed, list):
        # Each item is taken, or something is said about it: none is lost in silence.
        assert len(submission.findings) == len(listed) or submission.errors
    elif not isinstance(listed, tuple):
        assert submission.errors
    assert all(submission.errors)
    assert submission.merged(submission).findings == tuple(dict.fromkeys(submission.findings))


@fuzzed
@given(
    st.dictionaries(
        st.sampled_from(["verdicts", "x"]),
        ANYTHING | st.lists(damaged({"id": "F1", "verdict": "refuted", "reason": "r"}), max_size=4),
    )
)
def test_parse_verdicts__any_json(arguments):
    due = {"F1", "F2"}
    verdicts, errors = parse_verdicts(arguments, due)
    assert set(verdicts) <= {"F1", "F2"}
    assert due == {"F1", "F2"} - set(verdicts)
    assert errors or not due
    assert all(verdict.verdict in ("confirmed", "refuted", "unsure") for verdict in verdicts.values())


@fuzzed
@given(
    mutated(
        [f"Here it is:\n```json\n{json.dumps(REVIEW)}\n```\nDone.", json.dumps(REVIEW)],
        ["{", "}", '"', "[" * 500, "{" * 200, "\\u"],
    )
)
def test_find_form__whole_or_not_at_all(text):
    form = find_form(text, ("findings", "summary"))
    if form is not None:
        assert {"findings", "summary"} <= form.keys()
        parse_submission(form, "app.py")
