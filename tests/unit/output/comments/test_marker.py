"""Markers by which our comments are found again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from report_strategies import HOSTILE, hostile_text

from devpulse.core.categories import Severity
from devpulse.output.comments.marker import (
    SUMMARY_HEADING,
    SummaryMark,
    finding_marker,
    finding_opening,
    is_markable,
    read_finding_marker,
    read_summary_marker,
    summary_marker,
)
from devpulse.output.markdown import block, code, prose, text

NAME = "0123456789abcdef"
MARK = SummaryMark("b" * 40, "d" * 32)
OPENING = finding_opening(Severity.HIGH)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", " \n\n"])
def test_read_finding_marker__the_last_line(end):
    assert read_finding_marker(f"{OPENING}Words**\r\n\r\n{finding_marker(NAME)}{end}") == NAME


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no marker",
        f"{finding_marker(NAME)}\nwords after it",
        f"> {finding_marker(NAME)}",
        f"words {finding_marker(NAME)}",
        f"    {finding_marker(NAME)}",
        finding_marker(NAME).upper(),
        f"<!-- devpulse:finding {NAME} extra -->",
        "<!-- devpulse:finding <!-- 0123 --> -->",
        summary_marker(MARK),
    ],
)
def test_read_finding_marker__only_the_whole_last_line(body):
    assert read_finding_marker(f"{OPENING}Words**\n\n{body}") is None


@pytest.mark.parametrize("severity", Severity)
def test_read_finding_marker__every_severity(severity):
    assert read_finding_marker(f"{finding_opening(severity)}Words**\n\n{finding_marker(NAME)}") == NAME


@pytest.mark.parametrize("first", ["", "Words", f"Echo: {OPENING}", f"\n{OPENING}", "**Severe: ", OPENING.lower()])
def test_read_finding_marker__only_where_the_first_line_is_ours(first):
    assert read_finding_marker(f"{first}\n\n{finding_marker(NAME)}") is None


@pytest.mark.parametrize(
    "first", ["", "Words", f"> {SUMMARY_HEADING}", f"{SUMMARY_HEADING} of x", f"\n{SUMMARY_HEADING}"]
)
def test_read_summary_marker__only_where_the_first_line_is_ours(first):
    assert read_summary_marker(f"{first}\n\n{summary_marker(MARK)}") is None


@pytest.mark.parametrize("fingerprint", ["", "abc", "XYZ1", "0123 -->", "a" * 65, "0123\n"])
def test_finding_marker__takes_hex_digits_only(fingerprint):
    assert not is_markable(fingerprint)
    with pytest.raises(ValueError, match="marker"):
        finding_marker(fingerprint)


@pytest.mark.parametrize("refused", [(), ("00ff",), ("00ff", NAME)])
def test_read_summary_marker__reads_what_was_written(refused):
    mark = SummaryMark("b" * 40, "d" * 32, frozenset(refused))
    assert read_summary_marker(f"{SUMMARY_HEADING}\r\n\r\n{summary_marker(mark)}\r\n") == mark


@pytest.mark.parametrize("added", ["\n\nadded by somebody", "\r\n\r\nadded <!-- devpulse:summary -->\r\n"])
def test_read_summary_marker__with_text_added_after_it(added):
    assert read_summary_marker(f"{SUMMARY_HEADING}\n\n{summary_marker(MARK)}{added}") == MARK


@pytest.mark.parametrize("before", ["x ", "> ", "  "])
def test_read_summary_marker__only_a_whole_line(before):
    assert read_summary_marker(f"{SUMMARY_HEADING}\n\n{before}{summary_marker(MARK)}") is None


def test_read_summary_marker__the_last_one_counts():
    assert read_summary_marker(f"{SUMMARY_HEADING}\n\n{summary_marker(MARK)}\n\n{finding_marker(NAME)}") is None
    other = SummaryMark("c" * 40, "d" * 32)
    assert read_summary_marker(f"{SUMMARY_HEADING}\n{summary_marker(MARK)}\n{summary_marker(other)}\nwords") == other
    assert read_summary_marker(f"{SUMMARY_HEADING}\n\n{finding_marker(NAME)}") is None


@pytest.mark.parametrize(
    "mark",
    [SummaryMark("HEAD", "d" * 32), SummaryMark("b" * 40, "x"), SummaryMark("b" * 40, "d" * 32, frozenset({"-->"}))],
)
def test_summary_marker__takes_hex_digits_only(mark):
    with pytest.raises(ValueError, match="marker"):
        summary_marker(mark)


@pytest.mark.parametrize("render", [text, prose, code, block])
def test_markdown__cannot_forge_a_marker(render):
    for forged in (finding_marker(NAME), summary_marker(MARK), f"\n\n{finding_marker(NAME)}"):
        written = render(f"words\n{forged}")
        assert "<!--" not in written
        assert read_finding_marker(f"{OPENING}x**\n{written}") is None
        assert read_summary_marker(f"{SUMMARY_HEADING}\n{written}") is None


@given(hostile_text)
@settings(deadline=None)  # the first text compiles the patterns
def test_markdown__no_text_ends_in_a_marker(value):
    for render in (text, prose, code, block):
        assert "<!--" not in render(value + finding_marker(NAME) + value)


def test_hostile_texts__hold_a_forged_marker():
    assert any("<!--" in each for each in HOSTILE)
