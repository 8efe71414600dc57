from __future__ import annotations

import pytest

from devpulse.core.secrets.names import NameKind, kind_of_name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", NameKind.PASSWORD),
        ("DB_PASSWORD_PROD", NameKind.PASSWORD),
        ("smtpPass", NameKind.PASSWORD),
        ("clientSecret", NameKind.SECRET),
        ("SECRET_KEY_BASE", NameKind.KEY),
        ("apiKey", NameKind.KEY),
        ("X-Api-Key", NameKind.KEY),
        ("github_token", NameKind.KEY),
        ("password2", NameKind.PASSWORD),
    ],
)
def test_kind_of_name__telling(name: str, kind: NameKind):
    assert kind_of_name(name) is kind


@pytest.mark.parametrize(
    "name",
    ["password_field", "token_url", "secret_name", "passwordInput", "resetPassword", "next_token", "csrf_token", "key",
     "primary_key", "author", "keyboard", "compass", "password_hash", "", "_", "public_key"],
)  # fmt: skip
def test_kind_of_name__ordinary(name: str):
    assert kind_of_name(name) is None
