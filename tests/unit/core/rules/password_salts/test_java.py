"""Salts and rounds of password hashes in Java."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "src/App.java"
REPORTED = {
    "a fixed salt and too few rounds": """
        class Hasher {
          byte[] hash(char[] password) throws Exception {
            byte[] salt = "fixed-salt".getBytes();
            KeySpec spec = new PBEKeySpec(password, salt, 65536, 256); // BAD
            return factory.generateSecret(spec).getEncoded();
          }
          byte[] fast(char[] password, byte[] salt) throws Exception {
            return factory.generateSecret(new PBEKeySpec(password, salt, 1000, 256)).getEncoded(); // BAD
          }
        }
        """,
}
QUIET = {
    "filled after it was made": """
        class Hasher {
          byte[] hash(char[] password) throws Exception {
            byte[] salt = new byte[16];
            random.nextBytes(salt);
            return factory.generateSecret(new PBEKeySpec(password, salt, 65536, 256)).getEncoded();
          }
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
