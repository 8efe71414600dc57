"""The page."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from html.parser import HTMLParser

import pytest
from builders import make_finding, make_report
from comparisons import make_arm, make_comparison
from hypothesis import given, settings
from hypothesis import strategies as st
from report_strategies import hostile_text, reports

from devpulse.core.comparison import AFTER, BEFORE, Ablation, ComparedTask
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Failed, Reviewed, Skipped
from devpulse.output.characters import is_hidden
from devpulse.output.report.page import render_html
from devpulse.output.report.turns import Turn
from devpulse.output.snippets import Snippet

VOID = {"meta", "link", "img", "br", "hr", "input"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "h4", "p", "main", "div"),
    *("section", "details", "summary", "span", "pre", "code", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
    *("footer", "dl", "dt", "dd", "button", "aside", "nav", "ul", "form", "label", "input", "fieldset", "legend"),
    *("select", "option", "output", "article", "mark", "i", "b", "script", "figure", "figcaption", "svg", "rect"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "tabindex", "aria-labelledby"),
    *("aria-label", "open", "rel", "scope", "type", "role", "for", "value", "checked", "autocomplete", "spellcheck"),
    *("aria-live", "aria-pressed", "title", "hidden", "viewbox", "preserveaspectratio", "aria-hidden", "width"),
    *("height", "data-n", "data-severity", "data-status", "data-category", "data-path", "data-copy", "data-link"),
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
    assert '<span class="l" data-n="3"><i class="k">def</i> find_user(name):</span>' in page
    assert '<mark class="l" data-n="4">    cursor.<i class="f">execute</i>(sql + name)</mark>' in page


def test_render_html__trace_fix_suggestion_and_weakness():
    trace = Trace(Step("app/views.py", 2, "`args` is read"), (), Step("app/db.py", 4, "executed"))
    finding = make_finding(trace=trace, suggestion="one\ntwo", description="", fix="Use `bind`.")
    page = render_html(make_report(finding), snippets={})
    assert '<span class="place">app/views.py:2</span> <code>args</code> is read' in page
    assert '<span class="l add">one</span><span class="l add">two</span>' in page
    assert "Use <code>bind</code>." in page
    assert "Input becomes part of an SQL statement" in page
    assert 'href="https://cwe.mitre.org/data/definitions/89.html"' in page


def test_render_html__every_finding_of_any_status_under_its_own_address():
    found = [
        make_finding(fingerprint=f"{number:016x}", status=status, title=f"title {status}")
        for number, status in enumerate(FindingStatus)
    ]
    page = _Page(render_html(make_report(*found), snippets={}))
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {finding.fingerprint for finding in found} <= set(ids)
    assert all(finding.title in page.text for finding in found)
    targets = {(value or "")[1:] for name, value in page.attributes if name == "href" and (value or "")[0] == "#"}
    assert targets <= set(ids)


def test_render_html__the_policy_allows_exactly_its_style_and_its_script():
    page = render_html(make_report(make_finding(title="<script>x</script><style>y</style>")), snippets={})
    policy = html.unescape(re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[0])
    for tag in ("style", "script"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<[^>]*\s(?:style|on\w+)=", page)


def test_render_html__draws_how_large_the_requests_were():
    turns = (Turn("a", 1, 4_000, 25_600), Turn("a", 2, 12_800, 25_600))
    page = _Page(render_html(make_report(), snippets={}, turns=turns))
    assert "2 requests, the largest of 12,800 tokens: 50 % of the 25,600 that one may have." in page.text
    assert "Tokens per file" in page.text


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


@pytest.mark.parametrize("needle", ["default-src 'none'", 'name="viewport"', 'class="skip"'])
def test_render_html__page_furniture(needle):
    assert needle in render_html(make_report(), snippets={})


def test_render_html__asks_for_nothing():
    page = render_html(make_report(make_finding()), snippets={})
    assert not re.search(r"url\(|@import|src=|<link|fetch\(|XMLHttp|import\(", page)


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
    assert all((link or "").startswith("#") or (link or "").startswith("https://cwe.mitre.org/data/") for link in links)


CHART = {"line", "polyline", "strong"}


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
    assert 'class="chart"' not in render_html(make_report(), snippets={})


@settings(max_examples=30, deadline=None)
@given(hostile_text)
def test_render_html__no_text_of_a_comparison_breaks_out(text):
    comparison = make_comparison(make_arm(BEFORE, [("t", 1)], failure=text), tasks=(ComparedTask("t", text, text),))
    page = render_html(make_report(), snippets={}, comparison=comparison)
    parsed = _Page(page)
    assert parsed.open == []
    assert set(parsed.tags) <= TAGS | CHART
    assert not any(is_hidden(character) for character in page.replace("\n", ""))
