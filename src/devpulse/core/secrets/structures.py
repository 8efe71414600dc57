"""Private keys, recognised by their frame, by how they begin, or by the file they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.placeholders import MARKER, is_patterned

MAX_KEY_CHARACTERS = 20_000
"""Where the search for the end of a key stops; an RSA key of 16,384 bits has about 13,000."""

_LABEL = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?"
_BEGIN = lazy(rf"-{{4,5}} ?BEGIN {_LABEL} ?-{{4,5}}")
_END = lazy(rf"-{{4,5}} ?END {_LABEL} ?-{{4,5}}")
_KEY_LINE = lazy(r"(?:\\n|[\s\"'+,;\\A-Za-z0-9/=.])*")
_KEY_BODY = lazy(r"[A-Za-z0-9+/]{16,}")
_ENCRYPTED = lazy(r"ENCRYPTED")
# How the bodies begin by their formats: PKCS#1, PKCS#8 (RSA, EC, Ed25519), SEC 1, OpenSSH, PuTTY.
_HEADS = (
    ("IBAAKC", lazy(r"MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]IBAAKC"), 6),
    ("IBADANBgkqhkiG9w0BAQEFAASC", lazy(r"MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]?IBADANBgkqhkiG9w0BAQEFAASC"), 6),
    ("MHcCAQEE", lazy(r"MHcCAQEE"), 0),
    ("MIGHAgEAMBMGByqGSM49", lazy(r"MIGHAgEAMBMGByqGSM49"), 0),
    ("MC4CAQAwBQYDK2Vw", lazy(r"MC4CAQAwBQYDK2Vw"), 0),
    ("b3BlbnNzaC1rZXktdjE", lazy(r"b3BlbnNzaC1rZXktdjE"), 0),
)
_BLOCK = lazy(r"[A-Za-z0-9+/=]{8,}(?:(?:\r?\n|\\n|\\r\\n)[ \t\"'+]{0,40}[A-Za-z0-9+/=]{8,76}(?=[\s\\\"',]|$))*")
_LINE_BEFORE = lazy(r"[ \t\"'+]{0,40}([A-Za-z0-9+/=]{8,76})(?:\\n)?[\"'+ \t]{0,6}\r?$")
_KEY_FILE = lazy(r"(?i)(?:^|/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|ppk|p8|pk8))$")
_KEY_FILE_LINE = lazy(r"(?m)^[ \t]{0,20}([A-Za-z0-9+/]{40,76}={0,2})[ \t]{0,4}\r?$")
_JWK_PART = lazy(r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]{0,4}:[ \t]{0,4}\"([\w-]{20,1400})\"")
_PUTTY = lazy(r"Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{4,76}\r?\n?){1,400})")


def find_private_keys(text: str, path: str | None = None) -> Iterator[Span]:
    """Bodies of private keys, over lines or with written ``\\n``; one cut off counts as far as it goes."""
    if "PRIVATE KEY" in text:
        yield from _framed(text)
        yield from _headless(text)
    yield from _by_head(text)
    if '"kty"' in text:
        yield from _groups(_JWK_PART, text, Confidence.HIGH)
    if "Private-Lines: " in text:
        yield from _groups(_PUTTY, text, Confidence.HIGH)
    if path is not None and _KEY_FILE.search(path) and "BEGIN" not in text:
        yield from _groups(_KEY_FILE_LINE, text, Confidence.MEDIUM)


def _groups(pattern: re.Pattern[str], text: str, confidence: Confidence) -> Iterator[Span]:
    for match in pattern.finditer(text):
        if not MARKER.search(match.group(1)):
            yield Span("private-key", *match.span(1), confidence)


def _by_head(text: str) -> Iterator[Span]:
    for hint, head, before in _HEADS:
        position = text.find(hint)
        while position >= 0:
            end = position + len(hint)
            match = head.search(text, max(0, position - before), end)
            block = _BLOCK.match(text, match.start(), match.start() + MAX_KEY_CHARACTERS) if match else None
            if block is not None and len(block.group()) >= 40:
                yield Span("private-key", *block.span(), Confidence.HIGH)
                end = block.end()
            position = text.find(hint, end)


def _framed(text: str) -> Iterator[Span]:
    position = 0
    while begin := _BEGIN.search(text, position):
        limit = min(len(text), begin.end() + MAX_KEY_CHARACTERS)
        end = _END.search(text, begin.end(), limit)
        stop = end.start() if end else _cut_off(text, begin.end(), limit)
        position = max(stop, begin.end())
        body = MARKER.sub("", text[begin.end() : stop])
        match = _KEY_BODY.search(body)
        if match and "..." not in body:
            doubtful = _ENCRYPTED.search(begin.group()) or is_patterned(match.group())
            yield Span("private-key", begin.end(), stop, Confidence.LOW if doubtful else Confidence.HIGH)


def _headless(text: str) -> Iterator[Span]:
    """The lines before an END whose BEGIN is not there: a diff shows some lines of a key only."""
    for end in _END.finditer(text):
        begin = text.rfind("BEGIN", max(0, end.start() - MAX_KEY_CHARACTERS), end.start())
        if begin >= 0 and text.find("END ", begin, end.start()) < 0:
            continue
        start = stop = text.rfind("\n", 0, end.start()) + 1
        while start > 0:
            above = text.rfind("\n", 0, start - 1) + 1
            if _LINE_BEFORE.match(text, above, start - 1) is None:
                break
            start = above
        if stop > start:
            yield Span("private-key", start, stop, Confidence.HIGH)


def _cut_off(text: str, start: int, limit: int) -> int:
    """The end of the lines that still look like a key."""
    match = _KEY_LINE.match(text, start, limit)
    return match.end() if match else start
