from __future__ import annotations

import dataclasses
import re

import pytest

from devpulse.core.categories import Confidence, Severity
from devpulse.options import OPTION_BY_NAME, OPTIONS, Option, options_of
from devpulse.requests import ReviewRequest


def test_options__every_input_of_the_design_is_there_once():
    expected = """
        allow-new-suppressions command comment config context-window dry-run engine exclude fail-on fail-on-incomplete
        fresh from gemini-api-key gemini-base-url github-token include instructions max-comments max-parallel max-steps
        min-confidence min-severity model output-dir price-input price-output pull-request-number requests-per-minute
        sarif severity-overrides shard shards show-requests skip-drafts state-dir stop-after summarize summary
        time-budget-minutes token-budget tokens-per-minute verify
    """
    assert sorted(option.name for option in OPTIONS) == expected.split()
    assert len(OPTION_BY_NAME) == len(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_option__is_complete_and_consistent(option):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", option.name)
    assert option.help.endswith((".", "low"))
    assert option.allowed
    assert bool(option.choices) == (option.kind == "choice")
    assert not option.choices or option.default in option.choices
    assert bool(option.pattern) <= bool(option.form), "a pattern is explained in words"
    assert option.minimum is None or option.kind in ("integer", "number")


def test_options__what_the_configuration_file_may_not_hold():
    refused = {option.name for option in OPTIONS if not option.in_config}
    assert refused == {
        "gemini-api-key", "gemini-base-url", "github-token", "state-dir", "output-dir", "config", "show-requests",
        "stop-after", "pull-request-number", "command", "from", "shard", "shards", "fresh", "dry-run",
    }  # fmt: skip


def test_options__further_variables():
    variables = {option.name: option.variables for option in OPTIONS if option.variables}
    assert variables == {
        "gemini-api-key": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "gemini-base-url": ("GOOGLE_GEMINI_BASE_URL",),
        "github-token": ("GITHUB_TOKEN",),
    }


def test_options__secrets_are_never_in_the_configuration_file():
    secrets = {option.name for option in OPTIONS if option.secret}
    assert secrets == {"gemini-api-key", "github-token"}
    assert not any(OPTION_BY_NAME[name].in_config for name in secrets)


def test_options__levels_are_those_of_the_core():
    assert OPTION_BY_NAME["min-severity"].choices == tuple(Severity)
    assert OPTION_BY_NAME["fail-on"].choices == ("none", *Severity)
    assert OPTION_BY_NAME["min-confidence"].choices == tuple(Confidence)


@pytest.mark.parametrize(
    ("name", "variable", "field"),
    [
        ("fail-on", "DEVPULSE_FAIL_ON", "fail_on"),
        ("model", "DEVPULSE_MODEL", "model"),
        ("from", "DEVPULSE_FROM", "from_"),
        ("time-budget-minutes", "DEVPULSE_TIME_BUDGET_MINUTES", "time_budget_minutes"),
    ],
)
def test_option__names_are_derived(name, variable, field):
    option = OPTION_BY_NAME[name]
    assert (option.flag, option.variable, option.field) == (f"--{name}", variable, field)


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("fail-on", "none, low, medium, high, critical"),
        ("verify", "true or false"),
        ("max-parallel", "a whole number from 1 to 64"),
        ("token-budget", "a whole number of at least 1, or none"),
        ("time-budget-minutes", "a number above 0, or none"),
        ("price-input", "a number of at least 0"),
        ("output-dir", "a path"),
        ("shard", "i/N with i from 1 to N, like 2/8"),
    ],
)
def test_option__allowed_says_what_is_allowed(name, allowed):
    assert OPTION_BY_NAME[name].allowed == allowed


def test_option__a_number_without_bounds_is_any_number():
    assert Option("x", "number", "Group", "Help.").allowed == "a number"


def test_options_of__gives_only_what_has_an_effect():
    assert [option.name for option in options_of("prompt")] == ["model", "price-input"]
    assert "fail-on" in {option.name for option in options_of("review")}
    assert "max-comments" not in {option.name for option in options_of("review")}, "a local review posts nothing"
    assert options_of("index") == ()


def test_options_of__a_merge_judges_and_concludes_like_a_review():
    judging = {"allow-new-suppressions", "requests-per-minute", "tokens-per-minute", "time-budget-minutes"}
    assert judging <= {option.name for option in options_of("merge")}


def test_review_request__is_frozen():
    request = ReviewRequest("review", ".", None, None, None, staged=False, as_json=False, progress=None, flags={})
    with pytest.raises(dataclasses.FrozenInstanceError):
        request.path = "elsewhere"  # type: ignore[misc]
