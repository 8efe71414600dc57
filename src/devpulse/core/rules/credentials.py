"""What the weak authentication rules of all languages share: which names hold passwords, tokens and signatures."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.secrets.names import NameKind, kind_of_name

HASHING = Weakness("weak-authentication", cwe=916)
COMPARING = Weakness("weak-authentication", cwe=287)
VERIFYING = Weakness("weak-authentication", cwe=287)

HASH_WORDING = Wording(
    title="Password hashed with a fast hash",
    description="The hash is computed so fast that passwords can be guessed by the billion once the table leaks.",
    fix="Use a password hash with a salt and a cost: Argon2, scrypt or bcrypt.",
)
PLAIN_WORDING = Wording(
    title="Password compared in plain text",
    description="The stored password is compared as it is, so it is kept readable for whoever gets the data.",
    fix="Store a salted password hash and let its library verify the password.",
)
TIMING_WORDING = Wording(
    title="Secret compared in variable time",
    description="The comparison stops at the first difference; its time tells how much of a guess is right.",
    fix="Compare in constant time: hmac.compare_digest, crypto.timingSafeEqual, MessageDigest.isEqual, hash_equals, "
    "subtle.ConstantTimeCompare or secure_compare.",
)
UNVERIFIED_WORDING = Wording(
    title="Signed token accepted without checking its signature",
    description="Anybody can write such a token; without the check its claims prove nothing.",
    fix="Verify the signature with the expected key and a fixed list of algorithms.",
)

_IDENTIFIER = lazy(r"(?<![\w'\"])[A-Za-z_$][\w$]*")
_LAST_WORD = lazy(r"[A-Za-z_$][\w$]*$")
_ITEM = lazy(r"(?:\[|\.get\(|\.header\()[\"']([\w-]+)[\"'][^()\[\]]{0,40}[\])]$")
_ANY_ITEM = lazy(r"(?:\[|\.get\()[\"']([\w-]+)[\"']")
_CONVERSION = lazy(
    r"(?:\.(?:data|value|encode|decode|strip|trim|toString|lower|upper)(?:\(\s*(?:['\"][\w-]*['\"])?\s*\))?)+$"
)
_REPEATED = lazy(
    r"(?i)confirm|again|repeat|retype|verify|verif|match|pass(?:word|wd)?_?2|second|old|new|check|retyped|conf\b|previous|current|re_?pass|(?:^|_)[rc]_?pass|re_?enter"
)
_TYPED = lazy(
    r"(?i)passw|(?:^|_)p(?:asswd|wd)|senha|contrase|mot_?de_?passe|kennwort|wachtwoord|haslo|sifre|lozinka|kata_?sandi|parol"
)
"""A password by its name, whatever else the name says and in the languages that people write programs in."""

_ENCODED = lazy(r"(?i)hash|digest|crypt|enco?d|enc(?![a-z])|salt|md5|sha")

_DIGEST = lazy(r"(?i)(?:signature|hmac|digest|mac|sig)$")
_COMPUTED = lazy(
    r"(?i)expected|computed|calculated|hexdigest|signature|digest|hmac|sign\(|actual|generated|local|valid_sig"
)
_EARLIER = lazy(r"(?i)(?<![a-z])(?:prev(?:ious)?|old|new|orig(?:inal)?|before|after|updated|former)(?:(?![a-z])|\w*\.)")
"""A record beside its other version: whether the field changed is asked, not who somebody is."""

_FLAG = lazy(
    r"(?:^(?:[Nn]eeds?|[Ii]s|[Hh]as|[Rr]equired?|[Mm]ust|[Ss]hould|[Ff]orced?|[Ee]nabled?)|_(?:needs?|is|has|required?|must)"
    r"|(?<=[a-z])(?:Needs?|Is|Has|Required?|Must|Should))(?:[A-Z_]|$)"
)
_SORT = lazy(r"(?i)(?:^|_|[a-z])(?:type|kind|algo(?:rithm)?|alg|method|mode|scheme|event|version)$")
"""What says which form something has, compared with the name of one."""

_STORED = lazy(
    r"(?i)(?:^|[._])(?:user|usr|u|account|row|record|member|admin|found\w*|db\w*|stored\w*|self|this|client|customer|result|doc|profile|employee|person|data|login)\b|\[|stored|saved|real|correct|actual|db_|_db"
)
_ITEM_OF_RECORD = lazy(r"(?i)(?:^|\.)(?:\w*(?:user|usr|account|row|record|member|admin|customer|client)\w*)(?:\[|\.)")
_SENT = lazy(r"^(?:req|request|ctx\.request|event)\.(?:body|query|params)\b")
"""What came with a request in Javascript."""

_CONFIGURED = lazy(
    r"(?:settings|config|cfg|conf|environ|getenv|process\.env|app\.config|self|this|env|current_app|Rails\.application\.(?:secrets|credentials))[.\[(]|^[A-Z][A-Z0-9_]*$|(?:^|\.)[A-Z][A-Z0-9_]*$"
)


def last_name(text: str) -> str:
    """The name an expression ends in: ``user.password``, ``row["password"]`` and ``form.get("password")`` alike."""
    text = _CONVERSION.sub("", text)
    item = _ITEM.search(text)
    if item:
        return item.group(1)
    match = _LAST_WORD.search(text)
    return match.group() if match else ""


def holds_password(text: str) -> bool:
    """Whether an expression mentions a password by name, not a field, label or hash of one."""
    return any(is_password(name) for pattern in (_IDENTIFIER, _ANY_ITEM) for name in pattern.findall(text))


def is_password(name: str) -> bool:
    """Whether a name is that of a password in clear."""
    return kind_of_name(name) is NameKind.PASSWORD or name.lower() in (
        "pw",
        "passwd",
        "plaintext_password",
        "pswd",
        "psw",
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is wrong with a comparison."""

    wording: Wording
    confidence: Confidence


