from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from devpulse.core.categories import Confidence, Severity
from devpulse.core.policy import IgnoreRule, ReportPolicy
from devpulse.errors import ConfigurationError
from devpulse.options import OPTION_BY_NAME, OPTIONS
from devpulse.settings import Settings
from devpulse.settings.values import convert

KEY = "AIzaPlantedKey"


def load(flags=None, environ=None, config=None):
    return Settings.load(flags or {}, environ or {}, config, ".devpulse.yml")


def failure(flags=None, environ=None, config=None):
    with pytest.raises(ConfigurationError) as caught:
        load(flags, environ, config)
    return f"{caught.value} | {caught.value.hint}"


def test_settings__have_one_field_for_each_option_and_what_else_the_file_holds():
    assert {each.name for each in fields(Settings)} == {option.field for option in OPTIONS} | {
        "ignores",
        "path_rules",
        "notices",
    }


def test_load__defaults_are_those_of_the_table():
    settings = load()
    for option in OPTIONS:
        value = getattr(settings, option.field)
        if option.name == "fail-on":
            assert value is None
        elif option.default:
            assert value == convert(option, option.default, option.name), option.name
        else:
            assert value in (None, (), {}, ""), option.name
    assert settings.ignores == ()


# A value of each option, other than its default, as a person writes it.
WRITTEN = {
    "gemini-api-key": "k1",
    "gemini-base-url": "http://127.0.0.1:1",
    "engine": "offline",
    "model": "gemini-x",
    "verify": "false",
    "summarize": "model",
    "instructions": "Look at money.",
    "include": "src/**",
    "exclude": "docs/**",
    "min-severity": "high",
    "min-confidence": "low",
    "severity-overrides": "csrf=high",
    "allow-new-suppressions": "true",
    "fail-on": "critical",
    "fail-on-incomplete": "false",
    "max-parallel": "3",
    "max-steps": "4",
    "context-window": "64000",
    "token-budget": "5000",
    "time-budget-minutes": "1.5",
    "requests-per-minute": "6",
    "tokens-per-minute": "7000",
    "price-input": "0.3",
    "price-output": "2.5",
    "sarif": "false",
    "output-dir": "out",
    "state-dir": "state",
    "config": "other.yml",
    "fresh": "true",
    "stop-after": "2",
    "dry-run": "true",
    "show-requests": "true",
    "github-token": "t1",
    "pull-request-number": "7",
    "skip-drafts": "true",
    "comment": "false",
    "max-comments": "9",
    "summary": "never",
    "command": "review",
    "from": "results",
    "shards": "8",
    "shard": "1/8",
}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_load__each_option_is_read_from_flag_variable_and_file(option):
    written = WRITTEN[option.name]
    flag = getattr(load(flags={option.name: written}), option.field)
    assert flag != getattr(load(), option.field)
    assert getattr(load(environ={option.variable: written}), option.field) == flag
    for variable in option.variables:
        assert getattr(load(environ={variable: written}), option.field) == flag
    if option.in_config:
        assert getattr(load(config=f"{option.name}: {written}\n"), option.field) == flag


FULL = {
    "flags": {"model": "from-flag"},
    "environ": {"DEVPULSE_MODEL": "from-variable"},
    "config": "model: from-file\n",
}


@pytest.mark.parametrize(
    ("without", "expected"),
    [
        ((), "from-flag"),
        (("flags",), "from-variable"),
        (("flags", "environ"), "from-file"),
        (("environ",), "from-flag"),
        (("flags", "environ", "config"), "gemini-3.8-flash"),
    ],
)
def test_load__precedence(without, expected):
    assert load(**{layer: value for layer, value in FULL.items() if layer not in without}).model == expected


@pytest.mark.parametrize("empty", ["", " ", "\n"])
def test_load__empty_means_unset_in_every_layer(empty):
    config = "model: from-file\nfail-on: ''\nmax-parallel:\n"
    settings = load(flags={"model": empty}, environ={"DEVPULSE_MODEL": empty}, config=config)
    assert (settings.model, settings.fail_on, settings.max_parallel) == ("from-file", None, 8)


def test_load__a_flag_that_was_not_given_says_nothing():
    assert load(flags={"verify": None}, environ={"DEVPULSE_VERIFY": "no"}).verify is False


