"""String literals given to, compared with or paired with a name that says it is a secret, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.names import NameKind, kind_of_name
from devpulse.core.secrets.placeholders import entropy, is_location, is_placeholder

# Tried only where a word starts, and every repeat is bounded: linear in the line.
_NAME = r"(?<![\w.$-])(?P<name>[A-Za-z_$][\w.$-]{1,80})"
_LITERAL = (
    r"[rbuRBU]{0,2}(?:\"(?P<double>(?:[^\"\\\n]|\\.){1,400})\"|'(?P<single>(?:[^'\\\n]|\\.){1,400})'|"
    r"`(?P<back>[^`\\\n]{1,400})`)"
)
_ASSIGNED = re.compile(
    _NAME + r"(?:\[[\"'](?P<item>[\w.-]{2,60})[\"']\])?[\"']?\]?[ \t]{0,40}(?::[ \t]{0,4}[\w\[\]|?., ]{1,40}(?==))?"
    r"(?P<operator>===?|!==?|=>|:=|\+=|\|\||\?\?|=|:|\bor\b)[ \t]{0,20}\(?" + _LITERAL
)
_DEFAULTED = re.compile(
    r"(?:getenv|environ\.get|env|config|define|get|setdefault|putenv|setProperty)\("
    r"[ \t]{0,4}[\"'](?P<name>[\w.-]{2,80})[\"'][ \t]{0,4},"
    r"[ \t]{0,4}(?:default[ \t]{0,2}=[ \t]{0,2})?" + _LITERAL
)
_ELEMENT = re.compile(r"<(?P<name>[A-Za-z][\w.-]{1,60})>(?P<double>[^<>\s]{1,200})</")
_BARE = re.compile(
    r"^[ \t]{0,40}(?:-[ \t]|export[ \t]{1,4}|ENV[ \t]{1,4}|ARG[ \t]{1,4}|set[ \t]{1,4})?"
    r"[\"']?(?P<name>[A-Za-z_][\w.-]{1,80})[\"']?"
    r"[ \t]{0,20}(?P<operator>[=:])[ \t]{0,20}(?P<double>[^\s\"'#;,{}\[\]()<>$&|][^\s\"']{0,300})[ \t]*(?:#[^\n]*)?\r?$"
)
_BARE_FILES = re.compile(
    r"(?i)(?:^|/)(?:[^/]*\.env(?:\.[\w-]+)?|[^/]*\.(?:properties|ini|cfg|conf|ya?ml|toml|tfvars|envrc)|dockerfile[^/]*|\.npmrc|\.pypirc|\.netrc|credentials)$"
)
_LOCK_FILES = re.compile(
    r"(?i)(?:^|/)(?:[^/]*\.lock|[^/]*-lock\.(?:json|ya?ml)|go\.sum|npm-shrinkwrap\.json|[^/]*\.min\.js|[^/]*\.map)$"
)
_TEST_PATH = re.compile(
    r"(?i)(?:^|[/_.-])(?:tests?|specs?|fixtures?|examples?|mocks?|docs?|samples?|testdata|e2e)(?:[/_.-]|$)"
)
_LABEL_WORDS = re.compile(
    r"(?i)pass|pwd|token|secret|key|auth|user|name|requir|string|text|none|null|true|false|hidden|invalid|enter|confirm|"
    r"current|default|empty|bearer|basic|field|value|input|login|optional|unknown|number|integer|object|sensitive|test|abc|"
    r"foo|bar|qwe|sha|md5|hmac|plain|base64|content|disable|enable"
)
_PHRASE = re.compile(r"^[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)*$")
_IDENTIFIER = re.compile(r"^[A-Za-z_]+(?:[-_.:][A-Za-z0-9]+)*$")
_QUOTE = re.compile("[\"'`]")
_RANDOM_LENGTH = 20


def find_assigned(path: str, line: str) -> Iterator[Span]:
    """Literals under a telling name on one line of ``path`` (which says how bare values are written)."""
    if _LOCK_FILES.search(path):
        return
    patterns = [_ASSIGNED, _DEFAULTED] if _QUOTE.search(line) else []
    if "</" in line:
        patterns.append(_ELEMENT)
    if _BARE_FILES.search(path):
        patterns.append(_BARE)
    for pattern in patterns:
        for match in pattern.finditer(line):
            span = _judge(path, match)
            if span is not None:
                yield span


def _judge(path: str, match: re.Match[str]) -> Span | None:
    groups = match.groupdict()
    kind = kind_of_name(groups.get("item") or groups["name"])
    quote = next((quote for quote in ("double", "single", "back") if groups.get(quote)), None)
    if kind is None or quote is None:
        return None
    value = groups[quote]
    if is_placeholder(value) or is_location(value) or not value.isascii():
        return None
    confidence = _confidence(kind, value, groups.get("operator") or "")
    if confidence is None:
        return None
    if confidence is Confidence.MEDIUM and _TEST_PATH.search(path) and not _looks_random(value):
        confidence = Confidence.LOW
    return Span(f"{kind.value}-literal", *match.span(quote), confidence)


def _looks_random(value: str) -> bool:
    """Long, of several kinds of characters, evenly spread: not typed by a person."""
    return len(value) >= _RANDOM_LENGTH and entropy(value) >= 3.3 and any(map(str.isdigit, value))


def _confidence(kind: NameKind, value: str, operator: str) -> Confidence | None:
    """How sure it is that ``value`` is a secret; ``None`` when it reads as a label, a name or a sentence."""
    if len(value) < 6 or " " in value.strip() or value.strip() != value:
        return None
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if kind is NameKind.KEY:
        convincing = len(value) >= 12 and letters and digits and entropy(value) >= 2.8 and not _reads_as_name(value)
        return Confidence.MEDIUM if convincing else None
    if _PHRASE.match(value):
        return _judge_phrase(kind, value, operator)
    if not letters:
        return Confidence.LOW if kind is NameKind.PASSWORD else None
    if _reads_as_name(value) and _LABEL_WORDS.search(value):
        return Confidence.LOW
    return Confidence.MEDIUM if len(value) >= 6 and (digits or not value.isalnum()) else None


def _reads_as_name(value: str) -> bool:
    """An identifier with at most two digits: ``oauth2_token``, ``sha256``; not ``a8f5f167f44f``."""
    return bool(_IDENTIFIER.match(value)) and sum(map(str.isdigit, value)) <= 3 and len(value) < 40


def _judge_phrase(kind: NameKind, value: str, operator: str) -> Confidence | None:
    """Letters only: a real password when assigned in code and no label; else perhaps a label."""
    if _LABEL_WORDS.search(value) and len(value) < 14:
        return Confidence.LOW if kind is NameKind.PASSWORD and operator == "=" else None
    if operator not in ("=", ":=", "||", "??", "==", "===") or not value.isalpha() or len(value) < 7:
        return None
    return Confidence.MEDIUM
