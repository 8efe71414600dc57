"""Settings without effect are said, never errors."""

from __future__ import annotations

import pytest

from devpulse.settings import Settings


def notices(flags=None, environ=None, config=None):
    return Settings.load(flags or {}, environ or {}, config, ".devpulse.yml").notices


def test_notices__none_for_what_has_an_effect():
    environ = {
        "DEVPULSE_FAIL_ON": "high", "DEVPULSE_DEBUG": "1", "GITHUB_TOKEN": "t0ken", "DEVPULSE_GEMINI_BASE_URL": "http://x",
        "PATH": "/bin", "DEVPULSE_COMMENT": " ",
    }  # fmt: skip
    assert notices({"max-steps": "3"}, environ, "min-severity: high\n") == ()


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
