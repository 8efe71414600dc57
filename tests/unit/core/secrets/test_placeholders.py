from __future__ import annotations

import pytest

from devpulse.core.secrets.placeholders import entropy, is_location, is_placeholder


@pytest.mark.parametrize(
    "value",
    ["", "xxxxxxxx", "${DB_PASSWORD}", "{{ token }}", "<your-key>", "changeme", "change-me", "your-api-key", "$TOKEN",
     "AKIAIOSFODNN7EXAMPLE", "[redacted:aws-key***]", "********", "%(password)s", "process.env.X", "ENC[abc]",
     "yourToken"],
)  # fmt: skip
def test_is_placeholder__true(value: str):
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["hunter2", "Tr0ub4dor&3", "9f8a7b6c5d4e", "pa$$w0rd!", "Zx9kq22w"])
def test_is_placeholder__false(value: str):
    assert not is_placeholder(value)


def test_is_location():
    assert all(map(is_location, ["https://a/b", "/etc/key", "./x", "me@host.org", "id.pem"]))
    assert not any(map(is_location, ["hunter2", "a8f5f167", "Zx-9k"]))


def test_entropy__bounds():
    assert entropy("") == entropy("aaaa") == 0
    assert entropy("abcd") == 2
