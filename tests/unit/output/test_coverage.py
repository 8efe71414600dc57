"""The verdict and the coverage line."""

from __future__ import annotations

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from report_strategies import reports

from devpulse.core.budget import ContextUse
from devpulse.core.categories import Confidence, Severity
from devpulse.core.finding import FindingSource, FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Outcome, Partial, Reviewed, SkipKind, Skipped
from devpulse.errors import ExitStatus
from devpulse.output.coverage import (
    VerdictLevel,
    check_line,
    context_line,
    coverage_line,
    row_note,
    set_aside_line,
    usage_line,
    verdict,
)


def _rows(*outcomes: Outcome) -> tuple[Coverage, ...]:
    return tuple(Coverage(f"file{number}.py", outcome, 1, 10) for number, outcome in enumerate(outcomes))


@pytest.mark.parametrize(
    ("outcomes", "line"),
    [
        ([], "0 files"),
        ([Reviewed()], "1 file: 1 reviewed"),
        ([Reviewed("reused"), Reviewed("reused")], "2 files: 2 reviewed (reused)"),
        ([Reviewed("reused"), Reviewed(), Reviewed()], "3 files: 3 reviewed (reused 1)"),
        (
            [Reviewed(), Partial("token budget"), Skipped("deleted"), Skipped("binary"), Skipped("binary")],
            "5 files: 1 reviewed, 1 partial (token budget), 3 skipped (binary 2, deleted 1)",
        ),
        ([Failed("blocked"), Failed("cut off")], "2 files: 2 failed (blocked 1, cut off 1)"),
        (
            [Failed(name) for name in "abcdefg"],
            "7 files: 7 failed (a 1, b 1, c 1, d 1, e 1, 2 other reasons)",
        ),
    ],
)
def test_coverage_line__counts_outcomes_and_reasons(outcomes, line):
    assert coverage_line(make_report(coverage=_rows(*outcomes))) == line


@pytest.mark.parametrize(
    ("findings", "outcomes", "text", "level"),
    [
        ([], [Reviewed()], "No findings in 1 file reviewed.", VerdictLevel.CLEAN),
        ([], [Reviewed(), Skipped("binary")], "No findings in 1 file reviewed.", VerdictLevel.CLEAN),
        (
            [],
            [Reviewed(), Failed("cut off")],
            "INCOMPLETE: 1 of 2 files was not reviewed, or not wholly. No findings in the part that was reviewed.",
            VerdictLevel.INCOMPLETE,
        ),
        ([], [], "Nothing was reviewed: there are no changed files.", VerdictLevel.NOT_REVIEWED),
        (
            [],
            [Skipped("binary"), Skipped("deleted")],
            "Nothing was reviewed: 2 files: 2 skipped (binary 1, deleted 1).",
            VerdictLevel.NOT_REVIEWED,
        ),
        ([Severity.LOW], [Reviewed()], "Risk low: 1 finding (1 low).", VerdictLevel.LOW),
        (
            [Severity.LOW, Severity.CRITICAL, Severity.LOW],
            [Reviewed(), Skipped("token budget", SkipKind.LIMIT), Partial("time")],
            "Risk critical: 3 findings (1 critical, 2 low). INCOMPLETE: 2 of 3 files were not reviewed, or not wholly.",
            VerdictLevel.CRITICAL,
        ),
        (
            [Severity.HIGH],
            [Failed("cut off")],
            "Risk high: 1 finding (1 high). Nothing was reviewed: 1 file: 1 failed (cut off).",
            VerdictLevel.HIGH,
        ),
    ],
)
def test_verdict__says_risk_counts_and_gaps(findings, outcomes, text, level):
    found = [make_finding(severity=severity) for severity in findings]
    incomplete = any(not isinstance(o, Reviewed) and getattr(o, "kind", None) != SkipKind.POLICY for o in outcomes)
    result = verdict(make_report(*found, coverage=_rows(*outcomes), incomplete=incomplete))
    assert (result.text, result.level) == (text, level)


def test_verdict__run_cut_short_with_no_row_to_show_it():
    result = verdict(make_report(incomplete=True))
    assert result.text.startswith("INCOMPLETE: the run did not finish.")
    assert result.level is VerdictLevel.INCOMPLETE


