"""Salts and rounds of password hashes in PHP."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "src/app.php"
REPORTED = {
    "a fixed salt": """
        <?php
        function hash_password($password) {
            $salt = 'abcdef';
            return hash_pbkdf2('sha256', $password, $salt, 600000, 32); // BAD
        }
        """,
}
QUIET = {
    "a random salt": """
        <?php
        function hash_password($password) {
            $salt = random_bytes(16);
            return hash_pbkdf2('sha256', $password, $salt, 600000, 32);
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
