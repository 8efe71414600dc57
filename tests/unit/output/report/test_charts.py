"""Drawings of the report."""

from __future__ import annotations

from devpulse.core.review import Coverage, Reviewed
from devpulse.output.report.charts import MAX_BARS, MAX_COLUMNS, Column, file_bars, turn_chart
from devpulse.output.report.turns import Turn


def test_turn_chart__columns_against_the_limit():
    chart = turn_chart([Turn("a", 1, 25, 100), Turn("a", 2, 50, 100)])
    assert chart is not None
    assert chart.columns == (Column(0, 75.0, 25.0, first=True), Column(1, 50.0, 50.0, first=False))
    assert (chart.most, chart.limit_y, chart.requests) == (100, 0.0, 2)
    assert turn_chart([]) is None


def test_turn_chart__a_long_run_keeps_its_peaks():
    turns = [Turn("a", 1, 99 if number == 777 else 10, 100) for number in range(1_000)]
    chart = turn_chart(turns)
    assert chart is not None
    assert len(chart.columns) <= MAX_COLUMNS
    assert max(column.height for column in chart.columns) == 99.0


def test_file_bars__most_first_and_the_rest_told():
    rows = [Coverage(f"f{number}", Reviewed(), 1, number) for number in range(MAX_BARS + 3)]
    bars = file_bars(rows)
    assert (bars.bars[0].path, bars.bars[0].percent, len(bars.bars)) == ("f17", 100.0, MAX_BARS)
    assert bars.rest == "2 other files: 3 tokens"