def test_verdict__risk_of_the_coordinator_stands_above_the_findings():
    result = verdict(make_report(make_finding(severity=Severity.MEDIUM), risk="high"))
    assert result.text == "Risk high: 1 finding (1 medium)."
    assert result.level is VerdictLevel.HIGH


def test_verdict__findings_set_aside_do_not_count():
    aside = [FindingStatus.SUPPRESSED, FindingStatus.BELOW_THRESHOLD, FindingStatus.DISPUTED, FindingStatus.UNANCHORED]
    report = make_report(*(make_finding(status=status) for status in aside), risk="none")
    result = verdict(report)
    assert result.text == "1 finding could not be placed in the code. No other findings in 1 file reviewed."
    assert result.level is VerdictLevel.UNPLACED
    assert set_aside_line(report) == "1 suppressed, 1 unanchored, 1 below-threshold, 1 disputed"


@pytest.mark.parametrize(
    ("status", "severity", "engine", "level"),
    [
        (FindingStatus.DISPUTED, Severity.CRITICAL, "gemini", VerdictLevel.UNPLACED),
        (FindingStatus.BELOW_THRESHOLD, Severity.HIGH, "gemini", VerdictLevel.UNPLACED),
        (FindingStatus.BELOW_THRESHOLD, Severity.MEDIUM, "gemini", VerdictLevel.CLEAN),
        (FindingStatus.SUPPRESSED, Severity.HIGH, "gemini", VerdictLevel.CLEAN),
        (FindingStatus.BELOW_THRESHOLD, Severity.HIGH, "offline", VerdictLevel.CLEAN),
    ],
)
def test_verdict__a_model_that_sets_aside_what_rules_suspect_leaves_no_clean_report(status, severity, engine, level):
    found = make_finding(
        status=status, severity=severity, confidence=Confidence.LOW, source=FindingSource.RULE, rule_id="r"
    )
    result = verdict(make_report(found, risk="none", engine=engine))
    assert result.level is level
    assert ("the model set aside 1 serious suspicion of the rules." in result.text) is (level is VerdictLevel.UNPLACED)


def test_verdict__what_could_not_be_placed_is_said_beside_risk_and_gaps():
    lost = make_finding(status=FindingStatus.UNANCHORED, severity=Severity.CRITICAL)
    assert verdict(make_report(lost, lost, make_finding(), risk="high")).text == (
        "Risk high: 1 finding (1 high). 2 findings could not be placed in the code."
    )
    cut = verdict(make_report(lost, risk="none", incomplete=True, coverage=_rows(Reviewed(), Failed("cut off"))))
    assert cut.level is VerdictLevel.INCOMPLETE
    assert cut.text == (
        "1 finding could not be placed in the code. INCOMPLETE: 1 of 2 files was not reviewed, or not wholly. "
        "No other findings in the part that was reviewed."
    )


def test_set_aside_line__empty_when_all_count():
    assert set_aside_line(make_report(make_finding())) == ""


@settings(max_examples=25, deadline=None)
@given(reports())
def test_verdict__clean_only_when_complete_and_reviewed(report):
    if verdict(report).level is VerdictLevel.CLEAN:
        assert not any(finding.status is FindingStatus.UNANCHORED for finding in report.findings)
        assert not report.incomplete
        assert any(isinstance(row.outcome, Reviewed) for row in report.coverage)


@pytest.mark.parametrize(
    ("usage", "cost", "line"),
    [
        (Usage(), None, "no model requests; about 900 tokens of context"),
        (Usage(1, 1200, 0, 30), None, "1 request, 1,200 input tokens, 30 output, cost unknown"),
        (
            Usage(12, 45120, 10000, 3000, 500),
            0.01234,
            "12 requests, 45,120 input tokens (10,000 cached), 3,000 output, 500 thinking, cost $0.0123",
        ),
    ],
)
def test_usage_line__tokens_and_cost(usage, cost, line):
    assert usage_line(make_report(usage=usage, cost_usd=cost)) == line


