from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.errors import ConfigurationError
from devpulse.options import OPTION_BY_NAME, OPTIONS
from devpulse.settings.values import closest, convert, is_set, shown


def value(name, raw):
    return convert(OPTION_BY_NAME[name], raw, f"--{name}")


def refusal(name, raw):
    with pytest.raises(ConfigurationError) as caught:
        value(name, raw)
    assert str(caught.value).startswith(f"--{name} ")
    assert f"allowed: {OPTION_BY_NAME[name].allowed}" in str(caught.value)
    return f"{caught.value} | {caught.value.hint}"


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("engine", " Gemini ", "gemini"),
        ("fail-on", "HIGH", "high"),
        ("fail-on-incomplete", "yes", "true"),
        ("fail-on-incomplete", "off", "false"),
        ("fail-on-incomplete", "auto", "auto"),
        *[("verify", word, True) for word in ("true", "TRUE", "yes", "Yes", "on", " on ")],
        *[("verify", word, False) for word in ("false", "False", "no", "OFF")],
        ("max-parallel", "1", 1),
        ("max-parallel", "64", 64),
        ("max-parallel", "+8", 8),
        ("max-steps", "50", 50),
        ("context-window", "4000", 4000),
        ("context-window", "2000000", 2_000_000),
        ("max-comments", "0", 0),
        ("max-comments", "200", 200),
        ("token-budget", "1", 1),
        ("token-budget", "None", None),
        ("time-budget-minutes", "0.5", 0.5),
        ("time-budget-minutes", "none", None),
        ("price-input", "0", 0.0),
        ("price-input", ".3", 0.3),
        ("price-output", "2.", 2.0),
        ("model", "models/gemini-3.8-flash", "models/gemini-3.8-flash"),
        ("gemini-api-key", " AIza_x-1 \n", "AIza_x-1"),
        ("gemini-base-url", "http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("instructions", "  Look at money.\nAnd time. ", "Look at money.\nAnd time."),
        ("instructions", "x" * 1200, "x" * 1200),
        ("include", "src/**, lib/*.py\n!lib/old.py,", ("src/**", "lib/*.py", "!lib/old.py")),
        ("include", ["a,b/**", " c "], ("a,b/**", "c")),
        ("exclude", [], ()),
        ("severity-overrides", "csrf=HIGH, other = low", {"csrf": "high", "other": "low"}),
        ("severity-overrides", {"csrf": "High"}, {"csrf": "high"}),
        ("severity-overrides", ["csrf=high", "csrf=high"], {"csrf": "high"}),
        ("output-dir", "my results/ü\udcff", "my results/ü\udcff"),
        ("shard", "8/8", "8/8"),
    ],
)
def test_convert__takes(name, raw, expected):
    converted = value(name, raw)
    assert converted == expected
    assert type(converted) is type(expected)


