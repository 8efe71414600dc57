"""What a publication did, in words."""

from __future__ import annotations

from typing import Any

from builders import make_finding

from devpulse.output.comments.marker import ThreadNote
from devpulse.output.comments.place import Place
from devpulse.output.comments.plan import Cause, CommentPlan, PlannedComment, Unplaced
from devpulse.output.comments.record import Published
from devpulse.output.comments.said import render_published, said_of, traffic_of, would_be
from devpulse.output.comments.standing import StandingComment
from devpulse.output.comments.threads import ThreadAction

HEAD = "b" * 40


def comment(number: int = 1, url: str = "https://x.example/1") -> StandingComment:
    return StandingComment(number, "T", "aaaa", "a.py", 1, False, "", (), url)


def planned(**overrides: Any) -> PlannedComment:
    finding = make_finding(path="app/a.py", start_line=3, end_line=3, **overrides)
    return PlannedComment(finding, "body", Place("app/a.py", 3, 3))


def plan(**overrides: Any) -> CommentPlan:
    values: dict[str, Any] = {"new": (), "kept": (), "gone": (), "unjudged": (), "unplaced": ()}
    return CommentPlan(HEAD, **values | overrides)


def action(note: ThreadNote, *, resolve: bool | None) -> ThreadAction:
    return ThreadAction(comment(), note, "body", resolve)


def test_said_of__everything_that_happened():
    published = Published(
        plan(kept=(comment(),)),
        HEAD,
        posted=(planned(),),
        settled=(
            action(ThreadNote.GONE, resolve=True),
            action(ThreadNote.BACK, resolve=False),
            action(ThreadNote.GONE, resolve=None),
        ),
        deleted=(comment(2),),
        unplaced=(Unplaced(make_finding(), Cause.OVER_LIMIT), Unplaced(make_finding(), Cause.REFUSED)),
        threads_problem="No right.",
    )
    assert said_of(published) == (
        "Comments: 1 posted, 1 stand from before, 1 thread closed, 1 thread opened again, 1 duplicate deleted, "
        "2 findings without one (1 over the limit). Some threads stay as they are: No right."
    )


def test_said_of__nothing_happened_and_a_problem():
    assert said_of(Published(plan(), HEAD)) == "Comments: 0 posted, 0 stand from before."
    assert said_of(Published(plan(), HEAD, denied="No.")).endswith("Comments could not be posted. No.")


def test_traffic_of__counts():
    assert traffic_of(Published(plan(), HEAD, calls=7, writes=1), 1200) == (
        "GitHub: 1,200 calls in this run, 7 of them to publish, 1 write."
    )


def test_render_published__a_dry_run_lists_what_would_be():
    actions = tuple(action(note, resolve=True) for note in ThreadNote)
    published = Published(plan(new=(planned(title="Bad <b>"),), actions=actions), HEAD, dry_run=True)
    shown = render_published(published, 3)
    assert "Dry run: nothing was written; 1 comment and answers in 4 threads would be." in shown
    assert "- comment at `app/a.py:3`: " in shown
    assert "<b>" not in shown
    assert shown.count(" and close it") == len(ThreadNote)
    assert "would be\n" not in render_published(Published(plan(), HEAD), 3)


def test_would_be__a_long_list_says_how_many_more():
    rows = list(would_be(Published(plan(new=(planned(),) * 30), HEAD, dry_run=True)))
    assert len(rows) == 26
    assert rows[-1] == "- … and 5 more in `comments.json`"
    left = list(would_be(Published(plan(actions=(action(ThreadNote.BACK, resolve=False),)), HEAD, dry_run=True)))
    assert left[0].endswith(" and open it again")
