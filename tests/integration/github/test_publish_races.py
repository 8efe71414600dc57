"""Publishing beside other runs on the same pull request, and with answers that say nothing: nothing is said twice."""

from __future__ import annotations

import re

import pytest
from publishing import Shop, finding, numbered

from devpulse.core.finding import Finding
from devpulse.output.comments.marker import SUMMARY_HEADING, SummaryMark, summary_marker
from devpulse.output.comments.plan import Cause

REVIEW, SUMMARY, SINGLE = "POST /pulls/7/reviews", "POST /issues/7/comments", "POST /pulls/7/comments"
ODD = [(307, b"{}"), (200, b"<html>Please sign in</html>"), (200, b"{}"), (200, b'{"data": "x"}'), (204, b"")]
ODD += [(200, b"null"), (200, b"[]"), (201, b'{"id": 0, "html_url": ""}')]


def other_run(shop: Shop, *found: Finding, when: str) -> None:
    """Let another run publish the same just before a request."""
    report, reviewed = shop.report(*found), shop.reviewed()
    shop.hub.faults.before(when, lambda: shop.stand_in(report, reviewed))


@pytest.mark.parametrize(("status", "body"), ODD)
def test_publish__an_answer_that_does_not_say_that_anything_was_written(shop: Shop, status, body):
    shop.hub.faults.odd("(POST .*/(reviews|issues/7/comments))", status, body, times=None)
    result = shop.publish(finding(1))
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY, SUMMARY]
    assert (result.posted, result.summary_url, result.summary_only) == ((), "", False)
    assert [item.cause for item in result.unplaced] == [Cause.NOT_SENT]
    assert result.failed


@pytest.mark.parametrize(("status", "body"), ODD)
def test_publish__what_was_written_though_the_answer_does_not_say_so(shop: Shop, status, body):
    shop.hub.faults.odd("(POST .*/(reviews|issues/7/comments))", status, body, applied=True, times=None)
    result = shop.publish(finding(1))
    assert shop.writes() == [REVIEW, SUMMARY]
    assert ([each.fingerprint for each in result.posted], result.failed) == ([f"{1:032x}"], "")
    assert result.summary_url.endswith(f"#issuecomment-{shop.summary.id}")


@pytest.mark.parametrize(("status", "body"), ODD)
def test_publish__odd_answers_to_an_update_and_to_single_comments(shop: Shop, status, body):
    shop.publish()
    shop.push("app/wide.py", numbered(1, 41, "wide"))
    shop.hub.faults.fail("POST .*/reviews", 422, message="line must be part of the diff")
    shop.hub.faults.odd("PATCH|POST .*/pulls/7/comments", status, body, applied=True, times=None)
    result = shop.publish(finding(1), finding(2))
    assert shop.writes()[1:] == [REVIEW, SINGLE, SINGLE, f"PATCH /issues/comments/{shop.summary.id}"]
    assert (shop.lines(), len(result.posted), result.failed) == ([1, 2], 2, "")


@pytest.mark.parametrize("match", ["POST /graphql", "GET .*/files"])
@pytest.mark.parametrize(("status", "body"), [*ODD, (422, b"[1]"), (404, b'{"message": {}}')])
def test_publish__odd_answers_to_what_is_read(shop: Shop, match, status, body):
    shop.hub.pull.refuse_lines.add(("app/wide.py", 1))
    shop.hub.faults.odd(match, status, body, times=None)
    result = shop.publish(finding(1))
    assert result.failed or result.denied or (match, body) == ("GET .*/files", b"[]")
    assert shop.hub.threads == []


def test_publish__another_run_is_seen_right_before_the_review(shop: Shop):
    other_run(shop, finding(1), when="POST /graphql")
    result = shop.publish(finding(1))
    assert shop.writes() == [REVIEW, SUMMARY]
    assert [each.fingerprint for each in result.plan.kept] == [f"{1:032x}"]


