"""Which comments a pull request should get."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import make_finding, make_report
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.categories import Severity
from devpulse.core.change import PullRequest, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, Skipped
from devpulse.output.comments.marker import SummaryMark, read_finding_marker
from devpulse.output.comments.place import Place
from devpulse.output.comments.plan import Cause, CommentPlan, plan_comments
from devpulse.output.comments.standing import Standing, StandingComment, StandingSummary

HEAD = "b" * 40
NOTHING = Standing()


def standing_comment(fingerprint: str, **overrides: object) -> StandingComment:
    comment = StandingComment(
        7, "T7", fingerprint, "app/db.py", 4, False, "", (), "https://x.example/7", source=FindingSource.RULE
    )
    return replace(comment, **overrides)  # type: ignore[arg-type]


def standing_with(*fingerprints: str, refused: frozenset[str] | None = None, head: str = HEAD) -> Standing:
    summary = None if refused is None else StandingSummary(1, SummaryMark(head, "d" * 32, refused), "https://x.example")
    return Standing(tuple(map(standing_comment, fingerprints)), summary)


def found(number: int, **overrides: object) -> Finding:
    return make_finding(fingerprint=f"{number:016x}", start_line=number, end_line=number, **overrides)


def many(count: int) -> list[Finding]:
    return [found(number) for number in range(1, count + 1)]


def plan(*findings: Finding, standing: Standing = NOTHING, cap: int = 25, inline: bool = True) -> CommentPlan:
    return plan_comments(make_report(*findings), standing, max_comments=cap, inline=inline)


def names(result: CommentPlan) -> list[int]:
    return [int(comment.fingerprint, 16) for comment in result.new]


def test_plan_comments__most_severe_first_and_nothing_but_open_ones():
    others = [found(10 + n, status=status) for n, status in enumerate(FindingStatus) if status != FindingStatus.OPEN]
    low, critical, high = found(1, severity=Severity.LOW), found(2, severity=Severity.CRITICAL), found(3)
    result = plan(low, critical, high, *others)
    assert names(result) == [2, 3, 1]
    assert result.unplaced == ()
    assert result.head_sha == HEAD


def test_plan_comments__carries_place_and_marker():
    (comment,) = plan(found(3, side=Side.LEFT, path="app/old.py")).new
    assert (comment.path, comment.side, comment.start_line, comment.end_line) == ("app/old.py", Side.LEFT, 3, 3)
    assert read_finding_marker(comment.body) == comment.fingerprint


def test_plan_comments__names_those_over_the_limit():
    result = plan(*many(28), found(99, severity=Severity.CRITICAL))
    assert len(result.new) == 25
    assert names(result)[0] == 99
    assert [(item.finding.start_line, item.cause) for item in result.unplaced] == [
        (n, Cause.OVER_LIMIT) for n in (25, 26, 27, 28)
    ]


@given(st.integers(0, 40), st.integers(0, 40))
def test_plan_comments__the_same_head_again_adds_nothing(count, cap):
    first = plan(*many(count), cap=cap)
    assert len(first.new) == min(count, cap)
    again = plan(*many(count), cap=cap, standing=standing_with(*(each.fingerprint for each in first.new)))
    assert again.new == ()
    assert again.unplaced == first.unplaced
    assert len(again.kept) == len(first.new)


def test_plan_comments__what_became_free_is_filled_up():
    findings = many(5)
    stand = standing_with(*(each.fingerprint for each in findings[:3]))
    result = plan(*findings[1:], standing=stand, cap=3)
    assert names(result) == [4]
    assert [item.finding.start_line for item in result.unplaced] == [5]


def test_plan_comments__a_finding_that_is_there_twice_is_posted_once():
    assert names(plan(found(1), found(1, description="other words"))) == [1]


def test_plan_comments__what_stands_is_not_repeated_when_resolved_or_outdated():
    stand = Standing((standing_comment(f"{1:016x}", resolved=True, line=None, path="app/was.py"),))
    result = plan(found(1), standing=stand)
    assert result.new == ()
    assert result.kept == stand.comments


def test_plan_comments__what_was_refused_at_this_head_is_not_tried_again_and_not_replaced():
    findings = many(4)
    refused = frozenset({findings[0].fingerprint})
    stand = standing_with(findings[1].fingerprint, refused=refused)
    result = plan(*findings, standing=stand, cap=2)
    assert result.new == ()
    assert [item.cause for item in result.unplaced] == [Cause.REFUSED, Cause.OVER_LIMIT, Cause.OVER_LIMIT]


def test_plan_comments__what_was_refused_at_another_head_is_tried_again():
    stand = standing_with(refused=frozenset({f"{1:016x}"}), head="a" * 40)
    assert names(plan(found(1), standing=stand)) == [1]


@pytest.mark.parametrize(
    ("overrides", "detail"),
    [
        ({"fingerprint": "--> <!--"}, "fingerprint"),
        ({"start_line": 0, "end_line": 0}, "range"),
        ({"start_line": -3}, "range"),
        ({"start_line": 5, "end_line": 4}, "range"),
        ({"path": "caf\udce9.py"}, "UTF-8"),
    ],
)
def test_plan_comments__what_would_sink_the_review_is_left_out(overrides, detail):
    result = plan(make_finding(**overrides), found(2))
    assert names(result) == [2]
    (item,) = result.unplaced
    assert item.cause is Cause.NO_PLACE
    assert detail in item.detail


def test_plan_comments__switched_off():
    result = plan(*many(30), standing=standing_with(f"{1:016x}"), inline=False)
    assert (result.new, result.unplaced) == ((), ())
    assert len(result.kept) == 1


def _outcomes(*rows: Coverage) -> Report:
    return make_report(found(1), coverage=rows)


@pytest.mark.parametrize(
    ("row", "gone"),
    [
        (Coverage("app/db.py", Reviewed(), 1, 1), True),
        (Coverage("app/db.py", Reviewed("reused"), 1, 1), True),
        (Coverage("app/db.py", Partial("token budget"), 1, 1), False),
        (Coverage("app/db.py", Failed("no answer"), 1, 1), False),
        (Coverage("app/db.py", Skipped("excluded"), 0, 0), False),
        (Coverage("app/other.py", Reviewed(), 1, 1), True),
    ],
)
def test_plan_comments__gone_only_where_the_file_was_reviewed(row, gone):
    stand = standing_with(f"{2:016x}")
    result = plan_comments(_outcomes(row), stand, max_comments=25)
    assert (result.gone, result.unjudged) == ((stand.comments, ()) if gone else ((), stand.comments))


@pytest.mark.parametrize("status", list(FindingStatus))
def test_plan_comments__a_finding_that_is_still_there_is_not_gone(status):
    stand = standing_with(f"{1:016x}")
    result = plan(found(1, status=status), standing=stand)
    assert (result.kept, result.gone, result.new) == (stand.comments, (), ())


@given(st.sets(st.integers(1, 30)), st.lists(st.integers(1, 30)), st.integers(0, 30))
def test_plan_comments__every_comment_and_every_finding_has_one_place(present, stands, cap):
    findings = [found(number) for number in present]
    stand = standing_with(*(f"{number:016x}" for number in stands))
    result = plan(*findings, standing=stand, cap=cap)
    assert sorted(c.fingerprint for c in (*result.kept, *result.gone, *result.unjudged)) == sorted(
        c.fingerprint for c in stand.comments
    )
    placed = [*(c.fingerprint for c in result.new), *(u.finding.fingerprint for u in result.unplaced)]
    assert sorted({*placed, *(c.fingerprint for c in result.kept)}) == sorted(f.fingerprint for f in findings)
    assert len(placed) == len(set(placed))
    assert len(result.new) <= max(0, cap - len({c.fingerprint for c in result.kept}))


def test_plan_comments__needs_a_commit():
    for pull in (None, PullRequest("a" * 40, None)):
        with pytest.raises(ValueError, match="head"):
            plan_comments(make_report(pull_request=pull), Standing(), max_comments=1)


def test_plan_comments__a_finding_is_told_at_its_place_under_the_real_name_of_its_file():
    finding = make_finding(path="app/[redacted:pass].py", start_line=4, end_line=9)
    place = Place("app/hunter2.py", 6, 7)
    plan = plan_comments(make_report(finding), Standing(), max_comments=5, places={finding.fingerprint: place})
    (comment,) = plan.new
    assert (comment.path, comment.start_line, comment.end_line) == ("app/hunter2.py", 6, 7)
    assert "hunter2" not in comment.body
