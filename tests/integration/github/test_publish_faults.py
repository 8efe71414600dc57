"""Publishing when GitHub refuses, does not answer, or has had enough: nothing is lost, nothing is said twice."""

from __future__ import annotations

import pytest
from publishing import Shop, finding, numbered

from devpulse.core.change import Side
from devpulse.core.finding import Finding
from devpulse.output.comments.plan import Cause
from devpulse.output.comments.record import Published

REVIEW, SUMMARY, SINGLE = "POST /pulls/7/reviews", "POST /issues/7/comments", "POST /pulls/7/comments"
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
REFUSAL = "line must be part of the diff"


def twenty() -> list[Finding]:
    return [finding(number) for number in range(1, 21)]


def causes(result: Published) -> list[tuple[int, Cause]]:
    return [(int(item.finding.fingerprint, 16), item.cause) for item in result.unplaced]


def test_publish__one_of_twenty_outside_the_diff_costs_only_itself(shop: Shop):
    found = [finding(number) for number in range(1, 20)]
    outside = finding(20, path="app/admin.py", start_line=30, end_line=30)
    result = shop.publish(*found, outside)
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY]
    assert shop.lines() == list(range(1, 20))
    assert causes(result) == [(20, Cause.REFUSED)]
    assert REFUSAL in result.unplaced[0].detail
    assert result.calls <= 7
    assert "GitHub refused the comment" in shop.summary.body
    assert "`app/admin.py:30`" in shop.summary.body


def test_publish__what_was_refused_is_not_tried_again_at_the_same_head(shop: Shop):
    found = [finding(1), finding(2, path="app/admin.py", start_line=30, end_line=30)]
    shop.publish(*found)
    body, writes = shop.summary.body, shop.writes()
    result = shop.publish(*found)
    assert shop.writes() == writes
    assert shop.summary.body == body
    assert causes(result) == [(2, Cause.REFUSED)]
    shop.push()
    shop.publish(*found)
    assert shop.writes()[len(writes)] == REVIEW


def test_publish__a_line_refused_inside_the_diff_is_found_one_by_one(shop: Shop):
    shop.hub.pull.refuse_lines.add(("app/wide.py", 2))
    result = shop.publish(finding(1), finding(2), finding(3))
    assert shop.writes() == [REVIEW, SINGLE, SINGLE, SINGLE, SUMMARY]
    assert shop.lines() == [1, 3]
    assert causes(result) == [(2, Cause.REFUSED)]
    assert [each.fingerprint for each in result.posted] == [f"{1:032x}", f"{3:032x}"]


def test_publish__one_by_one_where_the_diff_is_not_shown(shop: Shop):
    shop.hub.pull.missing_patches.add("app/admin.py")
    wrong = finding(2, path="app/admin.py", start_line=30, end_line=30)
    right = finding(3, path="app/admin.py", side=Side.LEFT, start_line=10, end_line=12)
    result = shop.publish(finding(1), wrong, right)
    assert causes(result) == [(2, Cause.REFUSED)]
    assert len(shop.hub.threads) == 2


def test_publish__what_every_comment_is_refused_for_ends_it(shop: Shop):
    shop.hub.faults.fail("POST .*/pulls/7/reviews", 422, message="The conversation is locked")
    shop.hub.faults.fail("POST .*/pulls/7/comments", 422, message="The conversation is locked", times=3)
    result = shop.publish(*twenty())
    assert shop.writes() == [REVIEW, SINGLE, SINGLE, SINGLE, SUMMARY]
    assert [cause for _, cause in causes(result)] == [Cause.NOT_SENT] * 20
    assert "conversation is locked" in result.failed
    shop.publish(*twenty())
    assert shop.lines() == list(range(1, 21))


def test_publish__three_refusals_for_their_places_do_not_end_it(shop: Shop):
    shop.hub.pull.refuse_lines |= {("app/wide.py", line) for line in (1, 2, 3, 4)}
    result = shop.publish(*(finding(number) for number in range(1, 6)))
    assert causes(result) == [(number, Cause.REFUSED) for number in (1, 2, 3, 4)]
    assert shop.lines() == [5]


def test_publish__all_refused_are_in_the_summary(shop: Shop):
    found = [finding(number, path="app/admin.py", start_line=30, end_line=30) for number in range(1, 6)]
    result = shop.publish(*found, finding(6, path="app/none.py"))
    assert shop.writes() == [REVIEW, SUMMARY]
    assert shop.hub.threads == []
    assert [cause for _, cause in causes(result)] == [Cause.REFUSED] * 6
    assert "`app/none.py:6`" in shop.summary.body


