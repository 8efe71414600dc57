"""The settings of a run: typed, frozen, and read once from flags, environment and ``.devpulse.yml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from devpulse.core.categories import Confidence, Severity
from devpulse.core.policy import IgnoreRule, PathRule, ReportPolicy
from devpulse.errors import ConfigurationError
from devpulse.options import OPTION_BY_NAME, OPTIONS, FlagValue, Option
from devpulse.settings.ignores import read_ignores
from devpulse.settings.notices import notices_of
from devpulse.settings.path_rules import OPTIONS_AT_PATH, overruled, read_path_rules
from devpulse.settings.values import Raw, closest, convert, is_set, shown, typed

if TYPE_CHECKING:
    from devpulse.settings.config_file import Entry

_IGNORE = "ignore"
_PATHS = "paths"

FURTHER_KEYS = (_IGNORE, _PATHS)
"""What ``.devpulse.yml`` may hold beside options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One field for each option, what else the configuration file holds, and notices for the report.

    There are no defaults here: the table of options has them. ``None`` means no limit, no price
    known, no gate, or not given.
    """

    gemini_api_key: str | None = field(repr=False)
    gemini_base_url: str | None
    engine: Literal["auto", "gemini", "offline"]
    model: str
    verify: bool
    summarize: Literal["deterministic", "model"]
    instructions: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    min_severity: Severity
    min_confidence: Confidence
    severity_overrides: Mapping[str, Severity]
    allow_new_suppressions: bool
    fail_on: Severity | None
    fail_on_incomplete: Literal["auto", "true", "false"]
    max_parallel: int
    max_steps: int
    context_window: int
    token_budget: int | None
    time_budget_minutes: float | None
    requests_per_minute: int | None
    tokens_per_minute: int | None
    price_input: float | None
    price_output: float | None
    sarif: bool
    output_dir: str
    state_dir: str | None
    config: str
    fresh: bool
    stop_after: int | None
    dry_run: bool
    show_requests: str | None
    github_token: str | None = field(repr=False)
    pull_request_number: int | None
    skip_drafts: bool
    comment: bool
    max_comments: int
    summary: Literal["always", "on-findings", "never"]
    command: Literal["action", "review", "publish", "plan", "merge"]
    from_: str | None
    shards: int | None
    shard: str | None
    ignores: tuple[IgnoreRule, ...]
    path_rules: tuple[PathRule, ...]
    notices: tuple[str, ...]

    @classmethod
    def load(
        cls,
        flags: Mapping[str, FlagValue],
        environ: Mapping[str, str],
        config_text: str | None = None,
        config_name: str = "",
    ) -> Self:
        """Take each setting from the first of flag, environment, configuration file and default that has it.

        The file belongs to the base side of a change, which is not known at first: load once
        without it to learn where to look, and again with its text.

        Args:
            flags: by option name (``fail-on``); ``None`` and empty texts are unset.
            environ: the environment; ``DEVPULSE_`` names and the few others the options list.
            config_text: the configuration file, ``None`` when there is none.
            config_name: how messages call the file.

        Raises:
            ConfigurationError: an unknown key, a key that the file may not hold, or a bad value.
        """
        for name in flags:
            if name not in OPTION_BY_NAME:
                raise ConfigurationError(f"there is no option {shown(name)}", hint=closest(name, OPTION_BY_NAME))
        entries = {} if config_text is None else _read(config_text, config_name)
        for key, entry in entries.items():
            _check_key(key, f"{config_name} line {entry.line}")
        values = {
            option.field: typed(option.name, _resolve(option, flags, environ, entries, config_name))
            for option in OPTIONS
        }
        set_for_run = [name for name in OPTIONS_AT_PATH if _find(OPTION_BY_NAME[name], flags, environ, {}, "")]
        path_rules, lost = overruled(_path_rules(entries, config_name), set_for_run)
        further: dict[str, Any] = {
            "ignores": _ignores(entries, config_name),
            "path_rules": path_rules,
            "notices": (*notices_of(environ), *lost),
        }
        return cls(**values, **further)

    @property
    def incomplete_fails(self) -> bool:
        """Whether an incomplete run is an error; ``auto`` says yes when there is a gate."""
        return self.fail_on_incomplete == "true" or (self.fail_on_incomplete == "auto" and self.fail_on is not None)

    @property
    def report_policy(self) -> ReportPolicy:
        """What the project wants reported, in the core's words."""
        return ReportPolicy(
            self.min_severity,
            self.min_confidence,
            self.severity_overrides,
            self.ignores,
            self.allow_new_suppressions,
            self.path_rules,
        )

    def choose_engine(self) -> Literal["gemini", "offline"]:
        """The engine that reviews.

        Raises:
            ConfigurationError: Gemini is asked for and there is no key.
        """
        if self.engine == "gemini" and self.gemini_api_key is None:
            raise ConfigurationError(
                "engine is gemini, but there is no key",
                hint="Set GEMINI_API_KEY, or use engine auto or offline.",
            )
        return "offline" if self.engine == "offline" or self.gemini_api_key is None else "gemini"


def _read(text: str, name: str) -> Mapping[str, Entry]:
    from devpulse.settings.config_file import read_config  # noqa: PLC0415  (most runs have no such file)

    return read_config(text, name)


def _check_key(key: str, place: str) -> None:
    option = OPTION_BY_NAME.get(key)
    if option is not None and not option.in_config:
        ways = f"the flag {option.flag} or the variable {option.variable}" if option.commands else option.variable
        raise ConfigurationError(f"{place}: {key} is not allowed in this file", hint=f"Use {ways}.")
    if option is None and key not in FURTHER_KEYS:
        known = (*(each.name for each in OPTIONS if each.in_config), *FURTHER_KEYS)
        hint = closest(key, known) or f"Keys: {', '.join(known)}."
        raise ConfigurationError(f"{place}: {shown(key)} is not a key of this file", hint=hint)


def _resolve(
    option: Option,
    flags: Mapping[str, FlagValue],
    environ: Mapping[str, str],
    entries: Mapping[str, Entry],
    config_name: str,
) -> Any:
    found = _find(option, flags, environ, entries, config_name)
    if found is not None:
        return convert(option, *found)
    if option.default:
        return convert(option, option.default, option.name)
    return {"list": (), "mapping": {}}.get(option.kind)


def _find(
    option: Option,
    flags: Mapping[str, FlagValue],
    environ: Mapping[str, str],
    entries: Mapping[str, Entry],
    config_name: str,
) -> tuple[Raw, str] | None:
    """The value that wins and the place it was written at."""
    flag = flags.get(option.name)
    places: list[tuple[Raw | None, str]] = [(str(flag).lower() if isinstance(flag, bool) else flag, option.flag)]
    places += [(environ.get(name), name) for name in (option.variable, *option.variables)]
    if entry := entries.get(option.name):
        places.append((entry.value, f"{config_name} line {entry.line}: {option.name}"))
    return next(((raw, place) for raw, place in places if raw is not None and is_set(raw)), None)


def _ignores(entries: Mapping[str, Entry], config_name: str) -> tuple[IgnoreRule, ...]:
    entry = entries.get(_IGNORE)
    if entry is None or not is_set(entry.value):
        return ()
    return read_ignores(entry.value, f"{config_name} line {entry.line}: {_IGNORE}")


def _path_rules(entries: Mapping[str, Entry], config_name: str) -> tuple[PathRule, ...]:
    entry = entries.get(_PATHS)
    if entry is None or not is_set(entry.value):
        return ()
    return read_path_rules(entry.value, f"{config_name} line {entry.line}: {_PATHS}")
