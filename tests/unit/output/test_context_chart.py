"""The drawing of the context's size."""

from __future__ import annotations

from comparisons import make_arm, make_comparison
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.comparison import AFTER, BEFORE
from devpulse.output.context_chart import GROUND, LEFT, MAX_POINTS, RIGHT, TOP, context_chart


def points(text):
    return [tuple(map(float, point.split(","))) for point in text.split()]


def chart_of(before, after=(10,)):
    arms = (make_arm(name, [("t", size) for size in sizes]) for name, sizes in ((BEFORE, before), (AFTER, after)))
    return context_chart(make_comparison(*arms))


def test_context_chart__a_point_for_each_request_on_one_scale():
    chart = chart_of([25_600, 51_200], [25_600])
    assert points(chart.before) == [(LEFT, (TOP + GROUND) / 2), (RIGHT, TOP)]
    assert points(chart.after) == [(LEFT, (TOP + GROUND) / 2)]
    assert chart.limit == (TOP + GROUND) / 2
    assert (chart.tokens, chart.requests) == (51_200, 2)
    assert (
        chart.told == "Tokens of each request. before: 2 requests, largest 51,200; after: 1 requests, largest 25,600."
    )


def test_context_chart__nothing_sent_is_an_empty_drawing():
    chart = chart_of([], [])
    assert (chart.before, chart.after, chart.requests) == ("", "", 1)


@settings(deadline=None)
@given(st.lists(st.integers(1, 10**6), max_size=1_500))
def test_context_chart__however_long_the_run_it_stays_small_inside_and_shows_the_largest(sizes):
    chart = chart_of(sizes)
    drawn = points(chart.before)
    assert len(drawn) <= min(len(sizes), MAX_POINTS)
    assert all(LEFT <= x <= RIGHT and TOP <= y <= GROUND for x, y in drawn)
    assert drawn == sorted(drawn, key=lambda point: point[0])
    if sizes and max(sizes) >= 25_600:
        assert min(y for _, y in drawn) == TOP
