"""Whether a name says that its value is a secret."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from devpulse.core.lazy_pattern import lazy


class NameKind(StrEnum):
    """What a telling name promises; passwords may be short, keys and tokens are long and random."""

    PASSWORD = "password"  # noqa: S105  (a word, not a password)
    SECRET = "secret"  # noqa: S105  (a word, not a secret)
    KEY = "key"


_WORDS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HINT = lazy(r"(?i)pass|pwd|secret|token|key|auth|cred|pw")
_PASSWORD = frozenset(
    [
        "password",
        "passwd",
        "pwd",
        "pw",
        "passwords",
        "passphrase",
        "passwort",
        "pass",
        "userpass",
        "dbpass",
        "dbpassword",
        "rootpassword",
        "passcode",
    ]
)
_SECRET = frozenset(
    [
        "secret",
        "secrets",
        "clientsecret",
        "appsecret",
        "secretkey",
        "jwtsecret",
        "sharedsecret",
        "credential",
        "credentials",
    ]
)
_TOKEN = frozenset(
    [
        "token",
        "apikey",
        "apitoken",
        "authtoken",
        "accesstoken",
        "authkey",
        "accesskey",
        "privatekey",
        "encryptionkey",
        "signingkey",
        "bearer",
        "auth",
        "authorization",
    ]
)
_KEY_OF = frozenset(
    [
        "api",
        "secret",
        "private",
        "access",
        "auth",
        "encryption",
        "signing",
        "account",
        "master",
        "service",
        "hmac",
        "jwt",
        "crypto",
        "aes",
        "shared",
    ]
)
_SUFFIXES = frozenset(
    [
        "prod",
        "env",
        "secure",
        "production",
        "dev",
        "staging",
        "live",
        "test",
        "default",
        "value",
        "str",
        "string",
        "base",
        "raw",
        "v",
        "old",
        "new",
        "current",
        "main",
        "key",
    ]
)
_NOT_SECRET = frozenset(
    [
        "forgot",
        "reset",
        "change",
        "show",
        "hide",
        "toggle",
        "invalid",
        "wrong",
        "missing",
        "incorrect",
        "no",
        "enter",
        "min",
        "max",
        "has",
        "is",
        "public",
        "page",
        "next",
        "cancel",
        "csrf",
        "authenticity",
        "verification",
        "xsrf",
        "hash",
        "hashed",
        "encrypted",
        "masked",
        "continuation",
        "pagination",
        "label",
        "field",
        "column",
        "header",
    ]
)


@lru_cache(maxsize=4096)
def kind_of_name(name: str) -> NameKind | None:
    """The kind of secret a name promises, by its last words; ``None`` for ``password_field``, ``token_url`` …"""
    if not _HINT.search(name):
        return None
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _SUFFIXES):
        if words[-1] == "key" and (words[-2] in _KEY_OF):
            return None if _NOT_SECRET.intersection(words) else NameKind.KEY
        words.pop()
    if not words or _NOT_SECRET.intersection(words):
        return None
    last = words[-1]
    if last in _PASSWORD or last.endswith(("password", "passwd")):
        return NameKind.PASSWORD
    if last in _SECRET or last.endswith("secret"):
        return NameKind.SECRET
    return NameKind.KEY if last in _TOKEN or last.endswith(("apikey", "token")) else None
