from __future__ import annotations

import pytest

from devpulse.core.categories import Confidence, Severity
from devpulse.core.policy import IgnoreRule, PathRule
from devpulse.errors import ConfigurationError
from devpulse.settings import Settings
from devpulse.settings.path_rules import KEYS_AT_PATH, overruled, read_path_rules
from devpulse.settings.values import Raw

PLACE = ".devpulse.yml line 3: paths"


def failure(raw):
    with pytest.raises(ConfigurationError) as caught:
        read_path_rules(raw, PLACE)
    return f"{caught.value} | {caught.value.hint}"


def test_read_path_rules__every_key_is_read():
    item: dict[str, Raw] = {
        "path": " services/pay/ ",
        "min-severity": "HIGH",
        "min-confidence": "low",
        "severity-overrides": {"csrf": "low"},
        "instructions": "Amounts are in cents.",
        "ignore": [{"category": "weak-cryptography", "reason": "checksums"}],
    }
    assert set(item) == set(KEYS_AT_PATH)
    assert read_path_rules([item], PLACE) == (
        PathRule(
            "services/pay/",
            Severity.HIGH,
            Confidence.LOW,
            {"csrf": Severity.LOW},
            (IgnoreRule(None, "weak-cryptography", None, "checksums"),),
            "Amounts are in cents.",
        ),
    )


def test_read_path_rules__what_is_left_empty_says_nothing_and_an_empty_list_does():
    (rule,) = read_path_rules([{"path": "a/", "min-severity": "", "ignore": []}], PLACE)
    assert (rule.min_severity, rule.ignores) == (None, ())


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("services/", 'is "services/"; allowed: a list of mappings with path and at least one of min-severity'),
        ({"path": "a/"}, "is a mapping; allowed"),
        (["services/"], 'has "services/" as item 1'),
        ([{"path": "a/", "min-severity": "low"}, {"min-severity": "low"}], "has no path in item 2"),
        ([{"path": "a/"}], 'says nothing about "a/" in item 1'),
        ([{"path": ["a/"], "min-severity": "low"}], "has a list as path of item 1"),
        ([{"path": "#a", "min-severity": "low"}], 'has the path "#a" in item 1'),
        ([{"path": "!a", "min-severity": "low"}], 'has the path "!a" in item 1'),
        ([{"path": "a/", "min-sevrity": "low"}], 'the unknown key "min-sevrity" in item 1'),
        ([{"path": "a/", "min-sevrity": "low"}], 'Did you mean "min-severity"?'),
        ([{"path": "a/", "fail-on": "low"}], "a list of mappings with path and at least one of min-severity, "),
        ([{"path": "a/", "min-severity": "hihg"}], 'item 1: min-severity is "hihg"; allowed: low, medium, high'),
        ([{"path": "a/", "severity-overrides": {"csrv": "low"}}], 'names the unknown category "csrv"'),
        ([{"path": "a/", "instructions": "x" * 1_201}], "item 1: instructions is about 301 tokens long; allowed: a"),
        ([{"path": "a/", "ignore": "csrf"}], 'item 1: ignore is "csrf"; allowed: a list of mappings with category'),
        ([{"path": "a/", "ignore": [{"path": "b/"}]}], 'has the unknown key "path" in item 1'),
        ([{"path": "a/", "ignore": [{"reason": "so"}]}], "says no category in item 1"),
        ([{"path": "a/", "ignore": [{"category": "csrv"}]}], 'names the unknown category "csrv" in item 1'),
    ],
)  # fmt: skip
def test_read_path_rules__what_is_wrong_is_named_with_what_is_allowed(raw, said):
    assert said in failure(raw)
    assert failure(raw).startswith(PLACE)


def test_overruled__what_is_set_for_the_run_is_taken_out_and_told():
    rules = (PathRule("a/", Severity.HIGH, Confidence.HIGH), PathRule("b/", instructions="x"))
    left, notices = overruled(rules, ["min-severity", "severity-overrides"])
    assert left == (PathRule("a/", None, Confidence.HIGH), PathRule("b/", instructions="x"))
    assert len(notices) == 1
    assert notices[0].startswith("min-severity is set for this run")


def test_load__a_flag_wins_over_paths_and_is_told():
    text = "paths:\n  - path: a/\n    min-severity: high\n"
    settings = Settings.load({}, {}, text, ".devpulse.yml")
    assert settings.report_policy.at("a/b.py").min_severity is Severity.HIGH
    assert settings.report_policy.at("c/a.py").min_severity is Severity.LOW
    for flags, environ in (({"min-severity": "medium"}, {}), ({}, {"DEVPULSE_MIN_SEVERITY": "medium"})):
        settings = Settings.load(flags, environ, text, ".devpulse.yml")
        assert settings.report_policy.at("a/b.py").min_severity is Severity.MEDIUM
        assert "what paths say about it has no effect" in settings.notices[0]


def test_load__paths_left_empty_are_none():
    assert Settings.load({}, {}, "paths:\n", ".devpulse.yml").path_rules == ()
