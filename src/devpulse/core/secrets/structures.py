"""Secrets that are recognised by their surroundings: private keys in PEM form, passwords in connection strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.placeholders import MARKER, is_placeholder

MAX_KEY_CHARACTERS = 20_000
"""Where the search for the end of a key stops; an RSA key of 16,384 bits has about 13,000."""

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"(?:\\n|[\s\"'+,;\\A-Za-z0-9/=.])*")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{16,}")

_CONNECTION = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,24}://([^\s:/@'\"`<>?#]{0,100}):([^\s/@'\"`<>]{1,200})@([^\s'\"`<>/?]{1,255})"
)
_ADO_PASSWORD = re.compile(r"(?i)(?<![a-z0-9])(?:password|pwd)=([^;\"'`\s<>{}$]{6,100});")
_DEV_PASSWORDS = frozenset(
    [
        "password",
        "passwd",
        "pass",
        "postgres",
        "root",
        "admin",
        "mysql",
        "mongo",
        "redis",
        "guest",
        "test",
        "secret",
        "user",
        "rabbitmq",
        "pw",
        "pwd",
        "username",
    ]
)


def find_private_keys(text: str) -> Iterator[Span]:
    """Bodies of PEM private keys, over lines or with written ``\\n``; one cut off counts as far as it goes."""
    position = 0
    while begin := _BEGIN.search(text, position):
        limit = min(len(text), begin.end() + MAX_KEY_CHARACTERS)
        end = _END.search(text, begin.end(), limit)
        stop = end.start() if end else _cut_off(text, begin.end(), limit)
        position = max(stop, begin.end())
        body = MARKER.sub("", text[begin.end() : stop])
        if _KEY_BODY.search(body) and "..." not in body:
            yield Span("private-key", begin.end(), stop, Confidence.HIGH)


def _cut_off(text: str, start: int, limit: int) -> int:
    """The end of the lines that still look like a key."""
    match = _KEY_LINE.match(text, start, limit)
    return match.end() if match else start


def find_connection_passwords(line: str) -> Iterator[Span]:
    """Passwords in ``scheme://user:password@host`` and in ``…;Password=…;`` strings of one line."""
    if "://" in line:
        for match in _CONNECTION.finditer(line):
            user, password, host = match.groups()
            if not is_placeholder(password) and not _is_written_in_code(password):
                weak = password.lower() in _DEV_PASSWORDS or password == user or "example" in host.lower()
                yield Span("connection-password", *match.span(2), Confidence.LOW if weak else Confidence.HIGH)
    if "=" in line and ";" in line:
        for match in _ADO_PASSWORD.finditer(line):
            if not is_placeholder(match.group(1)) and match.group(1).lower() not in _DEV_PASSWORDS:
                yield Span("connection-password", *match.span(1), Confidence.MEDIUM)


def _is_written_in_code(password: str) -> bool:
    """Whether the place of the password is filled by code: ``{password}``, ``$PASS``, ``:port``, ``%s``."""
    return password[0] in "{$<%[(:*" or password.endswith(("}", ")"))
