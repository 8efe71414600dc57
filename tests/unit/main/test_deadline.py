"""The time budget of a run, by a clock that the test moves."""

from __future__ import annotations

from devpulse.main.deadline import SPENT, Deadline


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_after__without_a_budget_there_is_no_end():
    deadline = Deadline.after(None, Clock())
    assert (deadline.remaining(), deadline.stopped()) == (None, "")


def test_after__counts_down_and_stops_at_zero():
    clock = Clock()
    deadline = Deadline.after(0.5, clock)
    assert (deadline.remaining(), deadline.stopped()) == (30.0, "")
    clock.now += 29
    assert (deadline.remaining(), deadline.stopped()) == (1.0, "")
    clock.now += 5
    assert (deadline.remaining(), deadline.stopped()) == (0.0, SPENT)
