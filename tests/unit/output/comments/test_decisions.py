"""What people decide in threads."""

from __future__ import annotations

from typing import Any

import pytest
from builders import make_finding

from devpulse.core.finding import FindingStatus
from devpulse.output.comments.decisions import Decision, decide, deciders, read_ignore, set_aside, unheeded
from devpulse.output.comments.marker import ThreadNote
from devpulse.output.comments.standing import Ignore, IgnoreRequest, Standing, StandingComment

ADA = {"ada": True, "eve": False}


def comment(**overrides: Any) -> StandingComment:
    values: dict[str, Any] = {
        "id": 1,
        "thread_id": "T",
        "fingerprint": "aaaa",
        "path": "a.py",
        "line": 1,
        "url": "https://x.example",
    }
    values |= {"resolved": False, "resolved_by": "", "answered_by": (), "own": "bot"}
    return StandingComment(**values | overrides)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("/devpulse ignore only a test", "only a test"),
        ("  /devpulse  ignore\nmore words", ""),
        ("/DevPulse ignore x", "x"),
        ("> /devpulse ignore quoted", None),
        ("please /devpulse ignore", None),
        ("/devpulse ignored", None),
        ("", None),
    ],
)
def test_read_ignore__the_first_line_alone(body, why):
    assert read_ignore(body) == why


def test_decide__only_people_with_write_permission():
    closed = comment(resolved=True, resolved_by="ada")
    asked = comment(fingerprint="bbbb", ignores=(Ignore("ada", "known"), Ignore("eve", "no")))
    nobody = comment(fingerprint="cccc", resolved=True, resolved_by="eve", ignores=(Ignore("eve", "no"),))
    ours = comment(fingerprint="dddd", resolved=True, resolved_by="bot", note=ThreadNote.GONE)
    standing = Standing((closed, asked, nobody, ours))
    decided = decide(standing, {**ADA, "bot": True}, ())
    assert decided == {"aaaa": Decision("ada", "", asked=False), "bbbb": Decision("ada", "known", asked=True)}
    assert list(deciders(standing, ["bbbb", "cccc", "dddd"])) == ["ada", "eve"]


def test_decide__asked_in_the_conversation_by_the_beginning_of_a_fingerprint():
    one, other = "a" * 32, "a" * 9 + "b" * 23
    closed = comment(fingerprint=one, resolved=True, resolved_by="ada")
    requests = [
        IgnoreRequest("ada", one[:10], "known"),
        IgnoreRequest("ada", "a" * 8, "fits two"),
        IgnoreRequest("eve", other, "may not"),
        IgnoreRequest("bob", "c" * 8, "is not there"),
    ]
    standing = Standing((closed,), requests=tuple(requests))
    assert decide(standing, ADA, [one, other]) == {one: Decision("ada", "known", asked=True)}
    assert list(deciders(standing, [one, other])) == ["ada", "eve"]
    threaded = Standing((comment(fingerprint=one, ignores=(Ignore("ada", "newer"),)),), requests=tuple(requests))
    assert decide(threaded, ADA, [one])[one].why == "newer"


def test_set_aside__says_who_and_why():
    found = [make_finding(fingerprint="aaaa"), make_finding(fingerprint="bbbb")]
    one, other = set_aside(found, {"aaaa": Decision("ada", "only\n a test", asked=True)})
    assert (one.status, one.reason) == (
        FindingStatus.SUPPRESSED,
        "ada had it ignored on the pull request: only a test",
    )
    assert other == found[1]


def test_unheeded__closed_by_somebody_who_may_not():
    closed = comment(resolved=True, resolved_by="eve")
    assert unheeded([closed], [make_finding(fingerprint="aaaa")], ADA) == (closed,)
    assert unheeded([closed], [make_finding(fingerprint="aaaa")], {}) == ()
