"""The lines shown for a finding."""

from __future__ import annotations

from builders import make_finding

from devpulse.core.finding import FindingStatus
from devpulse.output.snippets import CodeLine, Snippet, code_lines, gutter, number_width


def test_code_lines__marks_the_lines_of_the_finding():
    shown = code_lines(make_finding(start_line=4, end_line=5), Snippet(3, ("a", "b", "c", "d")))
    assert [(line.number, line.marked) for line in shown] == [(3, False), (4, True), (5, True), (6, False)]


def test_code_lines__evidence_stands_in_for_a_missing_snippet():
    shown = code_lines(make_finding(start_line=4, end_line=5, evidence="a\n\tb\n"), None)
    assert shown == (CodeLine(4, "a", marked=True), CodeLine(5, "    b", marked=True))


def test_code_lines__unanchored_evidence_gets_no_numbers():
    finding = make_finding(status=FindingStatus.UNANCHORED)
    shown = code_lines(finding, Snippet(1, ("other code",)))
    assert shown == (CodeLine(None, finding.evidence, marked=True),)


def test_code_lines__shows_hidden_characters():
    assert code_lines(make_finding(evidence="a\u202eb"), None)[0].text == r"a\u{202E}b"


def test_gutter__aligns_numbers():
    lines = (CodeLine(9, "", marked=False), CodeLine(10, "", marked=False), CodeLine(None, "", marked=False))
    assert [gutter(line.number, number_width(lines)) for line in lines] == [" 9", "10", "  "]
    assert number_width(()) == 0
