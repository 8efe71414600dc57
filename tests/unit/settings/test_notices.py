"""Settings without effect are said, never errors."""

from __future__ import annotations

import pytest

from devpulse.options import OPTIONS
from devpulse.settings import Settings


def notices(flags=None, environ=None, config=None):
    return Settings.load(flags or {}, environ or {}, config, ".devpulse.yml").notices


def test_notices__none_for_what_has_an_effect():
    environ = {
        "DEVPULSE_FAIL_ON": "high", "DEVPULSE_DEBUG": "1", "GITHUB_TOKEN": "t0ken", "DEVPULSE_GEMINI_BASE_URL": "http://x",
        "PATH": "/bin", "DEVPULSE_COMMENT": " ",
    }  # fmt: skip
    assert notices({"max-steps": "3"}, environ, "min-severity: high\n") == ()


@pytest.mark.parametrize("option", [o for o in OPTIONS if not o.commands and o.is_input], ids=lambda o: o.name)
def test_notices__an_option_that_nothing_heeds(option):
    value = {"boolean": "true", "choice": option.default, "integer": "3", "number": "3"}.get(option.kind, "2/8")
    said = f"Set, but without effect yet: {option.name}."
    assert notices(environ={option.variable: value}) == (said,)
    if option.in_config:
        assert notices(config=f"{option.name}: {value}\n") == (said,)


def test_notices__options_share_one_line_in_the_order_of_the_table():
    said = notices(environ={"DEVPULSE_DRY_RUN": "true"}, config="tokens-per-minute: 5\nallow-new-suppressions: true\n")
    assert said == ("Set, but without effect yet: allow-new-suppressions, tokens-per-minute, dry-run.",)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("DEVPULSE_FAILON", " Did you mean DEVPULSE_FAIL_ON?"),
        ("DEVPULSE_MAX_PARALLE", " Did you mean DEVPULSE_MAX_PARALLEL?"),
        ("DEVPULSE_QWXZ", ""),
    ],
)
def test_notices__unknown_variable_and_the_closest_spelling(name, hint):
    said = notices(environ={name: "s3cret-value"})
    assert said == (f'The variable "{name}" is not known and has no effect.{hint}',)


def test_notices__a_name_cannot_forge_lines():
    (said,) = notices(environ={"DEVPULSE_\n::error::": "1"})
    assert "\n" not in said
