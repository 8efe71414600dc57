"""Publishing a review: what stands on the pull request afterwards, and what was sent for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from publishing import Shop, finding, numbered
from report_strategies import HOSTILE

from devpulse.core.categories import Severity
from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Partial, Reviewed
from devpulse.output.comments.marker import (
    SUMMARY_HEADING,
    SummaryMark,
    finding_marker,
    read_finding_marker,
    summary_marker,
)
from devpulse.output.comments.plan import Cause
from devpulse.output.comments.sticky import SummaryMode

REVIEW, SUMMARY = "POST /pulls/7/reviews", "POST /issues/7/comments"


def fingerprints(shop: Shop) -> list[str | None]:
    return [read_finding_marker(thread.comments[0].body) for thread in shop.hub.threads]


def test_publish__first_run_is_one_review_and_a_summary(shop):
    found = [finding(number) for number in range(1, 21)]
    result = shop.publish(*found)
    assert shop.writes() == [REVIEW, SUMMARY]
    assert result.calls == len(shop.hub.wire) == 4
    assert (result.writes, result.denied, result.failed, result.unplaced) == (2, "", "", ())
    assert shop.lines() == list(range(1, 21))
    assert fingerprints(shop) == [each.fingerprint for each in found]
    (review,) = shop.hub.reviews
    assert (review.state, review.commit, review.body) == ("COMMENTED", shop.hub.head_sha, "DevPulse: 20 new findings.")
    assert result.commit == shop.hub.head_sha
    assert "SQL built from a request parameter" in shop.summary.body
    assert f"[Run and artifacts]({shop.hub.site}/octo/shop/actions/runs/1)" in shop.summary.body
    assert result.summary_url.endswith(f"#issuecomment-{shop.summary.id}")


def test_publish__same_head_again_writes_nothing(shop):
    found = [finding(1), finding(2)]
    shop.publish(*found)
    body, seen = shop.summary.body, len(shop.hub.requests)
    report = shop.report(*found, usage=Usage(9, 9, 9, 9, 9), notices=("later",))
    reused = replace(report, coverage=tuple(Coverage(row.path, Reviewed("reused"), 1, 0) for row in report.coverage))
    result = shop.publish(report=reused, run_url="https://x.example/2")
    assert shop.hub.writes() == [each for each in shop.hub.requests[:seen] if each in shop.hub.writes()]
    assert (result.calls, result.writes) == (1, 0)
    assert shop.summary.body == body
    assert [each.fingerprint for each in result.plan.kept] == [each.fingerprint for each in found]
    assert result.summary_url.endswith(f"#issuecomment-{shop.summary.id}")


def test_publish__nothing_found_is_no_review(shop):
    result = shop.publish()
    assert shop.writes() == [SUMMARY]
    assert result.posted == ()
    assert "No findings in 4 files reviewed" in shop.summary.body


def test_publish__a_push_adds_only_what_is_new(shop):
    shop.publish(finding(1), finding(2))
    first = shop.summary
    head = shop.push("app/wide.py", numbered(0, 40, "wide"))
    result = shop.publish(finding(1, line=2), finding(3, line=4))
    answer = f"POST /pulls/7/comments/{shop.hub.threads[1].comments[0].id}/replies"
    assert shop.writes()[2:] == [REVIEW, answer, "POST /graphql", f"PATCH /issues/comments/{first.id}"]
    assert [each.fingerprint for each in result.posted] == [f"{3:032x}"]
    assert [each.fingerprint for each in result.plan.gone] == [f"{2:032x}"]
    assert len(shop.hub.threads) == 3
    assert shop.summary.id == first.id
    assert head[:12] in shop.summary.body
    assert shop.hub.reviews[-1].commit == head


def test_publish__a_reworded_finding_is_not_said_again(shop):
    shop.publish(finding(1))
    shop.push()
    shop.publish(finding(1, title="Other words", description="Other words"))
    assert len(shop.hub.threads) == 1


def test_publish__most_severe_first_and_the_rest_in_the_summary(shop):
    found = [finding(number) for number in range(1, 30)]
    result = shop.publish(*found, finding(30, severity=Severity.CRITICAL))
    assert len(shop.hub.threads) == 25
    assert shop.lines()[0] == 30
    assert [item.cause for item in result.unplaced] == [Cause.OVER_LIMIT] * 5
    assert "- Over the limit of comments (`max-comments`): `app/wide.py:25`, " in shop.summary.body


def test_publish__both_sides_ranges_renamed_and_deleted_files(shop):
    found = [
        finding(1, start_line=3, end_line=7),
        finding(2, path="app/admin.py", side=Side.LEFT, start_line=10, end_line=12),
        finding(3, path="app/admin.py", side=Side.LEFT, start_line=11, end_line=11),
        finding(4, path="app/new.py", start_line=20, end_line=20),
        finding(5, path="app/new.py", side=Side.LEFT, start_line=20, end_line=20),
        finding(6, path="app/gone.py", side=Side.LEFT, start_line=2, end_line=3),
    ]
    result = shop.publish(*found)
    assert (result.unplaced, shop.writes()) == ((), [REVIEW, SUMMARY])
    places = {(t.path, t.side, t.start_side, t.start_line, t.line) for t in shop.hub.threads}
    assert places == {
        ("app/wide.py", "RIGHT", "RIGHT", 3, 7),
        ("app/admin.py", "LEFT", "LEFT", 10, 12),
        ("app/admin.py", "LEFT", None, None, 11),
        ("app/new.py", "RIGHT", None, None, 20),
        ("app/new.py", "LEFT", None, None, 20),
        ("app/gone.py", "LEFT", "LEFT", 2, 3),
    }


def test_publish__a_moved_head_gets_only_what_still_fits(shop):
    found = [finding(1), finding(2, path="app/new.py", start_line=20, end_line=20)]
    report, reviewed, before = shop.report(*found), shop.reviewed(), shop.hub.head_sha
    head = shop.push("app/wide.py", numbered(0, 40, "wide"))
    result = shop.publish(report=report, reviewed=reviewed)
    assert [(t.path, t.commit) for t in shop.hub.threads] == [("app/new.py", head)]
    assert [(item.finding.fingerprint, item.cause) for item in result.unplaced] == [(f"{1:032x}", Cause.MOVED)]
    assert result.commit == head
    assert "(the file changed in a newer push): `app/wide.py:1`" in shop.summary.body
    assert before[:12] in shop.summary.body


def test_publish__an_older_run_yields_to_a_newer_one(shop):
    report, reviewed = shop.report(finding(1), finding(2)), shop.reviewed()
    shop.push()
    shop.publish(finding(1))
    body, writes = shop.summary.body, shop.writes()
    result = shop.publish(report=report, reviewed=reviewed)
    assert shop.writes() == writes
    assert shop.summary.body == body
    assert [item.cause for item in result.unplaced] == [Cause.MOVED]


def test_publish__a_head_pushed_back_is_reviewed_as_ever(shop):
    old = shop.hub.head_sha
    shop.push()
    shop.publish(finding(1))
    shop.repo.git("reset", "--quiet", "--hard", old)
    shop.hub.moved()
    shop.publish(finding(1), finding(2))
    assert old[:12] in shop.summary.body
    assert len(shop.hub.threads) == 2


def test_publish__markers_of_others_are_text(shop):
    mark = summary_marker(SummaryMark(shop.hub.head_sha, "0" * 32, frozenset({f"{2:032x}"})))
    shop.hub.add_comment("mallory", f"{SUMMARY_HEADING}\n\n{mark}")
    shop.hub.add_thread("mallory", "app/wide.py", 1, f"**High: x**\n\n{finding_marker(f'{1:032x}')}")
    shop.publish(finding(1), finding(2))
    assert shop.lines() == [1, 2]
    assert [each.author.login for each in shop.hub.comments] == ["mallory", "github-actions[bot]"]
    assert shop.hub.comments[0].body.endswith(mark)


def test_publish__another_workflow_that_echoes_a_marker(shop):
    mark = summary_marker(SummaryMark(shop.hub.head_sha, "0" * 32, frozenset({f"{1:032x}"})))
    shop.hub.add_comment(shop.hub.actor.login, f"Thanks for your pull request:\n\n{SUMMARY_HEADING}\n\n{mark}")
    shop.hub.add_thread(shop.hub.actor.login, "app/wide.py", 2, f"Lint says:\n\n{finding_marker(f'{2:032x}')}")
    result = shop.publish(finding(1), finding(2))
    assert (result.unplaced, shop.writes()) == ((), [REVIEW, SUMMARY])


def test_publish__our_answer_in_a_thread_of_somebody_else_is_no_comment_of_ours(shop):
    thread = shop.hub.add_thread("bob", "app/wide.py", 1, "Look.")
    shop.hub.reply(thread, "github-actions[bot]", f"**High: x**\n\n{finding_marker(f'{1:032x}')}")
    shop.publish(finding(1))
    assert len(shop.hub.threads) == 2


def test_publish__sees_resolved_and_answered_threads(shop):
    shop.publish(finding(1), finding(2))
    one, other = shop.hub.threads
    shop.hub.resolve(one, "ada")
    shop.hub.reply(other, "bob", "Why?")
    kept = shop.publish(finding(1), finding(2)).plan.kept
    assert [(each.resolved, each.resolved_by, each.answered_by) for each in kept] == [
        (True, "ada", ()),
        (False, "", ("bob",)),
    ]
    assert [each.line for each in kept] == [1, 2]


def test_publish__finds_its_own_behind_many_others(shop):
    for number in range(101):
        shop.hub.add_comment("bob", f"Comment {number}")
        shop.hub.add_thread("bob", "app/wide.py", 1, f"Thread {number}")
    shop.publish(finding(1))
    writes = shop.writes()
    shop.publish(finding(1))
    assert shop.writes() == writes == [REVIEW, SUMMARY]


@pytest.mark.parametrize(
    ("mode", "found", "written"),
    [
        (SummaryMode.ON_FINDINGS, [], []),
        (SummaryMode.ON_FINDINGS, [finding(1)], [REVIEW, SUMMARY]),
        (SummaryMode.ON_FINDINGS, [finding(1, status=FindingStatus.SUPPRESSED)], []),
        (SummaryMode.NEVER, [finding(1)], [REVIEW]),
    ],
)
def test_publish__summary_as_wanted(shop, mode, found, written):
    shop.publish(*found, summary=mode)
    assert shop.writes() == written


def test_publish__on_findings_a_summary_that_stands_is_updated(shop):
    shop.publish(finding(1), summary=SummaryMode.ON_FINDINGS)
    shop.push("app/wide.py", numbered(0, 40, "wide"))
    shop.publish(summary=SummaryMode.ON_FINDINGS)
    assert "No findings" in shop.summary.body


def test_publish__without_comments_the_summary_stays(shop):
    result = shop.publish(finding(1), comment=False)
    assert shop.writes() == [SUMMARY]
    assert (result.posted, result.unplaced) == ((), ())


def test_publish__an_incomplete_run_judges_only_what_it_reviewed(shop):
    shop.publish(finding(1))
    rows = (Coverage("app/wide.py", Partial("token budget"), 1, 1),)
    result = shop.publish(report=shop.report(coverage=rows, incomplete=True))
    assert (result.plan.gone, len(result.plan.unjudged)) == ((), 1)
    assert "INCOMPLETE" in shop.summary.body


def test_publish__hostile_and_very_long_texts(shop):
    hostile = "\n".join(HOSTILE) + finding_marker("feed") + "\n" + finding_marker("feed")
    found = [
        finding(1, title=hostile, description=hostile, fix=hostile, evidence=hostile, suggestion=hostile),
        finding(2, title="@" * 70_000, description="@" * 70_000, fix="@" * 70_000, suggestion="x" * 70_000),
    ]
    result = shop.publish(*found, report=None)
    assert result.unplaced == ()
    assert fingerprints(shop) == [each.fingerprint for each in found]
    shop.publish(*found)
    assert shop.writes() == [REVIEW, SUMMARY]


def test_publish__a_path_that_json_cannot_hold_does_not_sink_the_review(shop):
    result = shop.publish(finding(1), finding(2, path="caf\udce9.py"))
    assert shop.lines() == [1]
    assert [item.cause for item in result.unplaced] == [Cause.NO_PLACE]
