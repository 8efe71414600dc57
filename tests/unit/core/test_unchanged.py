"""Unchanged lines around hunks."""

from __future__ import annotations

from builders import make_hunk

from devpulse.core.change import DiffLine, Side
from devpulse.core.unchanged import Gap, end_of, gaps, pieces, start_of

FIRST = make_hunk("-a\n+b\n+c\n", old_start=3, new_start=3)
SECOND = make_hunk("-x\n", old_start=8, new_start=9)


def test_start_of__a_side_without_lines_starts_at_the_line_that_follows():
    assert (start_of(SECOND), end_of(SECOND)) == ((8, 9), (9, 9))
    added = make_hunk("+x\n", old_start=4, new_start=6)
    assert (start_of(added), end_of(added)) == ((4, 6), (4, 7))


def test_gaps__before_between_and_after():
    hunks = (FIRST, SECOND)
    assert list(gaps(hunks, hunks, (10, 10))) == [Gap(1, 1, 2), Gap(4, 5, 4), Gap(9, 9, 2)]
    assert list(gaps(hunks, hunks, (8, 8))) == [Gap(1, 1, 2), Gap(4, 5, 4)]


def test_gaps__up_to_the_hunks_of_other_parts():
    hunks = (FIRST, SECOND)
    assert list(gaps((SECOND,), hunks, (10, 10))) == [Gap(4, 5, 4), Gap(9, 9, 2)]
    assert list(gaps((FIRST,), hunks, (10, 10))) == [Gap(1, 1, 2), Gap(4, 5, 4)]


def test_gaps__none_beside_the_middle_of_a_hunk():
    whole = make_hunk("-a\n+A\n-b\n+B\n-c\n+C\n", old_start=3, new_start=3)
    middle = make_hunk("-b\n+B\n", old_start=4, new_start=4)
    assert list(gaps((middle,), (whole,), (9, 9))) == []


def test_gaps__none_where_the_sides_differ_in_length():
    wrong = make_hunk("-x\n", old_start=8, new_start=2)
    assert list(gaps((wrong,), (wrong,), (20, 30))) == []


def test_gap_within__lines_of_either_side_by_head_number():
    gap = Gap(4, 5, 4)
    assert list(gap.within(1, 99, Side.LEFT)) == [5, 6, 7, 8]
    assert list(gap.within(5, 6, Side.LEFT)) == [6, 7]
    assert list(gap.within(5, 6, Side.RIGHT)) == [5, 6]
    assert list(gap.within(9, 12, Side.RIGHT)) == []


def test_pieces__runs_without_a_break():
    lines = [DiffLine(n - 1, n, f"{n}") for n in (8, 5)]
    first, second = pieces((FIRST, SECOND), lines)
    assert (first.old_start, first.old_length, first.new_start, first.new_length) == (3, 2, 3, 3)
    assert first.lines == (*FIRST.lines, lines[1])
    assert (second.old_start, second.old_length, second.new_start, second.new_length) == (7, 2, 8, 1)
    assert second.lines == (lines[0], *SECOND.lines)


def test_pieces__hunks_alone_stay_what_they_are():
    assert tuple(pieces((FIRST, SECOND), ())) == (FIRST, SECOND)