def test_publish__a_token_that_may_only_read_ends_it_at_once(shop: Shop):
    shop.hub.faults.read_only = True
    result = shop.publish(*twenty())
    assert shop.writes() == [REVIEW]
    assert "Resource not accessible by integration" in result.denied
    assert [cause for _, cause in causes(result)] == [Cause.NOT_SENT] * 20
    assert all(item.detail == result.denied for item in result.unplaced)


def test_publish__a_token_that_may_only_read_and_nothing_but_a_summary(shop: Shop):
    shop.hub.faults.read_only = True
    result = shop.publish()
    assert "integration" in result.denied
    assert shop.writes() == [SUMMARY]


def test_publish__lost_reply_of_the_review(shop: Shop):
    shop.hub.faults.lose_reply("POST .*/reviews")
    result = shop.publish(*twenty())
    assert shop.writes() == [REVIEW, SUMMARY]
    assert len(shop.hub.threads) == len(result.posted) == 20
    assert (result.unplaced, result.failed) == ((), "")
    assert result.calls <= 5
    assert shop.waits == [2.0]


def test_publish__lost_reply_of_the_summary(shop: Shop):
    shop.hub.faults.lose_reply("POST .*/issues/7/comments")
    result = shop.publish(finding(1))
    assert shop.writes() == [REVIEW, SUMMARY]
    assert result.summary_url.endswith(f"#issuecomment-{shop.summary.id}")
    assert result.failed == ""


def test_publish__lost_reply_of_an_update(shop: Shop):
    shop.publish(finding(1))
    shop.push()
    shop.hub.faults.lose_reply("PATCH")
    shop.publish(finding(1))
    assert [each for each in shop.writes() if "PATCH" in each] == [f"PATCH /issues/comments/{shop.summary.id}"]
    assert shop.hub.head_sha[:12] in shop.summary.body


@pytest.mark.parametrize("fault", ["drop", "fail"])
def test_publish__what_did_not_arrive_is_sent_once_more(shop: Shop, fault):
    getattr(shop.hub.faults, fault)("POST .*/(reviews|issues/7/comments)", times=1)
    result = shop.publish(finding(1), finding(2))
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY]
    assert shop.lines() == [1, 2]
    assert result.unplaced == ()


def test_publish__a_summary_that_did_not_arrive_is_sent_once_more(shop: Shop):
    shop.hub.faults.drop("POST .*/issues/7/comments")
    shop.publish()
    assert shop.writes() == [SUMMARY, SUMMARY]
    assert shop.summary.body


def test_publish__a_second_lost_reply_is_looked_up_too(shop: Shop):
    shop.hub.faults.drop("POST .*/reviews")
    shop.hub.faults.lose_reply("POST .*/reviews")
    result = shop.publish(finding(1))
    assert shop.lines() == [1]
    assert (result.unplaced, result.failed) == ((), "")


def test_publish__gives_up_after_the_second_failure(shop: Shop):
    shop.hub.faults.fail("POST .*/reviews", times=None)
    result = shop.publish(finding(1))
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY]
    assert causes(result) == [(1, Cause.NOT_SENT)]
    assert "502" in result.failed
    assert "- Not posted" in shop.summary.body


def test_publish__sends_nothing_again_when_it_cannot_look(shop: Shop):
    shop.hub.faults.lose_reply("POST .*/reviews")
    shop.hub.faults.before("POST .*/reviews", lambda: setattr(shop.hub.faults, "graphql_down", True))
    result = shop.publish(finding(1))
    assert shop.writes().count(REVIEW) == 1
    assert causes(result) == [(1, Cause.NOT_SENT)]
    assert "whether the comments arrived cannot be read" in result.unplaced[0].detail


def test_publish__a_failed_query_is_asked_again(shop: Shop):
    shop.hub.faults.fail("POST /graphql", times=2)
    result = shop.publish(finding(1))
    assert (shop.lines(), result.failed) == ([1], "")
    assert shop.waits == [0.5, 1.0]


def test_publish__a_failed_query_is_not_asked_again_when_the_time_of_the_run_is_over(shop: Shop):
    shop.hub.faults.fail("POST /graphql", times=2)
    shop.patience.end_in(0.2)
    result = shop.publish(finding(1))
    assert (shop.writes(), shop.waits) == ([], [])
    assert "502" in result.failed


def test_publish__writes_nothing_when_it_cannot_read_what_stands(shop: Shop):
    shop.hub.faults.graphql_down = True
    result = shop.publish(*twenty())
    assert shop.writes() == []
    assert "502" in result.failed
    assert [cause for _, cause in causes(result)] == [Cause.NOT_SENT] * 20


def test_publish__waits_for_a_short_rate_limit(shop: Shop):
    shop.hub.faults.secondary_limit("POST .*/reviews", retry_after=3)
    result = shop.publish(finding(1))
    assert shop.waits == [3.0]
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY]
    assert result.unplaced == ()


