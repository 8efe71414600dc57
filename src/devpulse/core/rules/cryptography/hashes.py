"""Broken hashes where they protect something, and which calls hash at all: shared with the weak authentication rule."""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import holds_password
from devpulse.core.rules.cryptography.purposes import harmless, names_of, protects, used_for_protection
from devpulse.core.rules.sites import GO, JAVA, JAVASCRIPT, PHP, PYTHON, RUBY, Form, Site, as_words
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

WEAKNESS = Weakness("weak-cryptography", cwe=328)
WORDING = Wording(
    title="Broken hash protects something",
    description="Collisions can be made and inputs guessed fast, so what this hash vouches for can be forged.",
    fix="Use SHA-256 or better, HMAC with a key for signatures, and a password hash for passwords.",
)
_NOT_FOR_SECURITY = lazy(r"usedforsecurity\s*=\s*False")
_STRETCHED = lazy(r"(?i)pbkdf2|bcrypt|scrypt|argon2|pwned|hibp|breach|password_hash\(")
_PASSWORD_HASH = lazy(
    r"_(?:(?:hash|hashed|encrypt|encrypted|encode|encoded|digest|crypt|md5|sha\w*|check|verify"
    r"|make)_(?:\w+_)?(?:password|passwd|pwd|pw)"
    r"|(?:password|passwd|pwd|pw)_(?:hash\w*|md5|sha\w*|digest|encrypt\w*))_"
)
_PROTOCOL = lazy(r"(?i)\bc_?nonce\b")  # HTTP Digest, which prescribes its hash
_SHORTENED = lazy(r"(?:\.\w+\(\))?\s*(?:\[:?\d|\[0\.\.|\.first|\.slice|\.substr|\.last)")
_SIZE = lazy(r"\s*\.(?:digest_size|block_size|name)\b")
_CACHE_TAG = lazy(r"(?i)\be_?tag\b|cache|checksum")
_SLOT = lazy(r"['\"][\w:./-]{2,80}[_:./-]['\"]\s*[.+]\s*$")
"""What is put before the hash makes a key of it, under which something is kept: ``'attempts_' . md5($address)``."""

_PASSWORD = lazy(r"(?i)passw(?:or)?d")

HASH_CALLS = {
    PYTHON: (
        ("hashlib", "MD5", "SHA", "md5(", "sha1(", "MD4"),
        (
            r"(?<![\w.])(?:hashlib\.(?P<a>md5|sha1|new|sha224|sha256|sha384|sha512)"
            r"|(?:Crypto(?:dome)?\.Hash\.)?(?P<b>MD2|MD4|MD5|SHA1?|SHA256)\.new"
            r"|hashes\.(?P<c>MD5|SHA1)|(?P<d>md5|sha1))\s*\("
        ),
    ),
    JAVASCRIPT: (
        ("createHash", "CryptoJS", "md5(", "sha1("),
        r"(?<![\w$])(?:createHash(?=\(\s*['\"`](?P<a>[\w-]+))|CryptoJS\.(?P<b>MD5|SHA1|SHA256)|(?P<c>md5|sha1))\s*\(",
    ),
    JAVA: (
        ("MessageDigest", "DigestUtils", "Hashing."),
        (
            r"(?<![\w.])(?:MessageDigest\.getInstance(?=\(\s*\"(?P<a>[\w-]+))|DigestUtils\.(?P<b>md2|md5"
            r"|sha1?|sha256|sha512)\w*"
            r"|Hashing\.(?P<c>md5|sha1|sha256|sha512))\s*\("
        ),
    ),
    GO: (
        ("md5.", "sha1.", "md4.", "sha256.", "sha512."),
        r"(?<![\w.])(?P<a>md5|sha1|md4|sha256|sha512)\.(?:Sum\w*|New\w*)\s*\(",
    ),
    PHP: (
        ("md5", "sha1", "hash"),
        r"(?<![\w>:$])(?:(?P<a>md5|sha1)|hash(?=\(\s*['\"](?P<b>[\w-]+)))\s*\(",
    ),
    RUBY: (
        ("Digest",),
        (
            r"(?<![\w:])(?:OpenSSL::)?Digest(?:::(?P<a>MD5|SHA1|SHA256|SHA512|SHA384|SHA2)\b|(?:\.new"
            r"|\.digest|\.hexdigest)?\(\s*['\"](?P<b>[\w-]+))"
        ),
    ),
}
"""By languages: words to look for first, and a pattern whose first group that matched names the hash."""

