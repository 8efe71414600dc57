"""Salts and rounds of password hashes in JavaScript."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "src/app.js"
REPORTED = {
    "a fixed salt": """
        function hashPassword(password) {
          return crypto.pbkdf2Sync(password, "salt", 310000, 32, "sha256"); // BAD
        }
        """,
    "the mail address": """
        async function register(email, password) {
          const key = crypto.scryptSync(password, email, 64); // BAD
        }
        """,
}
QUIET = {
    "a key of the configuration": """
        function fileKey(masterKey) {
          return crypto.scryptSync(masterKey, "file-encryption", 32);
        }
        """,
    "a random salt": """
        function hashPassword(password) {
          const salt = crypto.randomBytes(16);
          return crypto.pbkdf2Sync(password, salt, 310000, 32, "sha256");
        }
        """,
}


@pytest.mark.parametrize("name", REPORTED)
def test_password_salts__reported(name):
    code = REPORTED[name]
    assert lines_of(run(RULE, code, path=PATH)) == marked_lines(code)


@pytest.mark.parametrize("name", QUIET)
def test_password_salts__quiet(name):
    assert run(RULE, QUIET[name], path=PATH) == []
