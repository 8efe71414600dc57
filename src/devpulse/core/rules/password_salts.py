"""Salts that can be known beforehand, and password hashes that are made too cheap, in all languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import holds_password
from devpulse.core.rules.sites import GO, JAVA, JAVASCRIPT, LANGUAGES, PHP, PYTHON, RUBY, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

_SALT = Weakness("weak-authentication", cwe=760)
_COST = Weakness("weak-authentication", cwe=916)
SALT = Wording(
    title="Password salt can be known beforehand",
    description="With a salt that is fixed, or made from the password or the name, hashes can be computed beforehand "
    "and equal passwords show.",
    fix="Make a new random salt of 16 bytes for each password and store it with the hash.",
)
COST = Wording(
    title="Password hash is too cheap",
    description="With so few rounds, stolen hashes are guessed with ordinary hardware.",
    fix="Use Argon2id, scrypt or bcrypt with their recommended cost, or PBKDF2 with hundreds of thousands of rounds.",
)

_MIN_ROUNDS = 10_000
"""Rounds of PBKDF2 that were recommended two decades ago (RFC 2898 says 1,000 at least); less is surely too few."""

_FIXED = lazy(
    r"[bu]?[\"'][^\"'$#{]*[\"'](?:\s*\*\s*\d+|\s*\.\s*(?:encode|getBytes)\([^)]*\))?$|bytes\(\s*\d+\s*\)$"
    r"|Buffer\.alloc\(\s*\d+\s*(?:,\s*0\s*)?\)$|Buffer\.from\(\s*[\"'][^\"']*[\"']\s*(?:,\s*[\"']\w+[\"']\s*)?\)$"
    r"|\[\]byte\(\s*\"[^\"]*\"\s*\)$|make\(\[\]byte,\s*\d+\)$|\[\]byte\{\s*(?:0x)?\d|str_repeat\(\s*[\"']"
)
_DERIVED = lazy(r"(?i)sha\d*|md5|createHash|digest")
_OWNER = lazy(r"(?i)(?:user_?name|e?mail|login|passw(?:or)?d|passwd|pwd)s?")


@dataclass(frozen=True, slots=True)
class _Salt:
    """Judges the salt, which is given at a position, counted from 0, or by its name."""

    position: int

    def __call__(self, site: Site) -> Confidence | None:
        if not _for_password(site):
            return None
        given = _given(site, self.position, "salt")
        value = site.meant(given)
        derived = (_DERIVED.search(value) and _OWNER.search(value)) or _OWNER.fullmatch(given)
        return Confidence.MEDIUM if derived or _FIXED.match(value) else None


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Judges the number of rounds in the same way."""

    position: int

    def __call__(self, site: Site) -> Confidence | None:
        value = site.meant(_given(site, self.position, "iterations|count")).replace("_", "")
        cheap = value.isdigit() and int(value) < _MIN_ROUNDS
        return Confidence.MEDIUM if cheap and _for_password(site) else None


def _for_password(site: Site) -> bool:
    """Whether it is a password that is hashed, and no key that is derived from other material."""
    around = (site.arguments, site.function_name, *site.named)
    return any(holds_password(text) or _OWNER.search(text) for text in around)


def _given(site: Site, position: int, keyword: str) -> str:
    """An argument as it is written, by its position or its name; empty when it is not there."""
    for given in site.given:
        named = re.match(rf":?(?:{keyword})\s*(?:=>|[:=])\s*(.*)", given)
        if named is not None:
            return named.group(1)
    at = site.given[position] if position < len(site.given) else ""
    return "" if re.match(r":?\w+\s*[:=](?![:=])", at) else at


_CALLS: tuple[tuple[frozenset[str], str, str, int, int | None], ...] = (  # positions of the salt and of the rounds
    (PYTHON, "pbkdf2_hmac", r"(?<![\w.])(?:hashlib\.)?pbkdf2_hmac\s*\(", 2, 3),
    (PYTHON, "PBKDF2", r"(?<![\w.])PBKDF2\s*\(", 1, 3),
    (PYTHON, "scrypt", r"(?<![\w.])hashlib\.scrypt\s*\(", 1, None),
    (JAVASCRIPT, "pbkdf2", r"(?<![\w$])pbkdf2(?:Sync)?\s*\(", 1, 2),
    (JAVASCRIPT, "scrypt", r"(?<![\w$])scrypt(?:Sync)?\s*\(", 1, None),
    (JAVA, "PBEKeySpec", r"(?<!\w)new\s+PBEKeySpec\s*\(", 1, 2),
    (GO, "pbkdf2.Key", r"(?<![\w.])pbkdf2\.Key\s*\(", 1, 2),
    (GO, "scrypt.Key argon2.", r"(?<![\w.])(?:scrypt|argon2)\.(?:ID)?Key\s*\(", 1, None),
    (PHP, "hash_pbkdf2", r"(?<![\w>:$])hash_pbkdf2\s*\(", 2, 3),
    (RUBY, "pbkdf2_hmac", r"(?<!\w)OpenSSL::(?:PKCS5\.pbkdf2_hmac(?:_sha1)?|KDF\.pbkdf2_hmac)\s*\(", 1, 2),
)


def _forms() -> Iterator[Form]:
    for languages, words, pattern, salt, rounds in _CALLS:
        place = lazy(pattern)
        yield Form(languages, tuple(words.split()), place, _Salt(salt), _SALT, SALT)
        if rounds is not None:
            yield Form(languages, tuple(words.split()), place, _Rounds(rounds), _COST, COST)


FORMS = tuple(_forms())
RULE = form_rule("password-salts", "weak-authentication", LANGUAGES, FORMS)
