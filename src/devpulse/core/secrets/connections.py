"""Passwords in connection strings: addresses with a user's name, ODBC, ADO and JDBC strings."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.placeholders import entropy, is_placeholder

CONNECTION_HINTS = (
    "://",
    "pwd=",
    "pwd =",
    "password=",
    "password =",
    "jdbc:oracle",
    "_password=",
    "@tcp(",
    "getconnection(",
)
"""Lower-case pieces of which one stands in every line that is looked at."""

_CONNECTION = lazy(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,24}://([^\s:/@'\"`<>?#]{0,100}):([^\s/@'\"`<>]{1,200})@([^\s'\"`<>/?]{1,255})"
)
_USER_TOKEN = lazy(r"https?://([A-Za-z0-9_-]{20,200})(?::x-oauth-basic)?@[\w.-]{3,100}")
_ADO_PASSWORD = lazy(
    r"(?i)(?<![a-z0-9])(?:password|pwd)[ \t]?=[ \t]?\{?([^;\"'`\s<>{}$]{6,100})\}?(?=[;\"'`]|\\\"|\s*$)"
)
_ELEMENT = lazy(r"[A-Za-z_$][\w$]{0,40}(?:\.[\w$]{1,40}){0,5}\[(?:\w{0,40}\])?")
"""``args[2]`` behind ``password =``, and what of ``args["x"]`` stands before the quote."""

_ORACLE = lazy(r"(?i)jdbc:oracle:(?:thin|oci):[\w.$-]{1,60}/([^@\s\"'/]{4,100})@")
_DRIVER = lazy(r"(?<![\w.-])([\w.-]{1,60}):([^\s:@/'\"`<>()]{3,100})@tcp\(")
"""Go's driver for MySQL: ``user:password@tcp(host:3306)/name``."""

_GIVEN = lazy(
    r"\bgetConnection\((?:\"[^\"\n]{0,300}\"|[\w.]{1,60})[ \t]{0,4},[ \t]{0,4}"
    r"(?:\"([^\"\n]{0,60})\"|[\w.]{1,60})[ \t]{0,4},[ \t]{0,4}\"([^\"\n]{3,100})\"[ \t]{0,4}\)"
)
"""JDBC's ``getConnection(address, user, password)``."""

_DEV_PASSWORDS = frozenset(
    ["password", "passwd", "pass", "postgres", "root", "admin", "mysql", "mongo", "redis", "guest", "test", "secret",
     "user", "rabbitmq", "pw", "pwd", "username"]
)  # fmt: skip


def find_connection_passwords(text: str, start: int, end: int) -> Iterator[Span]:
    """Passwords in ``scheme://user:password@host``, in ``…;Password=…`` strings and in what drivers are given, of the
    line ``text[start:end]``.
    """
    if text.find("://", start, end) >= 0:
        yield from _in_addresses(text, start, end)
    if text.find("=", start, end) >= 0 and text.find(";", start, end) >= 0:
        for match in _ADO_PASSWORD.finditer(text, start, end):
            value = match.group(1)
            one_of_several = text.find(";", start, match.start()) >= 0 or text.startswith(";", match.end())
            code = _is_written_in_code(value) or _ELEMENT.fullmatch(value) is not None
            if one_of_several and not (is_placeholder(value) or is_weak(value) or code):
                yield Span("connection-password", *match.span(1), _sureness(value))
    for pattern in (_DRIVER, _GIVEN):
        for match in pattern.finditer(text, start, end):
            user, password = match.groups()
            if not is_placeholder(password) and not _is_written_in_code(password):
                weak = is_weak(password) or password == user
                yield Span("connection-password", *match.span(2), Confidence.LOW if weak else Confidence.MEDIUM)
    for match in _ORACLE.finditer(text, start, end):
        if not is_placeholder(match.group(1)):
            yield Span("connection-password", *match.span(1), Confidence.MEDIUM)


def _in_addresses(text: str, start: int, end: int) -> Iterator[Span]:
    for match in _CONNECTION.finditer(text, start, end):
        user, password, host = match.groups()
        if not is_placeholder(password) and not _is_written_in_code(password):
            weak = is_weak(password) or password == user or "example" in host.lower()
            yield Span("connection-password", *match.span(2), Confidence.LOW if weak else Confidence.HIGH)
    for match in _USER_TOKEN.finditer(text, start, end):
        if entropy(match.group(1)) >= 3.3 and any(map(str.isdigit, match.group(1))):
            yield Span("connection-password", *match.span(1), Confidence.MEDIUM)


def is_weak(password: str) -> bool:
    """Whether a password is one of those that examples and local set-ups use."""
    return (
        password.lower() in _DEV_PASSWORDS
        or "%20" in password
        or (len(password) < 10 and password.isalpha() and password.islower())
    )


def _sureness(value: str) -> Confidence:
    """``pwd = getPassword();`` is code."""
    code = value.isidentifier() or "(" in value or value.replace(".", "").isidentifier()
    return Confidence.LOW if code and not any(map(str.isdigit, value)) else Confidence.MEDIUM


def _is_written_in_code(password: str) -> bool:
    """Whether the place of the password is filled by code: ``{password}``, ``$PASS``, ``:port``, ``%s``."""
    return password[0] in "{$<%[(:*+•" or password.endswith(("}", ")"))
