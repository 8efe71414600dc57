"""About which comments a review can say whether their finding is there."""

from __future__ import annotations

from typing import Any

import pytest
from builders import make_finding, make_report

from devpulse.core.change import PullRequest
from devpulse.core.finding import FindingSource
from devpulse.core.review import RULES_ONLY, Coverage, Failed, Outcome, Partial, Report, Reviewed, Skipped
from devpulse.output.comments.judging import ChangedPaths, judge, rules_were_whole
from devpulse.output.comments.marker import SummaryMark
from devpulse.output.comments.standing import Standing, StandingComment, StandingSummary

HEAD, OLDER = "b" * 40, "c" * 40
RULE, MODEL = FindingSource.RULE, FindingSource.MODEL


def comment(**overrides: Any) -> StandingComment:
    values: dict[str, Any] = {"id": 1, "thread_id": "T", "fingerprint": "aaaa", "path": "a.py", "line": 1}
    values |= {"resolved": False, "resolved_by": "", "answered_by": (), "url": "https://x.example"}
    return StandingComment(**values | overrides)


def report(outcome: Outcome | None = None, *found: str, engine: str = "gemini") -> Report:
    rows = () if outcome is None else (Coverage("a.py", outcome, 1, 10),)
    findings = [make_finding(fingerprint=name, path="a.py") for name in found]
    return make_report(*findings, coverage=rows, engine=engine, pull_request=PullRequest(OLDER, HEAD, "octo/shop", 7))


def group(reported: Report, source: FindingSource | None = RULE, *, paths: ChangedPaths | None = None, at: str = OLDER):
    """The name of the group that the only comment is put into."""
    summary = StandingSummary(2, SummaryMark(at, "0" * 32), "https://x.example")
    judged = judge(reported, Standing((comment(source=source),), summary), paths or ChangedPaths())
    (name,) = [name for name in ("kept", "gone", "unjudged") if getattr(judged, name)]
    return name


@pytest.mark.parametrize("outcome", [Reviewed(), Partial("x"), Failed("x"), Skipped("x")])
def test_judge__what_was_found_is_kept_whatever_the_outcome(outcome):
    assert group(report(outcome, "aaaa")) == "kept"


@pytest.mark.parametrize(
    ("outcome", "of_rule", "of_model"),
    [
        (Reviewed(), "gone", "gone"),
        (Reviewed("reused"), "gone", "gone"),
        (Partial(RULES_ONLY), "gone", "unjudged"),
        (Partial(f"{RULES_ONLY}; context budget"), "unjudged", "unjudged"),
        (Partial("step limit"), "unjudged", "unjudged"),
        (Failed("x"), "unjudged", "unjudged"),
        (Skipped("excluded"), "unjudged", "unjudged"),
    ],
)
def test_judge__silence_counts_only_where_somebody_looked(outcome, of_rule, of_model):
    assert group(report(outcome, "bbbb"), RULE) == of_rule
    assert group(report(outcome, "bbbb"), MODEL) == of_model
    assert group(report(outcome, "bbbb"), None) == of_model


def test_judge__what_a_model_found_only_a_model_misses_and_not_at_the_same_commit():
    assert group(report(Reviewed(), engine="offline"), MODEL) == "unjudged"
    assert group(report(Reviewed()), MODEL, at=HEAD) == "unjudged"
    assert group(report(Reviewed()), RULE, at=HEAD) == "gone"


def test_judge__a_file_that_is_deleted_or_left_the_change_holds_nothing():
    deleted = ChangedPaths(frozenset({"a.py"}), frozenset({"a.py"}))
    assert group(report(Skipped("deleted")), MODEL, paths=deleted) == "gone"
    assert deleted.present == frozenset()
    assert group(report(None), MODEL) == "gone"
    masked = ChangedPaths(frozenset({"a.py"}))
    assert group(report(None), RULE, paths=masked) == "unjudged"


def test_judge__each_comment_is_in_one_group():
    standing = Standing((comment(id=1), comment(id=2, fingerprint="bbbb"), comment(id=3, path="gone.py")))
    judged = judge(report(Partial("x"), "bbbb"), standing, ChangedPaths())
    assert [[each.id for each in of] for of in (judged.kept, judged.gone, judged.unjudged)] == [[2], [3], [1]]


def test_rules_were_whole__for_that_reason_alone():
    assert rules_were_whole(Coverage("a.py", Partial(RULES_ONLY), 1, 10))
    assert not rules_were_whole(Coverage("a.py", Partial(f"{RULES_ONLY} (of 2)"), 1, 10))
    assert not rules_were_whole(Coverage("a.py", Failed(RULES_ONLY), 1, 10))
