"""The time budget of a run, by a clock that the test moves."""

from __future__ import annotations

import time

import pytest

from devpulse.main.deadline import SPENT, Deadline


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_after__without_a_budget_there_is_no_end():
    deadline = Deadline.after(None, Clock())
    assert (deadline.remaining(), deadline.left(), deadline.stopped(), deadline.over()) == (None, None, "", "")


def test_after__the_last_part_is_kept_for_what_must_be_written():
    clock = Clock()
    deadline = Deadline.after(0.5, clock)
    assert (deadline.remaining(), deadline.left(), deadline.stopped()) == (27.0, 30.0, "")
    clock.now += 26
    assert (deadline.remaining(), deadline.stopped(), deadline.over()) == (1.0, "", "")
    clock.now += 1
    assert (deadline.remaining(), deadline.stopped(), deadline.over()) == (0.0, SPENT, "")
    clock.now += 2
    assert (deadline.left(), deadline.over()) == (1.0, SPENT)
    clock.now += 5
    assert (deadline.remaining(), deadline.left(), deadline.over()) == (0.0, 0.0, SPENT)


def test_after__no_more_than_a_minute_is_kept():
    assert Deadline.after(60, Clock()).remaining() == 59 * 60.0


def test_after__counts_from_when_the_program_began():
    assert Deadline.after(1, Clock(), started=70.0).left() == 30.0


@pytest.mark.parametrize("hours", [-24, 24])
def test_remaining__the_time_of_day_may_jump(monkeypatch, hours):
    before = time.time()
    deadline = Deadline.after(1)
    monkeypatch.setattr("time.time", lambda: before + hours * 3600)
    assert 50 < (deadline.remaining() or 0) <= 54
