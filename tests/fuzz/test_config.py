"""Configuration from files, flags and variables: any text gives settings, or one refusal that names the place."""

from __future__ import annotations

from fuzz.mutation import mutated
from fuzz.profile import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from devpulse.adapters.runner.inputs import read_inputs
from devpulse.errors import ConfigurationError
from devpulse.options import OPTIONS
from devpulse.settings import Settings

FILE = """\
# what is reviewed
fail-on: high
min-severity: low
severity-overrides: {sql-injection: critical}
include: ["**/*.py", "!tests/**"]
exclude: |
  vendor/**
  **/*.min.js
max-parallel: 4
time-budget-minutes: 2.5
price-input: 1e-3
verify: yes
ignore:
  - path: "legacy/**"
    category: weak-cryptography
    reason: replaced next year
  - fingerprint: 0123456789abcdef
    reason: looked at
"""
WORDS = [
    "!!python/object:os.system",
    "&a [*a]",
    "*a",
    "{",
    "- ",
    ": ",
    "\n  ",
    "1e999",
    ".inf",
    "nan",
    "0x10",
    "~",
    "<<: *a",
    "? ",
    "---\n",
    "...\n",
    "'",
    '"',
    "%YAML 9\n",
    "[" * 60,
]
NAMES = [option.name for option in OPTIONS]
VALUES = st.text(max_size=12) | st.sampled_from(
    ["", " ", "true", "-1", "0", "1e309", "nan", "none", "high", "a=b", "\ud800", "\x00", "9" * 400]
)


@fuzzed
@given(mutated([FILE], WORDS) | st.text(max_size=60))
def test_load__any_file(text):
    try:
        settings = Settings.load({}, {}, text, ".devpulse.yml")
    except ConfigurationError as error:
        _check_words(error, ".devpulse.yml")
        return
    assert settings.max_parallel >= 1
    assert settings.gemini_api_key is None
    assert settings.output_dir == "devpulse-artifacts"


@fuzzed
@given(
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3),
)
def test_load__any_inputs_and_variables(inputs, variables):
    environ = {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
    environ |= {f"DEVPULSE_{name.upper().replace('-', '_')}": value for name, value in variables.items()}
    try:
        Settings.load(read_inputs(environ, NAMES).values, environ)
    except ConfigurationError as error:
        _check_words(error, "")


def _check_words(error, place):
    assert place in str(error)
    assert 0 < len(str(error)) < 2_000
    assert error.hint
