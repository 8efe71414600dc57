"""Salts and rounds of password hashes in Python."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.password_salts import RULE

PATH = "src/app.py"
REPORTED = {
    "a fixed salt": """
        import hashlib
        def hash_password(password):
            salt = b"pepper-and-salt"
            return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)  # BAD
        """,
    "zeros": """
        def store(account, password):
            account.key = hashlib.scrypt(password.encode(), salt=b"\\x00" * 16, n=2**14, r=8, p=1)  # BAD
        """,
    "a constant of the module": """
        SALT = b"9f2c"
        def check_password(password, stored):
            return hmac.compare_digest(pbkdf2_hmac("sha512", password, SALT, 210000), stored)  # BAD
        """,
    "made from the name": """
        def hash_password(username, password):
            salt = hashlib.sha256(username.encode()).digest()
            return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600000)  # BAD
        """,
    "too few rounds": """
        def hash_password(password):
            salt = os.urandom(16)
            return salt + hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1000)  # BAD
        """,
}
QUIET = {
    "a random salt": """
        def hash_password(password):
            salt = os.urandom(16)
            return salt + hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)
        """,
    "the stored salt": """
        def verify_password(password, stored):
            salt, digest = stored[:16], stored[16:]
            return hmac.compare_digest(hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600000), digest)
        """,
    "no password": """
        def derive(master):
            return hashlib.pbkdf2_hmac("sha256", master, b"file-encryption", 1)
        """,
    "a parameter": """
        def hash_password(password, salt, rounds=390000):
            return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, rounds)
        """,
}


@pytest.mark.parametrize("name", REPORTED)
def test_password_salts__reported(name):
    code = REPORTED[name]
    assert lines_of(run(RULE, code, path=PATH)) == marked_lines(code)


@pytest.mark.parametrize("name", QUIET)
def test_password_salts__quiet(name):
    assert run(RULE, QUIET[name], path=PATH) == []