@pytest.mark.parametrize(
    ("use", "line"),
    [
        (ContextUse(), ""),
        (ContextUse(32_000, 0, 1, 1, 1), ""),
        (ContextUse(32_000, 13_001, 0, 0, 4), "largest request 41 % of the window of 32,000 tokens"),
        (
            ContextUse(8_000, 6_400, 1, 2, 30),
            "largest request 80 % of the window of 8,000 tokens, 1 compaction, 2 splits",
        ),
    ],
)
def test_context_line__how_full_the_fullest_was(use, line):
    assert context_line(make_report(context_use=use)) == line


@pytest.mark.parametrize(
    ("status", "fail_on", "says"),
    [
        (ExitStatus.OK, None, "The check passes."),
        (ExitStatus.OK, Severity.CRITICAL, "The check passes."),
        (ExitStatus.GATE, Severity.HIGH, "The check fails: a finding is at or above high."),
        (ExitStatus.INCOMPLETE, None, "The check fails: the review is not complete (fail-on-incomplete)."),
        (ExitStatus.NOTHING_REVIEWED, None, "The check fails: nothing of what should have been reviewed could be."),
    ],
)
@pytest.mark.parametrize("incomplete", [False, True])
def test_check_line__says_why_and_never_hides_a_gap(status, fail_on, says, incomplete):
    report = make_report(coverage=_rows(Reviewed(), Failed("blocked")), incomplete=incomplete)
    gap = " The review is INCOMPLETE: 1 of 2 files was not reviewed, or not wholly." if incomplete else ""
    assert check_line(report, status, fail_on) == f"{says}{gap}"


def test_check_line__a_run_that_was_cut_short():
    report = make_report(coverage=_rows(Reviewed()), incomplete=True)
    assert check_line(report, ExitStatus.OK, None).endswith("INCOMPLETE: the run did not finish.")


def _of(paths, **values):
    rows = tuple(Coverage(path, Reviewed(), 1, 10) for path in paths.split())
    return verdict(make_report(**{"coverage": rows, "engine": "offline", "findings": (), "risk": "none", **values}))


def test_verdict__code_in_a_language_without_rules_is_not_called_clean():
    one, more = _of("app.py Shop.cs"), _of("a.cs b.cs c.kt README.md")

    searched = "only searched for secrets, hidden characters and orders to reviewers."
    assert one.text == f"No findings in 2 files reviewed. 1 file in C# was {searched}"
    assert more.text == f"No findings in 4 files reviewed. 2 files in C#, 1 in Kotlin were {searched}"
    assert {one.level, more.level} == {VerdictLevel.LIMITED}


def test_verdict__many_languages_without_rules_are_counted():
    said = _of("a.cs b.kt c.rs d.swift e.lua f.dart g.zig").text

    assert said.endswith("1 in Lua, others in 2 languages were only searched for " + said.partition("searched for ")[2])


def test_verdict__findings_do_not_hide_what_was_only_searched():
    said = _of("app.py Shop.cs", findings=(make_finding(),), risk="high")

    assert said.level is VerdictLevel.HIGH
    assert said.text.startswith("Risk high: 1 finding")
    assert "1 file in C# was only searched for" in said.text


@pytest.mark.parametrize(("paths", "engine"), [("app.py README.md", "offline"), ("Shop.cs", "gemini")])
def test_verdict__rules_that_know_the_language_and_models_leave_it_clean(paths, engine):
    assert _of(paths, engine=engine).level is VerdictLevel.CLEAN


def test_row_note__reason_of_the_outcome_or_what_was_not_looked_for():
    outcomes: dict[str, Outcome] = {
        "a.cs": Reviewed(),
        "b.cs": Reviewed("reused"),
        "c.py": Reviewed(),
        "d.cs": Skipped("deleted"),
    }
    rows = tuple(Coverage(path, outcome, 1, 1) for path, outcome in outcomes.items())
    report = make_report(coverage=rows, engine="offline")

    searched = "C#: searched for secrets, hidden characters and orders to reviewers only"
    assert [row_note(report, row) for row in rows] == [searched, f"reused; {searched}", "", "deleted"]