def judge_comparison(left: str, right: str, *, signed: bool) -> Comparison | None:
    """What is wrong with ``left == right``; ``signed`` says that the file computes signatures at all."""
    names = last_name(left), last_name(right)
    if not all(names) or any(len(side) > 200 for side in (left, right)) or any(map(_SORT.search, names)):
        return None
    if is_password(names[0]) or is_password(names[1]):
        return _judge_passwords(left, right, names)
    if signed and any(_DIGEST.search(name) for name in names) and any(map(_COMPUTED.search, (left, right))):
        return Comparison(TIMING_WORDING, Confidence.MEDIUM)
    if names[0] == names[1] and _EARLIER.search(f"{left} {right}"):
        return None  # whether a setting was changed
    kinds = [kind_of_name(name) for name in names]
    if all(kind in (NameKind.KEY, NameKind.SECRET) for kind in kinds) and any(map(_CONFIGURED.search, (left, right))):
        return Comparison(TIMING_WORDING, Confidence.MEDIUM)
    return None


def _judge_passwords(left: str, right: str, names: tuple[str, str]) -> Comparison | None:
    both_sent = _SENT.match(left) and _SENT.match(right)
    if any(_REPEATED.search(name) or _FLAG.search(name) for name in names) or left == right or both_sent:
        return None
    changed = names[0] == names[1] and any(map(_EARLIER.search, (left, right)))
    if changed or all("(" in side.replace(".get(", "") for side in (left, right)):
        return None
    both = is_password(names[0]) and is_password(names[1])
    typed = all(_TYPED.search(name) and not _ENCODED.search(name) for name in names)
    sides = [side for side, name in zip((left, right), names, strict=True) if is_password(name)]
    stored = any(_STORED.search(side) or _CONFIGURED.search(side) for side in (left, right))
    if both and stored:
        return Comparison(PLAIN_WORDING, Confidence.HIGH)
    if typed and any(_ITEM_OF_RECORD.search(side) for side in sides):
        return Comparison(PLAIN_WORDING, Confidence.MEDIUM)
    other = right if sides == [left] else left
    if both or (
        re.search(r"(?i)stored|saved|correct|real|actual|expected|secret|_db|db_", other)
        and not re.search(r"(?i)hash|digest|crypt", other)
    ):
        return Comparison(PLAIN_WORDING, Confidence.MEDIUM)
    return None