@pytest.mark.parametrize(
    ("name", "raw", "parts"),
    [
        ("engine", "gemni", ['is "gemni"', 'Did you mean "gemini"?']),
        ("fail-on", "hihg", ['is "hihg"', 'Did you mean "high"?']),
        ("fail-on", "9", ['is "9"', "Correct it, or leave it out: the default is none."]),
        ("fail-on", ["high"], ["is a list"]),
        ("fail-on", "false", ['is "false"']),
        ("fail-on-incomplete", "maybe", ['is "maybe"']),
        ("verify", "1", ['is "1"']),
        ("verify", {"a": "b"}, ["is a mapping"]),
        ("max-parallel", "0", ['is "0"', "from 1 to 64"]),
        ("max-parallel", "65", ['is "65"']),
        ("max-parallel", "8.0", ['is "8.0"']),
        ("max-parallel", "0x8", ['is "0x8"']),
        ("max-parallel", "٣", ['is "٣"']),
        ("max-parallel", "none", ['is "none"']),
        ("max-steps", "51", ['is "51"']),
        ("context-window", "3999", ['is "3999"']),
        ("context-window", "2000001", ['is "2000001"']),
        ("max-comments", "201", ['is "201"']),
        ("max-comments", "-1", ['is "-1"']),
        ("token-budget", "0", ['is "0"', "at least 1, or none"]),
        ("token-budget", "32,000", ['is "32,000"']),
        ("token-budget", "9" * 400, ['is "' + "9" * 60 + '…"']),
        ("time-budget-minutes", "0", ['is "0"', "above 0"]),
        ("time-budget-minutes", "nan", ['is "nan"']),
        ("time-budget-minutes", "inf", ['is "inf"']),
        ("price-input", "-0.1", ['is "-0.1"']),
        ("price-input", "1e3", ['is "1e3"']),
        ("model", "gemini flash", ['is "gemini flash"']),
        ("model", "x?key=1", ['is "x?key=1"']),
        ("gemini-base-url", "file:///etc", ['is "file:///etc"']),
        ("instructions", "x" * 1201, ["is about 301 tokens long", "Shorten it"]),
        ("instructions", "a\ud800", [r'is "a\ud800"', "not UTF-8"]),
        ("include", "src/**,x[z-a]", ['holds "x[z-a]", which is not a pattern']),
        ("include", "!", ['holds "!", which is not a pattern']),
        ("include", ["# note"], ['holds "# note", which is not a pattern']),
        ("include", ["a", ["b"]], ["holds a list where a text is due"]),
        ("include", {"a": "b"}, ["is a mapping"]),
        ("severity-overrides", "csfr=high", ['the unknown category "csfr"', 'Did you mean "csrf"?']),
        ("severity-overrides", "zzz=high", ['the unknown category "zzz"', "Categories: sql-injection, "]),
        ("severity-overrides", "csrf=hihg", ['gives csrf the severity "hihg"', 'Did you mean "high"?']),
        ("severity-overrides", "csrf=none", ['gives csrf the severity "none"', "Severities: low, medium"]),
        ("severity-overrides", "csrf", ['holds "csrf"']),
        ("severity-overrides", "csrf=low,csrf=high", ["gives csrf two severities"]),
        ("severity-overrides", {"csrf": ["high"]}, ["holds a list where a severity is due"]),
        ("output-dir", "a\nb", [r'is "a\nb"']),
        ("shard", "3/2", ['is "3/2"']),
        ("shard", "0/2", ['is "0/2"']),
        ("shard", "1", ['is "1"']),
        ("pull-request-number", "0", ['is "0"']),
    ],
)
def test_convert__refuses(name, raw, parts):
    message = refusal(name, raw)
    for part in parts:
        assert part in message


@pytest.mark.parametrize("name", ["gemini-api-key", "github-token"])
@pytest.mark.parametrize("raw", ["AIza secret", "AIza\nsecret", "AIzasecrét", ["AIzasecret"]])
def test_convert__never_shows_a_secret(name, raw):
    message = refusal(name, raw)
    assert "AIza" not in message
    assert "not shown" in message


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("high", '"high"'),
        ("a\x1b[31m\u202eb\n", r'"a\x1b[31m\u202eb\n"'),
        ("\udcff", r'"\udcff"'),
        ("é" * 61, f'"{"é" * 60}…"'),
        (["a"], "a list"),
        ({"a": "b"}, "a mapping"),
    ],
)
def test_shown__is_one_short_harmless_line(raw, text):
    assert shown(raw) == text


def test_closest__knows_near_spellings_only():
    assert closest("fail_on", ["fail-on", "from"]) == 'Did you mean "fail-on"?'
    assert closest("FAIL-ONN", ["fail-on", "from"]) == 'Did you mean "fail-on"?'
    assert closest("zzz", ["fail-on", "from"]) == ""


@pytest.mark.parametrize(("raw", "expected"), [(None, False), ("", False), (" \n", False), ("0", True), ([], True)])
def test_is_set__blank_is_unset(raw, expected):
    assert is_set(raw) is expected


@settings(deadline=None)
@given(
    st.sampled_from(OPTIONS),
    st.one_of(
        st.text(max_size=20),
        st.text(alphabet=st.characters(min_codepoint=0xD7F0, max_codepoint=0xE00F), max_size=3),
        st.text(alphabet="!*[]-\\/#a=,", max_size=8),
        st.lists(st.text(max_size=5), max_size=3),
        st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
    ),
)
def test_convert__any_value_is_taken_or_refused(option, raw):
    refused = None
    try:
        convert(option, raw, option.flag)
    except ConfigurationError as error:
        refused = error
    if refused is not None:
        assert refused.hint
        assert str(refused).encode("utf-8")
