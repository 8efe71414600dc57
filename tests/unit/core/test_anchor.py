"""Where evidence stands."""

from __future__ import annotations

import pytest
from builders import make_hunk
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from devpulse.core.anchor import MAX_EVIDENCE_LINES, Anchor, LineIndex, Unanchored, anchor, evidence_lines
from devpulse.core.change import Side
from devpulse.core.text import normalise_space

FILE = ("import db", "", "def one(x):", "    return db.run(x)", "", "def two(x):", "    return db.run(x)", "# end")
LOW_HUNK = make_hunk(" def one(x):\n+    return db.run(x)\n \n", old_start=3, new_start=3)
HIGH_HUNK = make_hunk(" def two(x):\n+    return db.run(x)\n # end\n", old_start=5, new_start=6)
BOTH = (LOW_HUNK, HIGH_HUNK)


def _start(evidence, claimed, lines=FILE, hunks=BOTH, side=Side.RIGHT):
    place = anchor(evidence, claimed, lines, hunks, side)
    return place.start_line if isinstance(place, Anchor) else None


def test_anchor__at_the_claimed_line_it_stands():
    assert anchor("return db.run(x)", 7, FILE, BOTH, Side.RIGHT) == Anchor(7, 7, (4, 7))
    assert anchor("  return   db.run(x)\r", 4, FILE, (), Side.RIGHT) == Anchor(4, 4, (4, 7))


@pytest.mark.parametrize("claimed", [1, 2, 4, 8, 900])
def test_anchor__once_elsewhere_it_moves_there_whatever_was_claimed(claimed):
    assert _start("def one(x):", claimed) == 3


def test_anchor__several_times_nearest_in_the_hunk_of_the_claimed_line():
    assert _start("return db.run(x)", 3) == 4
    assert _start("return db.run(x)", 8) == 7


@pytest.mark.parametrize("claimed", [1, 9, 100])
def test_anchor__several_times_outside_every_hunk_is_never_guessed(claimed):
    place = anchor("return db.run(x)", claimed, FILE, BOTH, Side.RIGHT)
    assert isinstance(place, Unanchored)
    assert "2 places" in place.reason
    assert str(claimed) in place.reason


def test_anchor__equally_near_takes_the_upper_one():
    lines = ("x", "other", "x")
    hunk = make_hunk("+x\n+other\n+x\n")
    assert _start("x", 2, lines, (hunk,)) == 1


def test_anchor__left_side_uses_old_numbers_of_the_hunk():
    hunk = make_hunk("-x\n-guard\n+new\n", old_start=5, new_start=50)
    base = ("x", "", "", "", "x", "guard")
    assert _start("x", 6, base, (hunk,), Side.LEFT) == 5
    assert _start("x", 6, base, (hunk,), Side.RIGHT) is None


def test_anchor__last_line_and_whole_file_are_reached():
    assert _start("# end", 1) == 8
    assert _start("\n".join(FILE), 5) == 1
    assert _start("\n".join([*FILE, "more"]), 1) is None


def test_anchor__lines_must_be_consecutive_and_in_order():
    assert _start("def one(x):\nreturn db.run(x)", 3) == 3
    assert _start("return db.run(x)\ndef one(x):", 3) is None
    assert _start("return db.run(x)\n\ndef two(x):", 1) == 4


@pytest.mark.parametrize("evidence", ["", "\n", " \t \n ", "nowhere()"])
def test_anchor__nothing_to_find_is_unanchored(evidence):
    assert isinstance(anchor(evidence, 2, FILE, BOTH, Side.RIGHT), Unanchored)


def test_anchor__more_than_ten_lines_are_refused():
    lines = tuple(f"line {number}" for number in range(20))
    assert _start("\n".join(lines[:MAX_EVIDENCE_LINES]), 1, lines) == 1
    place = anchor("\n".join(lines[: MAX_EVIDENCE_LINES + 1]), 1, lines, (), Side.RIGHT)
    assert isinstance(place, Unanchored)
    assert "11 lines" in place.reason


def test_anchor__empty_file():
    assert _start("x", 1, ()) is None


def test_evidence_lines__blank_ends_go_inner_ones_stay():
    assert evidence_lines("\n \n a  b\n\n\tc\r\n\n") == ["a b", "", "c"]


CODE = st.sampled_from(["", "a", "  a", "a ", "b", "a b", "a  b", "\tc"])


@settings(deadline=None)
@given(st.lists(CODE, max_size=12), st.lists(CODE, min_size=1, max_size=3), st.integers(1, 14), st.integers(0, 12))
def test_anchor__result_always_equals_the_evidence_and_is_never_a_guess(lines, evidence, claimed, size):
    hunks = (make_hunk("".join(f"+{line}\n" for line in lines[:size])),) if lines[:size] else ()
    quoted = "\n".join(evidence)
    wanted = evidence_lines(quoted)
    assume(wanted)
    found = [
        start
        for start in range(1, len(lines) - len(wanted) + 2)
        if [normalise_space(line) for line in lines[start - 1 : start - 1 + len(wanted)]] == wanted
    ]
    place = anchor(quoted, claimed, lines, hunks, Side.RIGHT)
    if isinstance(place, Unanchored):
        shown = {number for hunk in hunks for number in hunk.numbers(Side.RIGHT)}
        assert len(found) != 1
        assert claimed not in found
        assert not found or claimed not in shown or not shown & set(found)
        return
    assert [normalise_space(line) for line in lines[place.start_line - 1 : place.end_line]] == wanted
    assert place.occurrences == tuple(found)
    if len(found) > 1 and place.start_line != claimed:
        assert any({claimed, place.start_line} <= hunk.numbers(Side.RIGHT) for hunk in hunks)


@pytest.mark.timeout(20)  # which thousands of searches through all lines would take many times over
def test_line_index__thousands_of_equal_lines():
    index = LineIndex(["x"] * 50_000)
    assert all(len(index.places(["x"])) == 50_000 for _ in range(50_000))