@pytest.mark.parametrize(("flag", "config", "expected"), [(True, "no", True), (False, "yes", False)])
def test_load__switches_win_both_ways(flag, config, expected):
    assert load(flags={"verify": flag}, config=f"verify: {config}\n").verify is expected


def test_load__a_flag_lifts_a_limit_of_the_file():
    assert load(flags={"token-budget": "none"}, config="token-budget: 1000\n").token_budget is None


def test_load__an_empty_list_of_the_file_is_a_value():
    assert load(config="include: []\n").include == ()


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"GOOGLE_API_KEY": "google"}, "google"),
        ({"GOOGLE_API_KEY": "google", "GEMINI_API_KEY": "gemini"}, "gemini"),
        ({"GEMINI_API_KEY": "gemini", "DEVPULSE_GEMINI_API_KEY": "own"}, "own"),
        ({"GEMINI_API_KEY": "", "GOOGLE_API_KEY": "google"}, "google"),
        ({"MODEL": "x", "gemini_api_key": "x"}, None),
    ],
)
def test_load__variables_of_the_key(environ, expected):
    assert load(environ=environ).gemini_api_key == expected


def test_load__values_are_typed():
    settings = load(config="fail-on: high\nmin-confidence: low\nseverity-overrides:\n  csrf: critical\n")
    assert settings.fail_on is Severity.HIGH
    assert settings.min_confidence is Confidence.LOW
    assert settings.severity_overrides == {"csrf": Severity.CRITICAL}
    assert settings.severity_overrides["csrf"] is Severity.CRITICAL


def test_load__paths_may_be_any_name():
    assert load(flags={"output-dir": "my results/\udcff"}).output_dir == "my results/\udcff"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"flags": {"fail-on": "hihg"}}, ['--fail-on is "hihg"; allowed: none, low', 'Did you mean "high"?']),
        ({"environ": {"DEVPULSE_FAIL_ON": "x"}}, ['DEVPULSE_FAIL_ON is "x"; allowed: none, low']),
        ({"config": "verify: no\nfail-on: x\n"}, ['.devpulse.yml line 2: fail-on is "x"; allowed: none, low']),
        ({"config": "fail_on: high\n"}, ['.devpulse.yml line 1: "fail_on" is not a key', 'Did you mean "fail-on"?']),
        ({"config": "ignores: []\n"}, ['"ignores" is not a key of this file', 'Did you mean "ignore"?']),
        ({"config": "zzz: 1\n"}, ['"zzz" is not a key of this file', "Keys: engine, model, "]),
        ({"config": "- fail-on\n"}, [".devpulse.yml is not a mapping"]),
        ({"config": "ignore: yes\n"}, ['.devpulse.yml line 1: ignore is "yes"; allowed: a list']),
        ({"flags": {"fail_on": "high"}}, ['there is no option "fail_on"', 'Did you mean "fail-on"?']),
        ({"environ": {"GOOGLE_GEMINI_BASE_URL": "x"}}, ['GOOGLE_GEMINI_BASE_URL is "x"; allowed: an address']),
    ],
)
def test_load__names_key_value_and_what_is_allowed(arguments, parts):
    message = failure(**arguments)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("gemini-api-key", "Use the flag --gemini-api-key or the variable DEVPULSE_GEMINI_API_KEY."),
        ("gemini-base-url", "Use DEVPULSE_GEMINI_BASE_URL."),
        ("github-token", "Use the flag --github-token or the variable DEVPULSE_GITHUB_TOKEN."),
        ("state-dir", "Use the flag --state-dir or the variable DEVPULSE_STATE_DIR."),
        ("output-dir", "Use the flag --output-dir or the variable DEVPULSE_OUTPUT_DIR."),
        ("config", "Use the flag --config or the variable DEVPULSE_CONFIG."),
    ],
)
@pytest.mark.parametrize("value", [KEY, ""])
def test_load__the_file_may_not_hold_some_keys(key, hint, value):
    message = failure(config=f"{key}: {value}\n")
    assert f".devpulse.yml line 1: {key} is not allowed in this file" in message
    assert hint in message
    assert KEY not in message


def test_load__a_bad_value_that_is_overruled_does_no_harm():
    assert load(flags={"fail-on": "low"}, config="fail-on: x\n").fail_on is Severity.LOW


