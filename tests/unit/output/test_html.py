"""The page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from builders import make_finding, make_report
from comparisons import make_arm, make_comparison
from hypothesis import given, settings
from hypothesis import strategies as st
from report_strategies import hostile_text, reports

from devpulse.core.categories import Severity
from devpulse.core.comparison import AFTER, BEFORE, Ablation, ComparedTask
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Failed, Reviewed, Skipped
from devpulse.output.characters import is_hidden
from devpulse.output.html import render_html
from devpulse.output.snippets import Snippet

VOID = {"meta", "link", "img", "br", "hr", "input"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "h4", "p", "main", "div"),
    *("section", "details", "summary", "span", "pre", "code", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
    *("footer", "dl", "dt", "dd"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "tabindex", "aria-labelledby"),
    *("aria-label", "open", "rel", "scope"),
}


class _Page(HTMLParser):
    """Collects tags, attributes and text, and checks that tags are nested well."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def test_render_html__shows_code_with_numbers_and_marks_the_evidence():
    snippet = Snippet(3, ("def find_user(name):", "    cursor.execute(sql + name)"))
    page = render_html(make_report(make_finding()), snippets={"0123456789abcdef": snippet})
    assert '<span><span class="number">3</span>def find_user(name):</span>' in page
    assert '<span class="marked"><span class="number">4</span>    cursor.execute(sql + name)</span>' in page


def test_render_html__trace_fix_suggestion_and_weakness():
    trace = Trace(Step("app/views.py", 2, "`args` is read"), (), Step("app/db.py", 4, "executed"))
    finding = make_finding(trace=trace, suggestion="one\ntwo", description="", fix="Use `bind`.")
    page = render_html(make_report(finding), snippets={})
    assert "<code>app/views.py:2</code> <code>args</code> is read" in page
    assert "<span>one</span><span>two</span>" in page
    assert "Use <code>bind</code>." in page
    assert "Input becomes part of an SQL statement" in page
    assert 'href="https://cwe.mitre.org/data/definitions/89.html"' in page


def test_render_html__groups_by_severity_and_folds_what_is_not_open():
    low = make_finding(severity=Severity.LOW, status=FindingStatus.OUTSIDE_DIFF)
    page = render_html(make_report(low, make_finding(severity=Severity.CRITICAL)), snippets={})
    assert re.findall(r'<h2 id="severity-(\w+)">', page) == ["critical", "low"]
    assert page.count('<details class="finding" open>') == 1
    assert page.count('<details class="finding">') == 1


def test_render_html__nothing_reviewed_never_reads_as_clean():
    page = _Page(render_html(make_report(coverage=(Coverage("logo.png", Skipped("binary"), 0, 0),)), snippets={}))
    assert "Nothing was reviewed: 1 file: 1 skipped (binary)." in page.text
    assert "No findings" not in page.text
    assert ("class", "verdict not-reviewed") in page.attributes


def test_render_html__coverage_and_use():
    rows = (Coverage("a.py", Reviewed("reused"), 1, 1234), Coverage("b.py", Failed("cut off"), 1, 5))
    page = _Page(render_html(make_report(coverage=rows, incomplete=True, notices=("one notice",)), snippets={}))
    for expected in ("b.py failed cut off", "1 file reviewed", "1,234", "about 900 tokens", "one notice", "local git"):
        assert expected in page.text


@pytest.mark.parametrize(
    "needle", ["default-src 'none'", "style-src 'unsafe-inline'", 'name="viewport"', 'class="skip"']
)
def test_render_html__page_furniture(needle):
    assert needle in render_html(make_report(), snippets={})


def test_render_html__asks_for_nothing():
    page = render_html(make_report(make_finding()), snippets={})
    assert not re.search(r"url\(|@import|src=|<script|<link", page)


@settings(max_examples=25, deadline=None)
@given(reports(), st.lists(hostile_text, max_size=3))
def test_render_html__hostile_text_adds_no_markup(report, code):
    snippets = {finding.fingerprint: Snippet(1, tuple(code)) for finding in report.findings}
    text = render_html(report, snippets=snippets)
    text.encode("utf-8")
    assert not any(map(is_hidden, text))
    page = _Page(text)
    assert page.open == []
    assert set(page.tags) <= TAGS
    assert {name for name, _ in page.attributes} <= ATTRIBUTES
    links = [value for name, value in page.attributes if name == "href"]
    assert all(link == "#findings" or (link or "").startswith("https://cwe.mitre.org/data/") for link in links)


CHART = {"svg", "line", "polyline", "text", "strong"}


def test_render_html__a_comparison_with_its_drawing_tables_and_nothing_to_load():
    whole, after = make_arm("whole-files", [("a-1", 4_000)]), make_arm(AFTER, [("a-1", 1_000)], failure="was <down>")
    row = Ablation("select", "whole files become look-ups", whole, whole, make_arm(AFTER, [("a-1", 1_000)]))
    page = render_html(make_report(), snippets={}, comparison=make_comparison(after=after, ablations=(row,)))
    parsed = _Page(page)
    assert parsed.open == []
    assert set(parsed.tags) <= TAGS | CHART
    assert not [
        value for name, value in parsed.attributes if name in ("src", "href") and not (value or "").startswith("#")
    ]
    assert parsed.tags.count("polyline") == 2
    assert "What was saved cannot be said" in parsed.text
    assert "failed: was <down>" in parsed.text
    assert "75.0 %" in parsed.text
    saved = _Page(render_html(make_report(), snippets={}, comparison=make_comparison())).text
    assert "80.0 % of the input tokens saved" in saved


def test_render_html__without_a_comparison_there_is_no_drawing():
    assert "<svg" not in render_html(make_report(), snippets={})


@settings(max_examples=30, deadline=None)
@given(hostile_text)
def test_render_html__no_text_of_a_comparison_breaks_out(text):
    comparison = make_comparison(make_arm(BEFORE, [("t", 1)], failure=text), tasks=(ComparedTask("t", text, text),))
    page = render_html(make_report(), snippets={}, comparison=comparison)
    parsed = _Page(page)
    assert parsed.open == []
    assert set(parsed.tags) <= TAGS | CHART
    assert not any(is_hidden(character) for character in page.replace("\n", ""))
