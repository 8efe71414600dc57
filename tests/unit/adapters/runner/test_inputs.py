"""The inputs of the action among the variables of a step."""

from __future__ import annotations

import pytest

from devpulse.adapters.runner.inputs import read_inputs
from devpulse.options import OPTION_BY_NAME

KNOWN = ("fail-on", "exclude", "instructions", "github-token")


@pytest.mark.parametrize("variable", ["INPUT_FAIL-ON", "INPUT_FAIL_ON"])
def test_read_inputs__both_spellings(variable):
    found = read_inputs({variable: "high", "PATH": "/bin", "FAIL-ON": "low"}, KNOWN)
    assert (found.values, found.warnings) == ({"fail-on": "high"}, ())


def test_read_inputs__the_runners_spelling_wins_if_it_says_something():
    assert read_inputs({"INPUT_FAIL_ON": "low", "INPUT_FAIL-ON": "high"}, KNOWN).values == {"fail-on": "high"}
    assert read_inputs({"INPUT_FAIL_ON": "low", "INPUT_FAIL-ON": " "}, KNOWN).values == {"fail-on": "low"}


@pytest.mark.parametrize("value", ["", " ", "\n"])
def test_read_inputs__empty_is_unset(value):
    found = read_inputs({"INPUT_FAIL-ON": value, "INPUT_NONSENSE": value}, KNOWN)
    assert (found.values, found.warnings) == ({}, ())


def test_read_inputs__lines_are_kept_and_ends_trimmed():
    assert read_inputs({"INPUT_EXCLUDE": "\n a/**\n\tb 🔒\r\n\n"}, KNOWN).values == {"exclude": "a/**\n\tb 🔒"}


def test_read_inputs__unknown_is_a_warning_with_the_closest_name_and_without_the_value():
    found = read_inputs({"INPUT_FAIL-NO": "s3cret", "INPUT_ZZZ": "s3cret"}, KNOWN)
    assert found.values == {}
    assert found.warnings == (
        'The input "zzz" is not known and has no effect.',
        'The input "fail-no" is not known and has no effect. Did you mean "fail-on"?',
    )


def test_read_inputs__a_name_is_one_short_visible_line():
    (warning,) = read_inputs({"INPUT_A\n::ERROR::\u202e" + "B" * 200: "x"}, KNOWN).warnings
    assert "\n" not in warning
    assert "\u202e" not in warning
    assert len(warning) < 120


def test_read_inputs__what_the_runner_itself_heeds_is_no_mistake():
    assert read_inputs({"INPUT_ARGS": "review", "INPUT_ENTRYPOINT": "/x"}, KNOWN).warnings == ()


def test_read_inputs__every_option_can_be_given():
    environ = {f"INPUT_{name.upper()}": "x" for name in OPTION_BY_NAME}
    assert set(read_inputs(environ, OPTION_BY_NAME).values) == set(OPTION_BY_NAME)
