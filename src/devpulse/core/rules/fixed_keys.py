"""Keys that sign or encrypt and stand in the code: in Java and Go, where a call takes them as a literal.

What is set under a telling name is found as a secret, and told as such; here the call says what the text is for.
In Javascript ``javascript.signing_keys`` reads the calls, with the same words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.redaction import find_secrets
from devpulse.core.rules.sites import GO, JAVA, Form, Judge, Site
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.secrets.places import is_of_tests
from devpulse.core.text import first_in

WEAKNESS = Weakness("hardcoded-secret", cwe=321)
_CIPHER = Weakness("weak-cryptography", cwe=321)
WORDING = Wording(
    title="Signing key stands in the code",
    description="Whoever can read the code or guess the word makes tokens and sessions that the server trusts.",
    fix="Read a long random key from the environment or a secret store, and refuse to start without one.",
)
CIPHER_WORDING = Wording(
    title="Key of a cipher stands in the code",
    description="Whoever can read the code or the program can read what is encrypted with this key.",
    fix="Read the key from a key store or a secret store, and make it with a secure generator.",
)
_SIGNS = lazy(r"\bjwt\b|/jwt|SigningMethod")
_GO_TEXT = r"\[\]byte\(\s*[\"`][^\"`\n]+[\"`]\s*\)"
_JAVA_TEXT = r"\"[^\"\n]+\""


def sureness(path: str, text: str, line: int) -> Confidence | None:
    """How sure a key on a line of a file is a real one; ``None`` where it is told of as the secret it looks like."""
    if line in _told_lines(path, text):
        return None
    return Confidence.LOW if is_of_tests(path) else Confidence.MEDIUM


@lru_cache(maxsize=1)
def _told_lines(path: str, text: str) -> frozenset[int]:
    """The lines on which the rule for secrets tells of one; asked for each key of a file in turn."""
    return frozenset(
        secret.start_line for secret in find_secrets(path, text) if secret.confidence is not Confidence.LOW
    )


def _fixed(site: Site) -> Confidence | None:
    return sureness(site.source.path, site.source.text, site.lines[0])


def _given_back(site: Site) -> Confidence | None:
    """A function that gives the key to what checks a token; elsewhere such bytes may be anything."""
    if first_in(_SIGNS, site.source.text) is None or re.search(r"\bjwt\.\w*Token\b", site.function_text) is None:
        return None
    return _fixed(site)


def _form(languages: frozenset[str], words: str, pattern: str, judge: Judge = _fixed) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), judge, WEAKNESS, WORDING)


FORMS = (
    _form(GO, "SignedString", rf"(?<=\.)SignedString\s*\(\s*{_GO_TEXT}"),
    _form(
        GO,
        "NewCookieStore NewFilesystemStore NewStore csrf.Protect",
        rf"(?<![\w])(?:NewCookieStore|NewFilesystemStore|(?:cookie|memstore)\.NewStore|csrf\.Protect)\s*\((?:\"\",)?\s*{_GO_TEXT}",
    ),
    _form(GO, "SigningKey", rf"(?<![\w.])SigningKey\s*:\s*{_GO_TEXT}"),
    _form(GO, "jwt.", rf"(?<!\w)return\s+{_GO_TEXT}\s*,\s*nil\b", _given_back),
    _form(JAVA, "HMAC256 HMAC384 HMAC512", rf"(?<![\w.])Algorithm\.HMAC(?:256|384|512)\s*\(\s*{_JAVA_TEXT}"),
    _form(JAVA, "setSigningKey verifyWith", rf"(?<=\.)(?:setSigningKey|verifyWith)\s*\(\s*{_JAVA_TEXT}"),
    _form(JAVA, "signWith", rf"(?<=\.)signWith\s*\(\s*(?:[\w.]+\s*,\s*{_JAVA_TEXT}|{_JAVA_TEXT})"),
    _form(JAVA, "hmacShaKeyFor", rf"(?<=\.)hmacShaKeyFor\s*\(\s*{_JAVA_TEXT}"),
)
CIPHERS = (
    Form(
        JAVA,
        ("SecretKeySpec", "DESKeySpec", "DESedeKeySpec", "PBEKeySpec"),
        lazy(
            rf"(?<!\w)new\s+(?:SecretKeySpec|DESKeySpec|DESedeKeySpec|PBEKeySpec)\s*\(\s*{_JAVA_TEXT}\s*\.(?:getBytes|toCharArray)\b"
        ),
        _fixed,
        _CIPHER,
        CIPHER_WORDING,
    ),
    Form(
        GO,
        ("NewCipher", "NewTripleDESCipher"),
        lazy(rf"(?<![\w.])(?:aes|des)\.New(?:TripleDES)?Cipher\s*\(\s*{_GO_TEXT}"),
        _fixed,
        _CIPHER,
        CIPHER_WORDING,
    ),
)
