"""Salts and rounds of password hashes in Ruby."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "app/app.rb"
REPORTED = {
    "too few rounds": """
        def hash_password(password)
          salt = SecureRandom.random_bytes(16)
          OpenSSL::PKCS5.pbkdf2_hmac(password, salt, 500, 32, OpenSSL::Digest.new("SHA256")) # BAD
        end
        """,
}
QUIET = {
    "a random salt": """
        def hash_password(password)
          salt = SecureRandom.random_bytes(16)
          OpenSSL::PKCS5.pbkdf2_hmac(password, salt, 600_000, 32, OpenSSL::Digest.new("SHA256"))
        end
        """,
    "a stored salt": """
        def valid_password?(password)
          key = OpenSSL::PKCS5.pbkdf2_hmac(password, self.salt, 210_000, 32, "SHA512")
          secure_compare(key, digest)
        end
        """,
}


@pytest.mark.parametrize("name", REPORTED)
def test_password_salts__reported(name):
    code = REPORTED[name]
    assert lines_of(run(RULE, code, path=PATH)) == marked_lines(code)


@pytest.mark.parametrize("name", QUIET)
def test_password_salts__quiet(name):
    assert run(RULE, QUIET[name], path=PATH) == []