_ALGORITHM = lazy(r"[\"'`]([\w-]+)[\"'`]")


def algorithm_of(site: Site) -> str:
    """The hash a place uses, in lower case without dashes; empty when it is not known."""
    name = next((group for group in site.match.groups() if group), "")
    if name == "new":
        told = _ALGORITHM.search(site.arguments)
        name = told.group(1) if told else ""
    return name.lower().replace("-", "").replace("_", "")


def is_broken(algorithm: str) -> bool:
    """Whether collisions of a hash are practical."""
    return algorithm in ("md2", "md4", "md5", "sha", "sha1", "sha0", "ripemd")


def hashes_password(site: Site) -> bool:
    """Whether what is hashed is a password: by what is given, what it is called, the function, or a later line."""
    if _STRETCHED.search(site.function_text) or is_declaration(site) or first_in(_PROTOCOL, site.source.text):
        return False
    if holds_password(site.arguments) or holds_password(site.chained):
        return True
    around = [as_words(name) for name in (*site.named, site.function_name)]
    if any(_PASSWORD_HASH.search(name) for name in around):
        return True
    target = site.named[0] if site.named else ""
    if not re.fullmatch(r"\$?\w{1,40}", target):
        return False
    fed = re.compile(rf"(?<![\w$]){re.escape(target)}\s*(?:\.|->|,)[^\n]{{0,200}}")
    return any(holds_password(match.group()) for match in fed.finditer(site.function_text))


def _judge(site: Site) -> Confidence | None:
    if not is_broken(algorithm_of(site)) or _NOT_FOR_SECURITY.search(site.arguments) or is_declaration(site):
        return None
    if site.call is None or _SIZE.match(_after(site)) or _CACHE_TAG.search(_before(site)):
        return None  # the hash is only named, or names a version of something
    if hashes_password(site):
        return None  # what is wrong with it is said by the rules on authentication
    names = [*names_of(site.arguments), *names_of(site.chained)]
    around = [*site.named, site.function_name]
    if harmless([*names, *around]) or _SHORTENED.match(_after(site)) or first_in(_PROTOCOL, site.source.text):
        return Confidence.LOW
    if _SLOT.search(_before(site)) or any("hmac" in name.lower() for name in around):
        return Confidence.LOW  # collisions do not break it
    near_password = site.function is not None and _PASSWORD.search(site.function_text) is not None
    protecting = near_password or protects(names) or used_for_protection(site, signing=True)
    return Confidence.MEDIUM if protecting else Confidence.LOW


def _before(site: Site) -> str:
    """What stands before the call on its line."""
    start = site.match.start()
    return site.source.text[site.source.text.rfind("\n", 0, start) + 1 : start][-200:]


def _after(site: Site) -> str:
    """What follows on the call in the text."""
    end = site.call.end_byte - site.node.start_byte if site.call is not None else len(site.match.group())
    return site.source.text[site.match.start() + end :][:80]


def is_declaration(site: Site) -> bool:
    """Whether the match is the head of a definition."""
    parent = site.node.parent
    return parent is not None and parent.type in ("function_definition", "function_declaration", "method_definition")


FORMS = tuple(
    Form(languages, words, lazy(pattern), _judge, WEAKNESS, WORDING)
    for languages, (words, pattern) in HASH_CALLS.items()
)
