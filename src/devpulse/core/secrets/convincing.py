"""Whether a value under a telling name is a secret, or a label, a name, a sentence, a path."""

from __future__ import annotations

from itertools import pairwise

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.names import NameKind
from devpulse.core.secrets.placeholders import entropy, is_location, is_patterned, is_placeholder

ASSIGNING = ("=", ":=", "||", "??", "==", "===", "!=", "!==", "?=", "??=", "||=", "or", "(")
"""Operators after which a word in code is a value, and not a label in a table."""

_COMPARING = ("==", "===", "!=", "!==")
_LABEL_WORDS = lazy(
    r"(?i)pass|pwd|token|secret|key|auth|user|name|requir|string|text|none|null|true|false|hidden|invalid|enter|confirm|"
    r"current|default|empty|bearer|basic|field|value|input|login|optional|unknown|number|integer|object|sensitive|test|abc|"
    r"foo|bar|undefined|qwe|sha|md5|hmac|plain|base64|content|disable|enable"
)
_PHRASE = lazy(r"^[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)*$|^[A-Z][a-z]+\.$")
_IDENTIFIER = lazy(r"^[A-Za-z_]+(?:[-_.:][A-Za-z0-9]+)*$")
_CALL = lazy(r"^[A-Za-z_][\w.]*[?!]?\(|^[\w.]+\[|^\w+(?:\.\w+)+$|^\w+(?:->|::)\w+")
_TYPICAL = frozenset(
    ["admin", "root", "toor", "letmein", "qwerty", "welcome", "monkey", "master", "iloveyou", "dragon"]
)
_RANDOM_LENGTH = 20


def confidence_of(kind: NameKind, value: str, operator: str, *, bare: bool) -> Confidence | None:
    """How sure it is that ``value`` is a secret; ``None`` when it is none. ``bare`` values stand without quotes."""
    if (
        is_placeholder(value)
        or is_location(value)
        or not value.isascii()
        or (bare and _CALL.match(value) and not looks_random(value))
    ):
        return None
    confidence = _by_shape(kind, value, "" if bare else operator)
    return Confidence.LOW if confidence is Confidence.MEDIUM and is_patterned(value) else confidence


def looks_random(value: str) -> bool:
    """Long, of several kinds of characters, evenly spread: not typed by a person."""
    return len(value) >= _RANDOM_LENGTH and entropy(value) >= 3.3 and any(map(str.isdigit, value))


def _by_shape(kind: NameKind, value: str, operator: str) -> Confidence | None:
    if len(value) < 6 or " " in value.strip() or value.strip() != value:
        return _short(kind, value, operator)
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if kind is NameKind.KEY:
        made = (digits and not _reads_as_name(value)) or _is_shuffled(value)
        long = len(value) >= (12 if letters else 24)
        return Confidence.MEDIUM if long and made and entropy(value) >= 2.8 else None
    if _PHRASE.match(value):
        return _judge_phrase(kind, value, operator)
    if not letters:
        return _digits(kind, value, operator)
    label = _reads_as_name(value) and _LABEL_WORDS.search(value)
    return (Confidence.LOW if label else Confidence.MEDIUM) if digits or label or not value.isalnum() else None


def _digits(kind: NameKind, value: str, operator: str) -> Confidence | None:
    if kind is NameKind.PASSWORD:
        return Confidence.MEDIUM if operator in ASSIGNING else Confidence.LOW
    return Confidence.MEDIUM if len(value) >= 24 else None


def _short(kind: NameKind, value: str, operator: str) -> Confidence | None:
    """Fewer than six characters, or with spaces: a password only when code compares with it or it is a usual one."""
    if kind is not NameKind.PASSWORD or len(value) < 4 or value.strip() != value:
        return None
    if " " in value:
        return Confidence.LOW if operator in _COMPARING else None
    compared = operator in _COMPARING and not _LABEL_WORDS.search(value)
    if compared or (operator in ASSIGNING and (value.lower() in _TYPICAL or value.isdigit())):
        return Confidence.MEDIUM
    return Confidence.LOW if any(map(str.isdigit, value)) else None


def _is_shuffled(value: str) -> bool:
    """Letters that change between small and capital far more often than in words put together."""
    switches = sum(left.islower() != right.islower() for left, right in pairwise(value))
    return len(value) >= 16 and value.isalnum() and 3 * switches >= len(value)


def _reads_as_name(value: str) -> bool:
    """An identifier with at most three digits: ``oauth2_token``, ``sha256``; not ``a8f5f167f44f``."""
    return bool(_IDENTIFIER.match(value)) and sum(map(str.isdigit, value)) <= 3 and len(value) < 40


def _judge_phrase(kind: NameKind, value: str, operator: str) -> Confidence | None:
    """Letters only: a real password when assigned in code and no label; else perhaps a label."""
    if value.lower() in _TYPICAL and kind is NameKind.PASSWORD and operator in ASSIGNING:
        return Confidence.MEDIUM
    if _LABEL_WORDS.search(value) and len(value) < 14:
        return Confidence.LOW if kind is NameKind.PASSWORD and operator == "=" else None
    if operator not in ASSIGNING or not value.isalpha() or len(value) < 7:
        return None
    return Confidence.MEDIUM