def test_load__an_unknown_key_of_the_file_does_harm_in_any_case():
    assert "not a key" in failure(flags={"fail-on": "low"}, config="failon: x\n")


def test_load__unknown_variables_are_not_ours():
    assert load(environ={"DEVPULSE_DEBUG": "1", "FAIL_ON": "x"}) == load()


def test_load__ignores_come_from_the_file():
    rule = IgnoreRule("tests/", None, None, "fixtures")
    assert load(config="ignore:\n- path: tests/\n  reason: fixtures\n").ignores == (rule,)
    assert load(config="ignore:\n").ignores == ()


@pytest.mark.parametrize("config", ['instructions: "\\ud800"\n', 'include: ["\\ud800"]\n', 'model: "\\ud800"\n'])
def test_load__text_that_is_not_unicode_is_refused(config):
    assert r"\ud800" in failure(config=config)


def test_load__an_ignored_path_that_is_not_unicode_stays_as_it_is():
    assert load(config='ignore: [{path: "\\udcff"}]\n').ignores[0].path == "\udcff"


def test_settings__secrets_are_not_shown():
    settings = load(environ={"GEMINI_API_KEY": KEY, "GITHUB_TOKEN": f"{KEY}2"})
    assert settings.gemini_api_key == KEY
    assert settings.github_token == f"{KEY}2"
    assert KEY not in f"{settings!r}{settings}"


def test_settings__are_frozen_and_closed():
    with pytest.raises(FrozenInstanceError):
        load().model = "other"
    with pytest.raises(TypeError):
        replace(load(), extra=1)


def test_settings__words_are_the_choices_of_their_options():
    hints = get_type_hints(Settings, localns={"Entry": object})
    for option in OPTIONS:
        if get_origin(hints[option.field]) is Literal:
            assert get_args(hints[option.field]) == option.choices
        elif option.kind == "choice":
            core = Confidence if option.name == "min-confidence" else Severity
            assert set(option.choices) - {"none"} == set(core)


def test_settings__have_the_types_of_the_core():
    settings = load(flags={"fail-on": "high", "severity-overrides": "csrf=low"})
    assert (settings.fail_on, settings.min_severity, settings.min_confidence) == (
        Severity.HIGH,
        Severity.LOW,
        Confidence.MEDIUM,
    )
    assert isinstance(settings.min_severity, Severity)
    assert isinstance(settings.min_confidence, Confidence)
    assert settings.severity_overrides == {"csrf": Severity.LOW}
    assert isinstance(settings.severity_overrides["csrf"], Severity)
    assert load().fail_on is None
    assert load().instructions == ""


@pytest.mark.parametrize(
    ("fail_on", "incomplete", "expected"),
    [
        ("none", "auto", False),
        ("low", "auto", True),
        ("none", "true", True),
        ("low", "false", False),
    ],
)
def test_incomplete_fails__auto_follows_the_gate(fail_on, incomplete, expected):
    assert load(flags={"fail-on": fail_on, "fail-on-incomplete": incomplete}).incomplete_fails is expected


def test_report_policy__is_what_was_configured():
    config = "min-severity: high\nseverity-overrides: {csrf: low}\nignore: [{category: csrf, reason: r}]\n"
    assert load(config=config).report_policy == ReportPolicy(
        Severity.HIGH, Confidence.MEDIUM, {"csrf": Severity.LOW}, (IgnoreRule(None, "csrf", None, "r"),)
    )


@pytest.mark.parametrize(
    ("engine", "key", "expected"),
    [
        ("auto", "", "offline"),
        ("auto", KEY, "gemini"),
        ("offline", KEY, "offline"),
        ("offline", "", "offline"),
        ("gemini", KEY, "gemini"),
    ],
)
def test_choose_engine__auto_follows_the_key(engine, key, expected):
    assert load(flags={"engine": engine, "gemini-api-key": key}).choose_engine() == expected


def test_choose_engine__gemini_needs_a_key():
    with pytest.raises(ConfigurationError, match="there is no key") as caught:
        load(flags={"engine": "gemini"}).choose_engine()
    assert "GEMINI_API_KEY" in caught.value.hint


def test_options__each_has_a_sample_here():
    assert set(WRITTEN) == set(OPTION_BY_NAME)