def test_publish__another_run_that_posts_while_a_review_is_refused(shop: Shop):
    shop.hub.pull.refuse_lines.add(("app/wide.py", 2))
    found = [finding(1), finding(2)]

    def meanwhile() -> None:
        shop.hub.pull.refuse_lines.clear()
        shop.stand_in(shop.report(*found), {})

    shop.hub.faults.before("POST .*/reviews", lambda: shop.hub.faults.before("POST /graphql", meanwhile))
    result = shop.publish(*found)
    assert shop.lines() == [1, 2]
    assert (result.unplaced, shop.summary.author) == ((), shop.hub.actor)


def test_publish__another_run_that_posts_while_the_moved_head_is_read(shop: Shop):
    found = [finding(2, path="app/new.py", start_line=20, end_line=20)]
    report, reviewed = shop.report(*found), shop.reviewed()
    shop.push()
    shop.hub.faults.before("GET .*/files", lambda: shop.stand_in(shop.report(*found), {}))
    shop.publish(report=report, reviewed=reviewed)
    assert shop.lines() == [20]


def test_publish__a_summary_that_appeared_meanwhile_is_updated(shop: Shop):
    shop.hub.faults.before("POST .*/reviews", lambda: shop.stand_in(shop.report(), {}))
    shop.publish(finding(1))
    assert shop.writes() == [REVIEW, SUMMARY, f"PATCH /issues/comments/{shop.summary.id}"]
    assert "SQL built" in shop.summary.body


def newer(shop: Shop, when: str) -> None:
    """Let the head move on and a run review it, just before a request."""

    def run() -> None:
        shop.push()
        shop.stand_in(shop.report(finding(1)), {})

    shop.hub.faults.before(when, run)


def test_publish__an_older_run_leaves_the_summary_that_a_newer_one_wrote_meanwhile(shop: Shop):
    report, reviewed = shop.report(finding(1), finding(3)), shop.reviewed()
    newer(shop, "POST .*/reviews")
    result = shop.publish(report=report, reviewed=reviewed)
    assert f"Reviewed commit: {shop.hub.head_sha[:12]}" in shop.summary.body
    assert result.summary_url.endswith(f"#issuecomment-{shop.summary.id}")
    assert result.failed == ""


@pytest.mark.parametrize(("older", "yields"), [(True, False), (False, True)])
def test_publish__a_summary_about_neither_this_commit_nor_the_head(shop: Shop, older, yields):
    reviewed = shop.reviewed()
    if older:
        shop.publish()
        mine = shop.push()
    else:
        mine = shop.hub.head_sha
        shop.push()
        shop.publish()
    report = shop.report(finding(1), head=mine)
    shop.push("README.md", "Read me again.\n")
    before = shop.summary.body
    result = shop.publish(report=report, reviewed=reviewed)
    assert (shop.summary.body == before) == yields
    assert [item.cause for item in result.unplaced] == ([Cause.MOVED] if yields else [])


def test_publish__a_summary_about_a_commit_that_a_force_push_took_away(shop: Shop):
    report, reviewed = shop.report(finding(1)), shop.reviewed()
    gone = summary_marker(SummaryMark("c" * 40, "0" * 32))
    shop.hub.add_comment(shop.hub.actor.login, f"{SUMMARY_HEADING}\n\n{gone}")
    shop.push()
    shop.publish(report=report, reviewed=reviewed)
    assert shop.summary.body.endswith(gone)


def test_publish__text_that_a_person_added_below_the_summary(shop: Shop):
    shop.publish(finding(1))
    shop.hub.pull.notes.comments[shop.summary.id].body += "\n\nI looked at these."
    shop.push()
    shop.publish(finding(1))
    assert shop.hub.head_sha[:12] in shop.summary.body


@pytest.mark.parametrize("status", [403, 422, 502])
def test_publish__only_the_summary_cannot_be_posted(shop: Shop, status):
    shop.hub.faults.fail("POST .*/issues/7/comments", status, message="No", times=None)
    result = shop.publish(finding(1))
    assert (len(result.posted), result.summary_only) == (1, True)
    assert re.match(rf"The summary could not be posted\. GitHub answered {status}", result.problem)


def test_publish__a_second_between_writes_and_none_after_a_query(shop: Shop):
    shop.between_writes = 1.0
    shop.publish(finding(1))
    (pause,) = shop.waits
    assert 0 < pause <= 1.0
