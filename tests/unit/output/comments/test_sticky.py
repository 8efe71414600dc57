"""The summary comment."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from hypothesis import strategies as st
from report_strategies import HOSTILE, findings, hostile_text, reports

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Partial, Report, Reviewed
from devpulse.output.comments.body import MAX_CHARACTERS
from devpulse.output.comments.marker import SummaryMark, finding_marker, read_summary_marker, summary_marker
from devpulse.output.comments.plan import Cause, Unplaced
from devpulse.output.comments.sticky import SummaryMode, Told, is_wanted, render_sticky, summary_mark
from devpulse.output.summary import render_summary

HEAD = "b" * 40
MARK = SummaryMark(HEAD, "d" * 32)


@pytest.mark.parametrize(
    ("mode", "report", "stands", "wanted"),
    [
        (SummaryMode.ALWAYS, make_report(), False, True),
        (SummaryMode.ON_FINDINGS, make_report(), False, False),
        (SummaryMode.ON_FINDINGS, make_report(), True, True),
        (SummaryMode.ON_FINDINGS, make_report(make_finding()), False, True),
        (SummaryMode.ON_FINDINGS, make_report(make_finding(status=FindingStatus.SUPPRESSED)), False, False),
        (SummaryMode.ON_FINDINGS, make_report(make_finding(status=FindingStatus.OUTSIDE_DIFF)), False, True),
        (SummaryMode.ON_FINDINGS, make_report(incomplete=True), False, True),
        (SummaryMode.NEVER, make_report(make_finding(), incomplete=True), True, False),
    ],
)
def test_is_wanted__by_mode(mode, report, stands, wanted):
    assert is_wanted(report, mode, stands=stands) is wanted


def test_render_sticky__is_the_summary_and_a_tail():
    report = make_report(make_finding())
    body = render_sticky(report, MARK, Told(), run_url="https://github.com/o/r/actions/runs/1")
    assert body.startswith(render_summary(report))
    assert f"Reviewed commit: {'b' * 12}. [Run and artifacts](https://github.com/o/r/actions/runs/1)" in body
    assert body.endswith(f"\n\n{summary_marker(MARK)}")
    assert "Without a comment" not in body


def test_render_sticky__lists_what_has_no_comment_by_reason():
    over = [Unplaced(make_finding(start_line=n, end_line=n), Cause.OVER_LIMIT) for n in range(1, 12)]
    refused = Unplaced(make_finding(path="app/x.py"), Cause.REFUSED, "line must be part of the diff.")
    moved = Unplaced(make_finding(side=Side.LEFT), Cause.MOVED, "the file changed in a newer push")
    body = render_sticky(make_report(), MARK, Told([*over, refused, moved]))
    eight = ", ".join(f"`app/db.py:{n}`" for n in range(1, 9))
    assert f"- Over the limit of comments (`max-comments`): {eight} and 3 more\n" in body
    assert "- GitHub refused the comment (line must be part of the diff): `app/x.py:4`\n" in body
    assert "(the file changed in a newer push): `app/db.py:4 (removed)`\n" in body


def test_render_sticky__many_reasons_are_cut():
    items = [Unplaced(make_finding(), Cause.REFUSED, f"reason {n}") for n in range(30)]
    body = render_sticky(make_report(), MARK, Told(items))
    assert "reason 9" in body
    assert "reason 10" not in body
    assert "- … and 20 more findings without a comment\n" in body


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://x.example/) [y](", "https://x.example/\n# x", "x"])
def test_render_sticky__only_a_plain_address_becomes_a_link(url):
    assert "Run and artifacts" not in render_sticky(make_report(), MARK, Told(), run_url=url)


def test_render_sticky__below_the_limit_however_long():
    hostile = "".join(HOSTILE) * 60 + "@" * 5000
    long = make_finding(title=hostile, description=hostile, fix=hostile, evidence=hostile, path=hostile)
    ticks = make_finding(path="`" * 500)
    items = [Unplaced(ticks, Cause.REFUSED, f"{n}{'@' * 500}") for n in range(40) for _ in range(9)]
    mark = SummaryMark(HEAD, "d" * 32, frozenset(f"{n:032x}" for n in range(200)))
    body = render_sticky(make_report(*[long] * 30, summary=hostile), mark, Told(items), run_url="https://x.example/1")
    assert len(body) <= MAX_CHARACTERS
    assert read_summary_marker(body) == mark


@settings(max_examples=20, deadline=None)
@given(reports(), st.lists(st.builds(Unplaced, findings, st.sampled_from(Cause), hostile_text), max_size=4))
def test_render_sticky__hostile_text_forges_no_marker(report, items):
    forged = [replace(item, detail=f"{item.detail}\n{finding_marker('feed')}") for item in items]
    mark = summary_mark(report, HEAD, Told(forged))
    body = render_sticky(report, mark, Told(forged))
    body.encode("utf-8")
    assert body.count("<!--") == 1
    assert read_summary_marker(body) == mark


def _mark(report: Report, *items: Unplaced) -> SummaryMark:
    return summary_mark(report, HEAD, Told(items))


SAME = make_report(make_finding())


@pytest.mark.parametrize(
    "report",
    [
        replace(SAME, usage=Usage(9, 9, 9, 9, 9), context_tokens=5, cost_usd=1.0),
        replace(SAME, coverage=(Coverage("app/db.py", Reviewed("reused"), 2, 7),)),
        replace(SAME, rung="api", rung_reason="no checkout", notices=("slow",), summary="other words", model="m-2"),
        make_report(make_finding(description="reworded", title="reworded", fix="reworded", reason="so")),
    ],
)
def test_summary_mark__stays_when_nothing_new_is_said(report):
    assert _mark(report) == _mark(SAME)


@pytest.mark.parametrize(
    "report",
    [
        make_report(),
        make_report(make_finding(), make_finding(fingerprint="ffff")),
        make_report(make_finding(status=FindingStatus.DISPUTED)),
        make_report(make_finding(severity=Severity.LOW)),
        make_report(make_finding(confidence=Confidence.LOW)),
        make_report(make_finding(start_line=3)),
        replace(SAME, engine="gemini"),
        replace(SAME, incomplete=True),
        replace(SAME, coverage=()),
        replace(SAME, coverage=(Coverage("app/db.py", Partial("token budget"), 1, 900),)),
    ],
)
def test_summary_mark__changes_with_what_is_said(report):
    assert _mark(report).digest != _mark(SAME).digest


def test_summary_mark__knows_what_has_no_comment_and_remembers_what_was_refused():
    finding = make_finding()
    refused, moved = Unplaced(finding, Cause.REFUSED, "why"), Unplaced(finding, Cause.MOVED)
    assert _mark(SAME, refused).refused == {finding.fingerprint}
    assert _mark(SAME, moved).refused == frozenset()
    assert len({_mark(SAME).digest, _mark(SAME, refused).digest, _mark(SAME, moved).digest}) == 3
    assert _mark(SAME, refused) == _mark(SAME, replace(refused, detail=""))


def test_summary_mark__not_by_order():
    one, other = make_finding(), make_finding(fingerprint="ffff")
    rows = (Coverage("a", Reviewed(), 1, 1), Coverage("b", Reviewed(), 1, 1))
    assert _mark(make_report(one, other, coverage=rows)) == _mark(make_report(other, one, coverage=rows[::-1]))
