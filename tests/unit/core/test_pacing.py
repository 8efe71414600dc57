from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.pacing import PERIOD_SECONDS, Limits, Pace, Turn


def begun(pace: Pace, count: int, now: float = 0.0) -> list[Turn]:
    return [pace.begin(now, 1) for _ in range(count)]


def test_pace__begins_with_all_that_is_allowed():
    pace = Pace(Limits(3))
    begun(pace, 2)
    assert not pace.is_full
    begun(pace, 1)
    assert pace.is_full


def test_refused_as_too_much__halves_what_is_under_way_once_for_all_of_them():
    pace = Pace(Limits(8))
    turns = begun(pace, 8)
    for turn in turns:
        pace.refused_as_too_much(turn)
    assert (pace.parallel, pace.refused, pace.least) == (4, 8, 4)


def test_refused_as_too_much__those_that_came_after_halve_again_down_to_one():
    pace = Pace(Limits(8))
    for expected in (4, 2, 1, 1):
        for turn in begun(pace, pace.parallel):
            pace.refused_as_too_much(turn)
        assert pace.parallel == expected
    assert not pace.is_full


def test_refused_as_too_much__counts_what_is_under_way_not_what_may_be():
    pace = Pace(Limits(64))
    turns = begun(pace, 4)
    pace.refused_as_too_much(turns[0])
    assert pace.parallel == 2


def test_answered__grows_by_one_for_a_round_of_answers_up_to_what_is_allowed():
    pace = Pace(Limits(4))
    for _ in range(2):
        for turn in begun(pace, pace.parallel):
            pace.refused_as_too_much(turn)
    sizes = []
    for _ in range(12):
        pace.answered(pace.begin(0.0, 1), 0)
        sizes.append(pace.parallel)
    assert sizes == [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]
    assert pace.least == 1


def test_answered__a_refusal_in_between_begins_the_round_anew():
    pace = Pace(Limits(4))
    first, second, *_ = begun(pace, 4)
    pace.refused_as_too_much(first)
    pace.answered(pace.begin(0.0, 1), 0)
    pace.refused_as_too_much(second)
    pace.answered(pace.begin(0.0, 1), 0)
    assert pace.parallel == 2


def test_failed__says_nothing_about_how_much_may_be_asked():
    pace = Pace(Limits(1))
    pace.begin(0.0, 1)
    pace.failed()
    assert (pace.parallel, pace.is_full) == (1, False)


def test_wait__requests_of_any_minute():
    pace = Pace(Limits(8, requests=2))
    for now in (0.0, 10.0):
        assert pace.wait(now, 1) == 0
        pace.begin(now, 1)
    assert pace.wait(15.0, 1) == 45.0
    assert pace.wait(60.0, 1) == 0
    pace.begin(60.0, 1)
    assert pace.wait(60.0, 1) == 10.0


def test_wait__tokens_of_any_minute():
    pace = Pace(Limits(8, tokens=100))
    pace.begin(0.0, 60)
    assert pace.wait(5.0, 40) == 0
    assert pace.wait(5.0, 41) == 55.0


def test_wait__what_was_reported_counts_instead_of_the_estimate():
    pace = Pace(Limits(8, tokens=100))
    turn = pace.begin(0.0, 50)
    pace.answered(turn, 90)
    assert pace.wait(1.0, 20) == 59.0


def test_wait__a_request_above_the_limit_goes_when_nothing_else_was_sent():
    pace = Pace(Limits(8, tokens=100))
    assert pace.wait(0.0, 500) == 0
    pace.begin(0.0, 500)
    assert pace.wait(1.0, 1) == 59.0


def test_wait__without_limits_is_never():
    pace = Pace(Limits(8))
    begun(pace, 500)
    assert pace.wait(0.0, 10**9) == 0


@given(
    st.integers(1, 5),
    st.integers(10, 60),
    st.lists(st.tuples(st.floats(0, 30), st.integers(1, 30)), max_size=40),
)
def test_wait__no_minute_ever_holds_more_than_its_limits(requests, tokens, asked):
    pace, now, sent = Pace(Limits(64, requests, tokens)), 0.0, []
    for pause, size in asked:
        now += pause
        while (wait := pace.wait(now, size)) > 0:
            now += wait
        pace.answered(pace.begin(now, size), 0)
        sent.append((now, size))
    for end, _ in sent:
        minute = [size for time, size in sent if time <= end < time + PERIOD_SECONDS]
        assert len(minute) <= requests
        assert sum(minute) <= tokens or len(minute) == 1
