"""Two runs at once, and a publication without rights, over what stands."""

from __future__ import annotations

import pytest
from fakes.github_state import Thread
from publishing import Shop, finding, numbered

from devpulse.output.comments.marker import RunNumber
from devpulse.output.comments.plan import Cause
from devpulse.output.comments.rights import Rights

REVIEW, SUMMARY = "POST /pulls/7/reviews", "POST /issues/7/comments"
NO_RIGHTS = Rights(resolve=False)


def meanwhile(shop: Shop, *found) -> None:
    """Let another run post the same after this one has looked, just before it posts."""
    report, reviewed = shop.report(*found), shop.reviewed()
    shop.hub.faults.before("POST .*/pulls/7/reviews", lambda: shop.stand_in(report, reviewed))


def test_publish__what_two_runs_posted_within_one_round_trip_is_deleted_once(shop: Shop):
    meanwhile(shop, finding(1), finding(2))
    result = shop.publish(finding(1), finding(2))
    assert shop.lines() == [1, 2]
    older, newer = sorted(thread.comments[0].id for thread in shop.hub.threads), [each.id for each in result.deleted]
    assert max(older) < min(newer)
    assert shop.publish(finding(1), finding(2)).writes == 0


def test_publish__a_duplicate_that_somebody_answered_stays(shop: Shop):
    meanwhile(shop, finding(1))
    shop.publish(finding(1), rights=NO_RIGHTS)  # which leaves both
    assert shop.lines() == [1, 1]
    newer = max(shop.hub.threads, key=lambda thread: thread.id)
    shop.hub.reply(newer, "ada", "Hm.")
    assert shop.publish(finding(1)).deleted == ()
    assert shop.lines() == [1, 1]


def test_publish__of_two_runs_about_one_commit_the_older_yields(shop: Shop):
    shop.publish(finding(1), run=RunNumber(9))
    before = shop.summary.body
    older = shop.publish(finding(1), finding(2), run=RunNumber(8))
    assert (older.writes, [item.cause for item in older.unplaced]) == (0, [Cause.MOVED])
    assert (shop.summary.body, shop.lines()) == (before, [1])
    asked_again = shop.publish(finding(1), finding(2), run=RunNumber(8, attempt=2))
    assert (len(asked_again.posted), shop.lines()) == (1, [1, 2])


def test_publish__the_older_run_finds_the_newer_summary_only_when_it_writes_its_own(shop: Shop):
    report = shop.report(finding(1))

    def newer() -> None:
        Shop(shop.repo, shop.hub, shop.client, shop.calls, shop.patience).publish(report=report, run=RunNumber(9))

    shop.hub.faults.before("POST .*/pulls/7/reviews", newer)
    shop.publish(finding(1), finding(2), run=RunNumber(8))
    assert " run=9.1 " in shop.summary.body


def settled(thread: Thread) -> tuple[int, bool]:
    return len(thread.comments), thread.resolved_by is not None


@pytest.mark.parametrize("rights", [NO_RIGHTS, Rights()])
def test_publish__without_the_right_nothing_is_answered_closed_or_opened_again(shop: Shop, rights: Rights):
    shop.publish(finding(1), finding(2), finding(3))
    gone, asked, back = shop.hub.threads
    shop.push("app/wide.py", numbered(1, 40, "wide") + "more\n")
    shop.publish(finding(1), finding(2))  # closes the third
    assert [settled(each) for each in (gone, asked, back)] == [(1, False), (1, False), (2, True)]
    shop.hub.permissions["ada"] = "write"
    shop.hub.reply(asked, "ada", "/devpulse ignore known")
    shop.push("app/wide.py", numbered(1, 40, "wide") + "even more\n")
    result = shop.publish(finding(2), finding(3), rights=rights)
    after = [settled(each) for each in (gone, asked, back)]
    if rights.resolve:
        assert after == [(2, True), (3, True), (3, False)]
    else:
        assert after == [(1, False), (2, False), (2, True)]
        assert (result.settled, result.plan.actions) == ((), ())


def test_publish__a_token_that_may_not_resolve_answers_once_and_says_what_it_lacks(shop: Shop):
    shop.publish(finding(1), finding(2))
    shop.push("app/wide.py", numbered(1, 40, "wide") + "more\n")
    shop.hub.faults.before("POST .*/replies", lambda: setattr(shop.hub.faults, "may_not_resolve", True))
    result = shop.publish()
    assert [settled(each) for each in shop.hub.threads] == [(2, False), (2, False)]
    assert "contents: write and pull-requests: write" in result.threads_problem
    assert result.problem == ""
    mutations = [each for each in shop.hub.writes() if each.path == "/graphql"]
    assert len(mutations) == 1, "it is not asked again for the other thread"
