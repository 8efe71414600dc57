"""Reads the ``paths`` list of ``.devpulse.yml``: what is different in a part of the repository."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from devpulse.core.policy import PathRule
from devpulse.errors import ConfigurationError
from devpulse.options import OPTION_BY_NAME
from devpulse.settings.ignores import read_ignores_at_path
from devpulse.settings.values import Raw, Refused, closest, convert, is_pattern, is_set, shown, typed

OPTIONS_AT_PATH = ("min-severity", "min-confidence", "severity-overrides", "instructions")
"""The options that an entry may hold: those that are about a finding or about the review of one file."""

KEYS_AT_PATH = ("path", *OPTIONS_AT_PATH, "ignore")
"""All that an entry may hold."""

_ALLOWED = "a list of mappings with path and at least one of " + ", ".join(KEYS_AT_PATH[1:])
_EXAMPLE = "Write for example: paths: [{path: services/pay/, min-severity: low}]"


def read_path_rules(raw: Raw, subject: str) -> tuple[PathRule, ...]:
    """The rules in the order of the file.

    Args:
        raw: the value of ``paths``.
        subject: where it was written, as messages start with it.

    Raises:
        ConfigurationError: an entry is malformed, has no path or nothing to say about it, or holds a bad value.
    """
    try:
        if isinstance(raw, str | Mapping):
            raise Refused(f"is {shown(raw)}")
        return tuple(_rule(item, number, subject) for number, item in enumerate(raw, start=1))
    except Refused as refused:
        raise ConfigurationError(f"{subject} {refused}; allowed: {_ALLOWED}", hint=refused.hint or _EXAMPLE) from None


def _rule(item: Raw, number: int, subject: str) -> PathRule:
    if not isinstance(item, Mapping):
        raise Refused(f"has {shown(item)} as item {number}")
    for key in item:
        if key not in KEYS_AT_PATH:
            raise Refused(f"has the unknown key {shown(key)} in item {number}", closest(key, KEYS_AT_PATH))
    said = {key: value for key, value in item.items() if is_set(value)}
    pattern = said.pop("path", "")
    if not isinstance(pattern, str):
        raise Refused(f"has {shown(pattern)} as path of item {number}")
    if not pattern:
        raise Refused(f"has no path in item {number}")
    if not is_pattern(pattern.strip()) or pattern.strip().startswith("!"):
        raise Refused(f"has the path {shown(pattern)} in item {number}", "Write a pattern as in .gitignore.")
    if not said:
        raise Refused(f"says nothing about {shown(pattern)} in item {number}")
    return PathRule(pattern.strip(), **_settings(said, f"{subject} item {number}"))


def _settings(said: Mapping[str, Raw], place: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for name in OPTIONS_AT_PATH:
        if name in said:
            option = OPTION_BY_NAME[name]
            value = convert(option, said[name], f"{place}: {name}")
            settings[option.field] = typed(name, value)
    if "ignore" in said:
        settings["ignores"] = read_ignores_at_path(said["ignore"], f"{place}: ignore")
    return settings


def overruled(rules: Iterable[PathRule], names: Collection[str]) -> tuple[tuple[PathRule, ...], tuple[str, ...]]:
    """The rules without the options in ``names``, which a flag or a variable sets for the whole run, and a notice for
    each option that they lose by it."""
    rules = tuple(rules)
    blank = PathRule("")
    lost = [OPTION_BY_NAME[name] for name in OPTIONS_AT_PATH if name in names]
    lost = [option for option in lost if any(getattr(rule, option.field) for rule in rules)]
    for option in lost:
        rules = tuple(replace(rule, **{option.field: getattr(blank, option.field)}) for rule in rules)
    return rules, tuple(
        f"{option.name} is set for this run by a flag, an input or a variable: what paths say about it has no effect."
        for option in lost
    )