@pytest.mark.parametrize(("status", "message"), [(422, "was submitted too quickly"), (403, SECONDARY), (429, "")])
def test_publish__waits_a_minute_for_a_limit_that_says_no_time(shop: Shop, status, message):
    shop.hub.faults.fail("POST .*/reviews", status, message=message)
    result = shop.publish(finding(1))
    assert shop.waits == [60.0]
    assert shop.writes() == [REVIEW, REVIEW, SUMMARY]
    assert (shop.lines(), result.failed) == ([1], "")


def test_publish__slows_down_when_told_so_again(shop: Shop):
    shop.hub.faults.fail("POST .*/reviews", 422, message="was submitted too quickly", times=None)
    result = shop.publish(finding(1))
    assert "Run again later" in result.failed
    assert "report" not in result.failed


def test_publish__waits_no_longer_than_is_left_of_the_run(shop: Shop):
    assert shop.patience.take(88.0)
    shop.hub.faults.secondary_limit("POST .*/reviews", retry_after=3)
    assert "rate limit" in shop.publish(finding(1)).failed
    assert shop.waits == []


def test_publish__waits_for_a_short_rate_limit_of_queries(shop: Shop):
    shop.hub.faults.secondary_limit("POST /graphql", retry_after=3)
    assert shop.publish(finding(1)).failed == ""
    assert shop.waits == [3.0]


def test_publish__stops_at_a_long_rate_limit(shop: Shop):
    shop.hub.faults.secondary_limit("POST .*/reviews", retry_after=600)
    result = shop.publish(*twenty())
    assert shop.waits == []
    assert shop.writes() == [REVIEW]
    assert "rate limit" in result.failed
    assert [cause for _, cause in causes(result)] == [Cause.NOT_SENT] * 20


def test_publish__a_rate_limit_ends_the_comments_one_by_one(shop: Shop):
    shop.hub.pull.refuse_lines.add(("app/wide.py", 1))
    shop.hub.faults.before("POST .*/pulls/7/comments", lambda: shop.hub.faults.limit_writes(2, retry_after=600))
    result = shop.publish(finding(1), finding(2), finding(3), finding(4))
    assert shop.lines() == [2]
    assert sorted(causes(result)) == [(1, Cause.REFUSED), (3, Cause.NOT_SENT), (4, Cause.NOT_SENT)]
    again = shop.publish(finding(1), finding(2), finding(3), finding(4))
    assert again.failed


def test_publish__the_next_run_posts_what_was_not_sent(shop: Shop):
    shop.hub.faults.secondary_limit("POST .*/reviews", retry_after=600)
    shop.publish(finding(1))
    shop.publish(finding(1))
    assert shop.lines() == [1]
    assert "Not posted" not in shop.summary.body


def test_publish__a_summary_deleted_meanwhile_is_written_anew(shop: Shop):
    shop.publish(finding(1))
    shop.push()
    shop.hub.faults.before("PATCH", lambda: shop.hub.delete_comment(shop.summary.id))
    shop.hub.faults.fail("PATCH", 404, message="Not Found")
    shop.publish(finding(1))
    assert shop.hub.head_sha[:12] in shop.summary.body


def test_publish__a_force_push_just_before_the_review(shop: Shop):
    old = shop.hub.head_sha

    def force() -> None:
        shop.repo.write("app/wide.py", numbered(0, 40, "wide"))
        shop.repo.git("commit", "--quiet", "--all", "--amend", "--message", "other")
        shop.hub.moved()

    found = [finding(1), finding(2, path="app/new.py", start_line=20, end_line=20)]
    shop.hub.faults.before("POST .*/reviews", force)
    result = shop.publish(*found, reviewed=shop.reviewed())
    assert result.commit == shop.hub.head_sha != old
    assert [(t.path, t.commit) for t in shop.hub.threads] == [("app/new.py", shop.hub.head_sha)]
    assert causes(result) == [(1, Cause.MOVED)]


def test_publish__a_push_while_the_files_are_read(shop: Shop):
    text = shop.repo.root.joinpath("app/new.py").read_text()
    report = shop.report(finding(2, path="app/new.py", start_line=20, end_line=20))
    reviewed = shop.reviewed()
    shop.push("app/new.py", text.replace("changed", "changed again"))
    shop.hub.faults.before("GET .*/files", lambda: shop.push("app/new.py", text))
    result = shop.publish(report=report, reviewed=reviewed)
    assert [(t.line, t.commit) for t in shop.hub.threads] == [(20, shop.hub.head_sha)]
    assert result.commit == shop.hub.head_sha


def test_publish__a_pull_request_that_is_not_there(shop: Shop):
    shop.hub.pull.number = 8
    result = shop.publish(finding(1))
    assert result.denied
    assert shop.writes() == []
