"""Credentials in headers and on command lines: ``Authorization``, ``Cookie``, ``curl -u``, ``sshpass -p``."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.connections import is_weak
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.placeholders import MARKER, entropy, is_patterned, is_placeholder

HEADER_HINTS = ("bearer", "authorization", "cookie", "curl ", "sshpass", "mysql", "securestring", "basic ", "_auth")
"""Lower-case pieces of which one stands in every line that is looked at."""

_BEARER = lazy(r"(?i:bearer)[ \t]{1,4}\\?[\"']?([\w.~+/-]{20,2000}={0,2})")
_BASIC = lazy(r"(?i:basic)[ \t]{1,4}([A-Za-z0-9+/_-]{8,400}={0,2})(?![\w.])")
_SCHEME = lazy(
    r"(?i:authorization)\\?[\"']?[ \t]{0,4}[:=,][ \t]{0,4}\\?[\"']?(?i:[a-z][a-z0-9-]{0,20}[ \t]{1,2})?"
    r"(?:token=)?\\?[\"']?([\w.~+/:-]{16,2000}={0,2})"
)
_COOKIE = lazy(
    r"(?i)(?:set-)?cookies?\\?[\"']?[ \t]{0,4}[:=,(][^\n]{0,400}?"
    r"(?:sess(?:ion)?(?:[_-]?id)?|sid|auth|token|jwt|remember[\w-]{0,20})"
    r"=([\w.%~+/|-]{16,2000}={0,2})"
)
_CURL = lazy(
    r"(?i:curl)\b[^\n]{0,600}?[ \t](?:-u|-U|--user|--proxy-user)[ =]?[ \t]{0,4}\\?[\"']?"
    r"[^\s\"'\\:]{0,80}[\"']?:[\"']?([^\s\"'\\:]{4,200})(?=[\s\"'\\]|$)"
)
_OPTION = lazy(
    r"(?:sshpass[ \t]{1,4}-p|(?i:mysql(?:dump|admin)?)\b[^\n]{0,200}?[ \t]-p)[ \t]?[\"']?([^\s\"'$-][^\s\"']{3,100})"
)
_SECURE_STRING = lazy(
    r"(?i)ConvertTo-SecureString(?:[ \t]{1,4}-\w{1,20}){0,4}[ \t]{1,4}\\?[\"']?([^\s\"'$\\-][^\s\"'\\]{5,200})"
)
_PATTERNS = (
    ("bearer-token", _BEARER, Confidence.HIGH),
    ("authorization", _SCHEME, Confidence.MEDIUM),
    ("session-cookie", _COOKIE, Confidence.MEDIUM),
    ("command-password", _CURL, Confidence.MEDIUM),
    ("command-password", _OPTION, Confidence.MEDIUM),
    ("command-password", _SECURE_STRING, Confidence.MEDIUM),
)


def find_in_headers(text: str, start: int, end: int) -> Iterator[Span]:
    """Credentials on the line ``text[start:end]`` that a header or a command says to be some."""
    for kind, pattern, confidence in _PATTERNS:
        for match in pattern.finditer(text, start, end):
            value = match.group(1)
            if is_placeholder(value) or MARKER.search(value) or value[0] in "{<(":
                continue
            if kind == "command-password":
                doubtful = is_weak(value)
            elif entropy(value) >= 3 and any(map(str.isdigit, value)):
                doubtful = is_patterned(value)
            else:
                continue
            yield Span(kind, *match.span(1), Confidence.LOW if doubtful else confidence)
    for match in _BASIC.finditer(text, start, end):
        password = _password_of(match.group(1))
        if password:
            yield Span("basic-credentials", *match.span(1), Confidence.LOW if is_weak(password) else Confidence.HIGH)


def _password_of(value: str) -> str:
    """The password in base64 of ``user:password``, else nothing."""
    try:
        pair = b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True).decode("utf-8")
    except ValueError:
        return ""
    _, _, password = pair.partition(":")
    return password if pair.isprintable() and password and not is_placeholder(password) else ""
