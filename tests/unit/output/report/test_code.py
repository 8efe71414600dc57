"""Code as a diff."""

from __future__ import annotations

from builders import make_finding

from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.output.report.code import CodeRow, Sign, code_markup, code_rows, line_markup, suggested_rows
from devpulse.output.snippets import OtherLine, Snippet

SNIPPET = Snippet(3, ("a", "b"), frozenset({4}), (OtherLine(4, "old"),))


def test_code_rows__a_diff_with_evidence_and_steps():
    trace = Trace(Step("app/db.py", 3, ""), (Step("other.py", 4, ""),), Step("app/db.py", 4, ""))
    assert code_rows(make_finding(trace=trace), SNIPPET) == [
        CodeRow(3, "a", steps=(1,)),
        CodeRow(None, "old", Sign.REMOVED),
        CodeRow(4, "b", Sign.ADDED, marked=True, steps=(3,)),
    ]


def test_code_rows__on_removed_code_signs_are_the_other_way_round():
    signs = [row.sign for row in code_rows(make_finding(side=Side.LEFT), SNIPPET)]
    assert signs == [Sign.SAME, Sign.ADDED, Sign.REMOVED]


def test_code_rows__what_is_not_placed_has_no_diff():
    rows = code_rows(make_finding(status=FindingStatus.UNANCHORED, evidence="x"), SNIPPET)
    assert rows == [CodeRow(None, "x", marked=True)]


def test_suggested_rows__replaces_the_evidence():
    finding = make_finding(suggestion="c")
    rows = suggested_rows(finding, code_rows(finding, SNIPPET))
    assert [(row.text, row.sign) for row in rows] == [("b", Sign.REMOVED), ("c", Sign.ADDED)]
    assert suggested_rows(make_finding(), []) == []


def test_code_markup__escapes():
    assert code_markup([CodeRow(1, "<b>&")], None) == '<span class="l" data-n="1">&lt;b&gt;&amp;</span>'
    coloured = code_markup([CodeRow(None, "'<b>'", Sign.ADDED, marked=True, steps=(2,))], "python")
    assert coloured == (
        '<mark class="l add"><i class="s">&#39;&lt;b&gt;&#39;</i><b class="at" title="step 2">2</b></mark>'
    )


def test_line_markup__escapes():
    assert line_markup("  '<b>'", "python") == '<i class="s">&#39;&lt;b&gt;&#39;</i>'
    assert line_markup("  '<b>'", None) == "&#39;&lt;b&gt;&#39;"
