"""Salts and rounds of password hashes in Go."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "auth/app.go"
REPORTED = {
    "a fixed salt": """
        package auth
        func hashPassword(password string) []byte {
            salt := []byte("constant")
            return argon2.IDKey([]byte(password), salt, 1, 64*1024, 4, 32) // BAD
        }
        """,
}
QUIET = {
    "the stored salt": """
        package auth
        func verify(password string, user *User) bool {
            key := argon2.IDKey([]byte(password), user.Salt, 1, 64*1024, 4, 32)
            return subtle.ConstantTimeCompare(key, user.Key) == 1
        }
        """,
    "filled after it was made": """
        package auth
        func hashPassword(password string) ([]byte, error) {
            salt := make([]byte, 16)
            if _, err := rand.Read(salt); err != nil {
                return nil, err
            }
            return argon2.IDKey([]byte(password), salt, 1, 64*1024, 4, 32), nil
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
