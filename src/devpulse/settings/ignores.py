"""Reads the ``ignore`` list of ``.devpulse.yml``: accepted findings by path, category or fingerprint."""

from __future__ import annotations

import re
from collections.abc import Mapping

from devpulse.core.categories import CATEGORIES
from devpulse.core.policy import IgnoreRule
from devpulse.errors import ConfigurationError
from devpulse.settings.values import Raw, Refused, closest, is_set, shown

_KEYS = ("path", "category", "fingerprint", "reason")
_ALLOWED = "a list of mappings with path, category or fingerprint, and a reason"
_EXAMPLE = "Write for example: ignore: [{path: tests/, category: hardcoded-secret, reason: test keys}]"
_KEYS_AT_PATH = ("category", "reason")
_ALLOWED_AT_PATH = "a list of mappings with category and reason"
_EXAMPLE_AT_PATH = "Write for example: ignore: [{category: hardcoded-secret, reason: test keys}]"
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")


def read_ignores(raw: Raw, subject: str) -> tuple[IgnoreRule, ...]:
    """The rules in the order of the file.

    Raises:
        ConfigurationError: an item is malformed, names an unknown category or would match nothing.
    """
    try:
        if isinstance(raw, str | Mapping):
            raise Refused(f"is {shown(raw)}")
        return tuple(_rule(item, number) for number, item in enumerate(raw, start=1))
    except Refused as refused:
        raise ConfigurationError(f"{subject} {refused}; allowed: {_ALLOWED}", hint=refused.hint or _EXAMPLE) from None


def read_ignores_at_path(raw: Raw, subject: str) -> tuple[IgnoreRule, ...]:
    """The rules of an entry of ``paths``, which says itself where they hold.

    Raises:
        ConfigurationError: an item is malformed, or names no category or an unknown one.
    """
    try:
        if isinstance(raw, str | Mapping):
            raise Refused(f"is {shown(raw)}")
        return tuple(_rule_at_path(item, number) for number, item in enumerate(raw, start=1))
    except Refused as refused:
        hint = refused.hint or _EXAMPLE_AT_PATH
        raise ConfigurationError(f"{subject} {refused}; allowed: {_ALLOWED_AT_PATH}", hint=hint) from None


def _rule_at_path(item: Raw, number: int) -> IgnoreRule:
    values = _values(item, number, _KEYS_AT_PATH)
    if not values["category"]:
        raise Refused(f"says no category in item {number}")
    return IgnoreRule(None, _category(values["category"], number), None, values["reason"] or "")


def _values(item: Raw, number: int, keys: tuple[str, ...]) -> dict[str, str | None]:
    if not isinstance(item, Mapping):
        raise Refused(f"has {shown(item)} as item {number}")
    for key in item:
        if key not in keys:
            raise Refused(f"has the unknown key {shown(key)} in item {number}", closest(key, keys))
    return {key: _text(item, key, number) for key in keys}


def _rule(item: Raw, number: int) -> IgnoreRule:
    values = _values(item, number, _KEYS)
    if not (values["path"] or values["category"] or values["fingerprint"]):
        raise Refused(f"says neither path nor category nor fingerprint in item {number}")
    return IgnoreRule(
        path=_path(values["path"], number),
        category=_category(values["category"], number),
        fingerprint=_fingerprint(values["fingerprint"], number),
        reason=values["reason"] or "",
    )


def _text(item: Mapping[str, Raw], key: str, number: int) -> str | None:
    value = item.get(key)
    if value is None or not is_set(value):
        return None
    if not isinstance(value, str):
        raise Refused(f"has {shown(value)} as {key} of item {number}")
    return value.strip()


def _path(path: str | None, number: int) -> str | None:
    if path is None:
        return None
    # A rule matches a path or a folder. A pattern would silently match nothing.
    if "*" in path or "?" in path or path.startswith(("/", "../")):
        hint = "Name a file, or a folder with a slash at its end (tests/), from the top of the repository."
        raise Refused(f"has the path {shown(path)} in item {number}", hint)
    return path.removeprefix("./")


def _category(category: str | None, number: int) -> str | None:
    if category is None or category in CATEGORIES:
        return category
    hint = closest(category, CATEGORIES) or f"Categories: {', '.join(CATEGORIES)}."
    raise Refused(f"names the unknown category {shown(category)} in item {number}", hint)


def _fingerprint(fingerprint: str | None, number: int) -> str | None:
    if fingerprint is None:
        return None
    if _FINGERPRINT.fullmatch(fingerprint.lower()):
        return fingerprint.lower()
    hint = "Copy the 32 hex digits from findings.json or from the comment."
    raise Refused(f"has the fingerprint {shown(fingerprint)} in item {number}", hint)
