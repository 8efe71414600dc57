"""What is said and done in threads that stand."""

from __future__ import annotations

from typing import Any

import pytest
from builders import make_finding

from devpulse.core.finding import FindingStatus
from devpulse.output.comments.decisions import Decision
from devpulse.output.comments.judging import Judged
from devpulse.output.comments.marker import ThreadNote, read_note_marker
from devpulse.output.comments.standing import Ignore, Standing, StandingComment, duplicates
from devpulse.output.comments.threads import thread_actions

HEAD = "b" * 40
GONE, BACK, IGNORED, ACCEPTED = ThreadNote.GONE, ThreadNote.BACK, ThreadNote.IGNORED, ThreadNote.ACCEPTED


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


def told(judged: Judged, *decided: str) -> list[tuple[ThreadNote, bool | None]]:
    found = [make_finding(fingerprint="aaaa")] if judged.kept else []
    decisions = dict.fromkeys(["aaaa"] if decided else [], Decision("".join(decided), "", asked=True))
    actions = thread_actions(judged, found, decisions, HEAD)
    assert all(read_note_marker(action.body) is action.note for action in actions)
    return [(action.note, action.resolve) for action in actions]


@pytest.mark.parametrize(
    ("overrides", "actions"),
    [
        ({}, [(GONE, True)]),
        ({"can_resolve": False}, [(GONE, None)]),
        ({"answered_by": ("ada",)}, []),
        ({"resolved": True, "resolved_by": "ada"}, []),
        ({"note": GONE}, []),
        ({"note": BACK}, [(GONE, True)]),
    ],
)
def test_thread_actions__gone(overrides, actions):
    assert told(Judged((), (comment(**overrides),), ())) == actions
    assert told(Judged((), (), (comment(**overrides),))) == []


@pytest.mark.parametrize(
    ("overrides", "actions"),
    [
        ({}, []),
        ({"resolved": True, "resolved_by": "bot", "note": GONE}, [(BACK, False)]),
        ({"resolved": True, "resolved_by": "bot", "note": IGNORED}, [(BACK, False)]),
        ({"resolved": True, "resolved_by": "bot", "note": ACCEPTED}, [(BACK, False)]),
        ({"note": ACCEPTED}, [(BACK, None)]),
        ({"resolved": True, "resolved_by": "ada", "note": BACK}, []),
        ({"resolved": True, "resolved_by": "ada"}, []),
        ({"note": GONE}, [(BACK, None)]),
    ],
)
def test_thread_actions__back(overrides, actions):
    assert told(Judged((comment(**overrides),), (), ())) == actions


def test_thread_actions__set_aside_is_confirmed_once():
    asked = comment(ignores=(Ignore("ada", "x"),))
    assert told(Judged((asked,), (), ()), "ada") == [(IGNORED, True)]
    assert told(Judged((comment(ignores=(Ignore("ada", "x"),), note=IGNORED),), (), ()), "ada") == []


@pytest.mark.parametrize(
    ("overrides", "actions"),
    [
        ({}, [(ACCEPTED, True)]),
        ({"can_resolve": False}, [(ACCEPTED, None)]),
        ({"note": BACK}, [(ACCEPTED, True)]),
        ({"note": ACCEPTED}, []),
        ({"answered_by": ("ada",)}, []),
        ({"resolved": True, "resolved_by": "ada"}, []),
    ],
)
def test_thread_actions__accepted_by_the_project(overrides, actions):
    found = make_finding(fingerprint="aaaa", status=FindingStatus.SUPPRESSED, reason="a <!-- b -->\n@ada.")
    done = thread_actions(Judged((comment(**overrides),), (), ()), [found], {}, HEAD)
    assert [(action.note, action.resolve) for action in done] == actions
    for action in done:
        assert action.body.startswith("Accepted: a ")
        assert action.body.count("<!--") == 1
        assert read_note_marker(action.body) is ACCEPTED
    decided = {"aaaa": Decision("ada", "", asked=False)}
    assert thread_actions(Judged((comment(**overrides),), (), ()), [found], decided, HEAD) == ()


def test_duplicates__the_newer_one_that_nobody_touched():
    one, two = comment(id=1), comment(id=2)
    answered = comment(id=3, answered_by=("ada",))
    assert list(duplicates(Standing((two, one, answered)))) == [two]
