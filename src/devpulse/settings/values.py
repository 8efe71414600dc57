"""Turns what a person wrote into the value of an option, or says exactly what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from devpulse.core.budget import estimate_tokens
from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.prompt import MAX_INSTRUCTION_TOKENS
from devpulse.errors import ConfigurationError
from devpulse.options import NO_LIMIT, Kind, Option

Raw = str | Sequence["Raw"] | Mapping[str, "Raw"]
"""A value as written: a text from anywhere, a list or mapping from the configuration file."""

MAX_SHOWN = 60
"""Characters of a bad value that a message repeats."""

BOOLEANS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})")


class Refused(Exception):
    """A value is not allowed. The message continues a sentence that starts with the value's place."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def shown(value: Raw) -> str:
    """A value as a message may repeat it: quoted, on one line, cut, control characters escaped."""
    if not isinstance(value, str):
        return "a mapping" if isinstance(value, Mapping) else "a list"
    text = value if value.isprintable() else value.encode("unicode_escape").decode("ascii")
    return f'"{text[:MAX_SHOWN]}…"' if len(text) > MAX_SHOWN else f'"{text}"'


def closest(word: str, known: Iterable[str]) -> str:
    """A question that offers the known word with the closest spelling, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (for mistakes only)

    matches = get_close_matches(word.lower().replace("_", "-")[:MAX_SHOWN], list(known), n=1)
    return f'Did you mean "{matches[0]}"?' if matches else ""


def is_set(raw: Raw | None) -> bool:
    """Whether something was said: an empty or blank text means unset, an empty list is a value."""
    return raw is not None and not (isinstance(raw, str) and not raw.strip())


def convert(option: Option, raw: Raw, subject: str) -> object:
    """The value of an option.

    Args:
        option: the option.
        raw: what was written.
        subject: where it was written, as messages start with it: ``--fail-on`` or ``DEVPULSE_FAIL_ON``.

    Raises:
        ConfigurationError: the value is not allowed; the message repeats it unless it is a secret.
    """
    try:
        return _CONVERTERS[option.kind](option, raw)
    except Refused as refused:
        default = f": the default is {option.default}" if option.default else ""
        raise ConfigurationError(
            f"{subject} {refused}; allowed: {option.allowed}",
            hint=refused.hint or f"Correct it, or leave it out{default}.",
        ) from None


def typed(name: str, value: Any) -> Any:
    """A converted value of an option in the types of the core."""
    if name == "fail-on":
        return None if value == "none" else Severity(value)
    if name == "min-severity":
        return Severity(value)
    if name == "min-confidence":
        return Confidence(value)
    if name == "severity-overrides":
        return {category: Severity(severity) for category, severity in value.items()}
    if name == "instructions":
        return value or ""
    return value


def _refuse(option: Option, raw: Raw, hint: str = "") -> Refused:
    return Refused("has a value that is not shown here" if option.secret else f"is {shown(raw)}", hint)


def _word(option: Option, raw: Raw) -> str:
    if not isinstance(raw, str):
        raise _refuse(option, raw)
    return raw.strip()


def _text(option: Option, raw: Raw) -> str:
    text = _word(option, raw)
    if option.pattern and not re.fullmatch(option.pattern, text):
        raise _refuse(option, raw)
    if not _is_unicode(text):
        raise _refuse(option, raw, "It holds bytes that are not UTF-8.")
    if option.name == "instructions" and estimate_tokens(text) > MAX_INSTRUCTION_TOKENS:
        raise Refused(f"is about {estimate_tokens(text)} tokens long", "Shorten it to what a reviewer must know.")
    if option.name == "shard" and int(text.partition("/")[0]) > int(text.partition("/")[2]):
        raise _refuse(option, raw)
    return text


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _choice(option: Option, raw: Raw) -> str:
    word = _word(option, raw).lower()
    if "true" in option.choices and word in BOOLEANS:
        return "true" if BOOLEANS[word] else "false"
    if word not in option.choices:
        raise _refuse(option, raw, closest(word, option.choices))
    return word


def _boolean(option: Option, raw: Raw) -> bool:
    word = _word(option, raw).lower()
    if word not in BOOLEANS:
        raise _refuse(option, raw)
    return BOOLEANS[word]


def _integer(option: Option, raw: Raw) -> int | None:
    word = _word(option, raw)
    if option.optional and word.lower() == NO_LIMIT:
        return None
    if not _INTEGER.fullmatch(word) or not _in_range(option, int(word)):
        raise _refuse(option, raw)
    return int(word)


def _number(option: Option, raw: Raw) -> float | None:
    word = _word(option, raw)
    if option.optional and word.lower() == NO_LIMIT:
        return None
    if not _NUMBER.fullmatch(word) or not _in_range(option, float(word)):
        raise _refuse(option, raw)
    return float(word)


def _in_range(option: Option, number: float) -> bool:
    return (
        (option.minimum is None or number >= option.minimum)
        and (option.maximum is None or number <= option.maximum)
        and (option.above is None or number > option.above)
    )


def _path(option: Option, raw: Raw) -> str:
    # Not stripped: a blank can be part of a name.
    if not isinstance(raw, str) or "\0" in raw or "\n" in raw:
        raise _refuse(option, raw)
    return raw


def _patterns(option: Option, raw: Raw) -> tuple[str, ...]:
    patterns = tuple(_parts(option, raw))
    for pattern in patterns:
        if not is_pattern(pattern):
            raise Refused(f"holds {shown(pattern)}, which is not a pattern")
    return patterns


def is_pattern(pattern: str) -> bool:
    """Whether a line of .gitignore like this one matches or excepts anything."""
    import pathspec  # noqa: PLC0415  (most runs have no pattern)

    try:
        spec = pathspec.GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return False
    return _is_unicode(pattern) and all(part.include is not None for part in spec.patterns)


def _parts(option: Option, raw: Raw) -> list[str]:
    """Items of a list: a text is split at commas and line feeds, items of a YAML list stay whole."""
    if isinstance(raw, str):
        items: Sequence[Raw] = re.split(r"[,\n]", raw)
    elif isinstance(raw, Mapping):
        raise _refuse(option, raw)
    else:
        items = raw
    parts = []
    for item in items:
        if not isinstance(item, str):
            raise Refused(f"holds {shown(item)} where a text is due")
        parts.append(item.strip())
    return [part for part in parts if part]


def _overrides(option: Option, raw: Raw) -> dict[str, str]:
    overrides: dict[str, str] = {}
    for category, severity in _override_pairs(option, raw):
        if category not in CATEGORIES:
            hint = closest(category, CATEGORIES) or f"Categories: {', '.join(CATEGORIES)}."
            raise Refused(f"names the unknown category {shown(category)}", hint)
        if severity not in list(Severity):
            levels = f"Severities: {', '.join(Severity)}."
            raise Refused(f"gives {category} the severity {shown(severity)}", closest(severity, Severity) or levels)
        if overrides.setdefault(category, severity) != severity:
            raise Refused(f"gives {category} two severities")
    return overrides


def _override_pairs(option: Option, raw: Raw) -> list[tuple[str, str]]:
    if isinstance(raw, Mapping):
        for value in raw.values():
            if not isinstance(value, str):
                raise Refused(f"holds {shown(value)} where a severity is due")
        return [(key.strip(), str(value).strip().lower()) for key, value in raw.items()]
    pairs = []
    for part in _parts(option, raw):
        category, equals, severity = part.partition("=")
        if not equals:
            raise Refused(f"holds {shown(part)}")
        pairs.append((category.strip(), severity.strip().lower()))
    return pairs


_CONVERTERS: Mapping[Kind, Callable[[Option, Raw], object]] = {
    "text": _text,
    "choice": _choice,
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "list": _patterns,
    "mapping": _overrides,
    "path": _path,
}
