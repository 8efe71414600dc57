"""What is printed to a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from hypothesis import strategies as st
from report_strategies import hostile_text, reports
from rich.cells import cell_len

from devpulse.core.categories import Severity
from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, Skipped
from devpulse.output.characters import is_hidden
from devpulse.output.snippets import Snippet
from devpulse.output.terminal import MIN_WIDTH, MOST_IN_FULL, OVERVIEW_ROWS, render_terminal

SNAPSHOT = Path(__file__).parent / "snapshots" / "terminal.txt"
FOLDERS = "module/" * 8
OWN_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SNIPPET = Snippet(3, ("def find_user(cursor, name):", "    cursor.execute(sql + name)", "    return cursor.fetchone()"))


def _print(report: Report, *, width: int = 80, color: bool = False) -> str:
    return render_terminal(
        report,
        width=width,
        color=color,
        snippets={"0123456789abcdef": SNIPPET},
        artifacts={"findings.json": "devpulse-artifacts/findings.json"},
    )


def _full_report() -> Report:
    removed = make_finding(
        fingerprint="aaaa", category="broken-access-control", cwe=862, side=Side.LEFT, start_line=18, end_line=18,
        path="app/a/folder/with/a/very/long/name/that/does/not/fit/on/one/line/of/a/terminal/admin.py",
        evidence="@require_role('admin')", title="The permission check was removed", severity=Severity.CRITICAL,
        fix="Put the check back, and add a test that a user without the role is refused by every route of this module.",
    )  # fmt: skip
    unanchored = make_finding(
        fingerprint="bbbb", status=FindingStatus.UNANCHORED, severity=Severity.LOW, title="Quoted from nowhere",
        reason="the quoted code is not in the file",
    )  # fmt: skip
    ignored = make_finding(fingerprint="cccc", status=FindingStatus.SUPPRESSED, reason="accepted")
    rows = (
        *(Coverage(f"app/module{number}.py", Reviewed(), 1, 900) for number in range(22)),
        Coverage("app/huge.py", Partial("token budget"), 4, 9000),
        Coverage("logo.png", Skipped("binary"), 0, 0),
        Coverage("old.py", Skipped("deleted"), 0, 0),
        Coverage("app/cut.py", Failed("the reply was cut off"), 1, 800),
    )
    return make_report(
        make_finding(), removed, unanchored, ignored,
        coverage=rows, incomplete=True, engine="gemini", model="gemini-x",
        usage=Usage(31, 145_120, 20_480, 9_120, 2_210), cost_usd=0.1234, notices=("The price comes from a list.",),
    )  # fmt: skip


def test_render_terminal__snapshot():
    assert _print(_full_report()) == SNAPSHOT.read_text(encoding="utf-8")


def test_render_terminal__nothing_reviewed_says_so():
    printed = _print(make_report(coverage=(Coverage("logo.png", Skipped("binary"), 0, 0),)))
    assert "Nothing was reviewed: 1 file: 1 skipped (binary)." in printed
    assert "No findings" not in printed


def test_render_terminal__color_only_when_asked():
    report = _full_report()
    assert "\x1b" not in _print(report)
    colored = _print(report, color=True)
    assert "\x1b[1;31m" in colored
    assert "find_user" in OWN_ESCAPE.sub("", colored)


@pytest.mark.parametrize("width", [1, MIN_WIDTH, 80, 200])
def test_render_terminal__no_line_but_a_path_is_wider_than_the_terminal(width):
    lines = [line for line in _print(_full_report(), width=width).splitlines() if "artifacts/" not in line]
    assert max(map(cell_len, lines)) <= max(width, MIN_WIDTH)


def test_render_terminal__paths_of_artifacts_are_never_wrapped():
    path = "a/very/long/folder/" * 10 + "findings.json"
    printed = render_terminal(_full_report(), width=40, color=False, snippets={}, artifacts={"findings": path})
    assert path in printed


@pytest.mark.parametrize("color", [False, True])
@settings(max_examples=25, deadline=None)
@given(report=reports(), code=st.lists(hostile_text, max_size=3))
def test_render_terminal__hostile_text_commands_nothing(color, report, code):
    snippets = {finding.fingerprint: Snippet(1, tuple(code)) for finding in report.findings}
    printed = render_terminal(report, width=80, color=color, snippets=snippets, artifacts={"\x1b[1mx": "y\nz"})
    plain = OWN_ESCAPE.sub("", printed) if color else printed
    assert not any(map(is_hidden, plain))
    # What keeps a line from being a command is put in when lines are broken already.
    as_broken = plain.replace(":\\:", "::").replace("##\\[", "##[")
    assert max(map(cell_len, as_broken.split("\n"))) <= 80


def test_render_terminal__markup_is_shown_as_text():
    assert "[bold red]x[/] :warning:" in _print(make_report(make_finding(title="[bold red]x[/] :warning:")))


@pytest.mark.parametrize("color", [False, True])
def test_render_terminal__no_line_is_a_workflow_command(color):
    forged = "::stop-commands::x"
    finding = make_finding(path=forged, title=f"{'word ' * 15}{forged} ##[error]x", fix=f"{'word ' * 14}{forged}")
    text = OWN_ESCAPE.sub("", _print(make_report(finding), width=80, color=color))
    assert not re.search(r"(?m)^\s*::|##\[", text)
    assert ":\\:stop-commands::x:" in text


def test_render_terminal__ends_the_findings_with_one_line_each():
    found = [
        make_finding(
            fingerprint=f"{number:016x}", path=f"app/{FOLDERS}file{number}.py", title=f"Title {number} {'x' * 90}"
        )
        for number in range(OVERVIEW_ROWS + 5)
    ]
    lines = _print(make_report(*found)).split("\n")
    rows = [line for line in lines if line.startswith("HIGH      ")]
    assert len(rows) == OVERVIEW_ROWS
    assert all("…" in row and "file" in row and ".py:4  Title " in row for row in rows)
    assert lines[lines.index(rows[-1]) + 1] == "and 5 more: see report.html"
    assert lines.index(rows[0]) > max(number for number, line in enumerate(lines) if line.startswith("Fix "))
    assert lines.index(rows[-1]) < next(number for number, line in enumerate(lines) if line.startswith("Risk "))


def test_render_terminal__thousands_are_not_all_shown_in_full():
    found = [
        make_finding(fingerprint=f"{number:016x}", title=f"Title {number}.", path="a.py")
        for number in range(MOST_IN_FULL + 1_000)
    ]
    text = _print(make_report(*found))
    assert f"\nTitle {MOST_IN_FULL - 1}.\n" in text
    assert f"\nTitle {MOST_IN_FULL}.\n" not in text
    assert "\nand 1,000 more: see report.html\n" in text
    assert _print(make_report(*found[:MOST_IN_FULL])).count("see report.html") == 1  # that of the table


def test_render_terminal__few_that_count_need_no_table():
    found = [make_finding(fingerprint=f"{number:016x}") for number in range(2)]
    found.append(make_finding(fingerprint="c" * 16, status=FindingStatus.UNANCHORED))
    assert "HIGH      " not in _print(make_report(*found))
