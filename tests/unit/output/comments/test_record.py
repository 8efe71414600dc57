"""``comments.json``."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from builders import make_finding, make_report

from devpulse.output.comments.plan import Cause, Unplaced, plan_comments
from devpulse.output.comments.record import Published, render_record
from devpulse.output.comments.standing import Standing, StandingComment

HEAD = "b" * 40


def test_render_record__says_what_became_of_the_plan():
    new, odd, kept = (
        make_finding(),
        make_finding(fingerprint="aaaa", path="caf\udce9.py"),
        make_finding(fingerprint="cccc"),
    )
    stands = StandingComment(1, "T", "cccc", "app/db.py", 4, True, "ada", (), "https://x.example/1")
    gone = StandingComment(2, "T", "dddd", "app/old.py", 4, False, "", (), "https://x.example/2")
    plan = plan_comments(make_report(new, odd, kept), Standing((stands, gone)), max_comments=9)
    unplaced = (*plan.unplaced, Unplaced(new, Cause.REFUSED, "\u202eno\ud800"))
    text = render_record(Published(plan, HEAD, plan.new, unplaced, summary_url="https://x.example", calls=4, writes=2))
    assert text.isascii()
    record = json.loads(text)
    assert record["schema"] == "devpulse.comments/1"
    assert (record["reviewed"], record["commit"]) == (HEAD, HEAD)
    assert record["posted"] == [
        {
            "fingerprint": new.fingerprint,
            "path": "app/db.py",
            "side": "RIGHT",
            "start_line": 4,
            "end_line": 4,
            "body": plan.new[0].body,
        }
    ]
    assert [each["fingerprint"] for each in record["kept"]] == ["cccc"]
    assert [each["fingerprint"] for each in record["gone"]] == ["dddd"]
    assert [(each["path"], each["cause"]) for each in record["unplaced"]] == [
        ("caf\\xe9.py", "no-place"),
        ("app/db.py", "refused"),
    ]
    assert record["unplaced"][1]["detail"] == "\u202eno\ufffd"
    assert (record["calls"], record["writes"], record["denied"]) == (4, 2, "")


@pytest.mark.parametrize(("settled", "told"), [((), (False, False)), ((None,), (True, False)), ((True,), (True, True))])
def test_render_record__a_thread_that_was_only_answered_is_not_done(settled, told):
    gone = StandingComment(2, "T", "dddd", "app/old.py", 4, False, "", (), "https://x.example/2")
    plan = plan_comments(make_report(), Standing((gone,)), max_comments=9)
    done = tuple(replace(action, resolve=resolve) for action in plan.actions for resolve in settled)
    (thread,) = json.loads(render_record(Published(plan, HEAD, settled=done)))["threads"]
    assert (thread["answered"], thread["done"]) == told


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({}, ""),
        ({"denied": "It may not."}, "Comments could not be posted. It may not."),
        ({"failed": "It broke.", "summary_only": True}, "The summary could not be posted. It broke."),
    ],
)
def test_published__problem(values, problem):
    plan = plan_comments(make_report(), Standing(), max_comments=9)
    assert Published(plan, HEAD, **values).problem == problem
