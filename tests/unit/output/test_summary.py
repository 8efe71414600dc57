"""The summary in Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_strategies import HOSTILE, reports

from devpulse.core.categories import Severity
from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, Skipped
from devpulse.output.characters import is_hidden
from devpulse.output.summary import MAX_CHARACTERS, MIN_CHARACTERS, render_summary

SNAPSHOT = Path(__file__).parent / "snapshots" / "summary.md"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
OWN_TAG = re.compile(r"</?(?:details|summary|code|b)>")
OWN_LINK = re.compile(r"\]\(https://cwe\.mitre\.org/data/definitions/\d+\.html\)")
COMMAND = re.compile(r"^\s*::|##\[|<!--", re.MULTILINE)


def _flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *_flat(token.children or []))]


def _full_report() -> Report:
    way = Trace(
        Step("app/views.py", 12, "`request.args` is read"),
        (Step("app/views.py", 14, "passed on"),),
        Step("app/db.py", 4, "executed"),
    )
    traced = make_finding(trace=way, suggestion="    cursor.execute(sql, (name,))", severity=Severity.CRITICAL)
    removed = make_finding(
        fingerprint="aaaa", category="broken-access-control", cwe=862, side=Side.LEFT, start_line=18, end_line=19,
        path="app/admin.py", evidence="@require_role('admin')\n@audited", title="The permission check was removed",
        description="Anyone can call it, see @admin and #12.\n\nSay `delete()`.", fix="",
    )  # fmt: skip
    unanchored = make_finding(
        fingerprint="bbbb", status=FindingStatus.UNANCHORED, severity=Severity.LOW, title="Quoted from nowhere",
        reason="the quoted code is not in the file",
    )  # fmt: skip
    disputed = make_finding(
        fingerprint="dddd", status=FindingStatus.DISPUTED, severity=Severity.MEDIUM, category="other", cwe=None,
        title="A|B", reason="the value is a constant.",
    )  # fmt: skip
    ignored = make_finding(fingerprint="cccc", status=FindingStatus.SUPPRESSED, reason="accepted")
    rows = (
        Coverage("app/db.py", Reviewed(), 1, 1900),
        Coverage("app/admin.py", Reviewed("reused"), 1, 800),
        Coverage("app/huge.py", Partial("token budget"), 4, 9000),
        Coverage("caf\udce9|.png", Skipped("binary"), 0, 0),
        Coverage("app/cut.py", Failed("the reply was cut off"), 1, 800),
    )
    return make_report(
        traced, removed, unanchored, disputed, ignored,
        coverage=rows, incomplete=True, engine="gemini", model="gemini-x",
        usage=Usage(31, 145_120, 20_480, 9_120, 2_210),
        summary="The search page is open.\nSo is the admin page.", notices=("one", "two", "three", "four", "five"),
    )  # fmt: skip


def test_render_summary__snapshot():
    assert render_summary(_full_report()) == SNAPSHOT.read_text(encoding="utf-8")


def test_render_summary__nothing_reviewed_says_so_and_why():
    text = render_summary(make_report(coverage=(Coverage("logo.png", Skipped("binary"), 0, 0),)))
    assert "**Nothing was reviewed: 1 file: 1 skipped (binary).**" in text
    assert "No findings" not in text
    assert "| <code>logo.png</code> | skipped | binary |" in text


def test_render_summary__clean_run_says_so():
    text = render_summary(make_report())
    assert "> [!TIP]\n> **No findings in 1 file reviewed.**" in text
    assert "## Findings" not in text


def test_render_summary__cut_lists_say_how_many_more():
    found = [make_finding(fingerprint=f"{n:016x}", start_line=n, description="words " * 200) for n in range(1, 801)]
    rows = [Coverage(f"app/{n:04}.py", Skipped("binary") if n % 2 else Reviewed(), 1, 5) for n in range(3000)]
    text = render_summary(make_report(*found, coverage=tuple(rows)))
    assert len(text) <= MAX_CHARACTERS
    cuts = re.findall(r"… and ([\d,]+) more (.+) in `findings.json`", text)
    assert [name for _, name in cuts] == ["findings", "findings in detail", "files", "files"]
    listed = len(re.findall(r"^\| high", text, re.MULTILINE))
    assert listed + int(cuts[0][0]) == 800
    assert text.count("<details>") - 2 + int(cuts[1][0]) == 800
    assert text.count("| skipped |") + int(cuts[2][0].replace(",", "")) == 1500


def test_render_summary__long_trace_says_how_many_more():
    steps = tuple(Step("a.py", n, "x") for n in range(40))
    text = render_summary(make_report(make_finding(trace=Trace(steps[0], steps[1:-1], steps[-1]))))
    assert "… and 20 more steps" in text


@pytest.mark.parametrize("limit", [0, MIN_CHARACTERS, 40_000])
def test_render_summary__never_longer_than_the_limit_however_hostile(limit):
    hostile = "".join(HOSTILE) * 60 + "@" * 5000
    finding = make_finding(
        title=hostile, description=hostile, fix=hostile, evidence=hostile, reason=hostile, path=hostile
    )
    rows = tuple(Coverage(hostile, Failed(f"@{n}{hostile}"), 1, 1) for n in range(9))
    report = make_report(
        *[finding] * 9, coverage=rows, summary=hostile, engine="@" * 99, model="@" * 99, rung=hostile,
        rung_reason=hostile, notices=(hostile,) * 9, incomplete=True,
    )  # fmt: skip
    assert len(render_summary(report, max_chars=limit)) <= max(limit, MIN_CHARACTERS)


@settings(max_examples=25, deadline=None)
@given(reports())
def test_render_summary__hostile_text_adds_no_markup(report):
    text = render_summary(report)
    text.encode("utf-8")
    assert not any(map(is_hidden, text))
    assert not COMMAND.search(text)
    tokens = _flat(PARSER.parse(OWN_LINK.sub("]", text)))
    assert not {token.type for token in tokens} & {"image", "link_open"}
    for token in tokens:
        if token.type in {"html_block", "html_inline"}:
            assert "<" not in OWN_TAG.sub("", token.content)
            assert not LINKED.search(token.content.replace("&#8203;", "\u200b"))
        if token.type == "text":
            assert not LINKED.search(token.content)
    html = "".join(token.content for token in tokens if token.type in {"html_block", "html_inline"})
    assert html.count("<details>") == html.count("</details>")
