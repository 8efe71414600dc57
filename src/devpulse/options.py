"""Every input of DevPulse in one table.

Flags, environment variables, keys of ``.devpulse.yml`` and the inputs of the action are all derived
from ``OPTIONS``. Only the standard library is imported, so that ``--help`` stays fast.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

CONFIG_NAME = ".devpulse.yml"
"""The configuration file, looked up on the base side of a change."""

DEBUG_VARIABLE = "DEVPULSE_DEBUG"
"""When set, an internal error shows its traceback. Worker processes see it too."""

NO_LIMIT = "none"
"""The word that switches an optional number off, so that a flag can lift a limit of the file."""

FlagValue = str | bool | None
"""What a flag can hold: a text, a switch, or nothing said."""

Color = Literal["auto", "always", "never"]
"""When text for people is colored; auto: on a terminal, unless the environment says otherwise."""

Kind = Literal["text", "choice", "boolean", "integer", "number", "list", "mapping", "path"]

_REVIEWS = ("review", "scan", "action", "compare")
_JUDGING = (*_REVIEWS, "publish")
"""The commands that say which findings are to be reported, and do so within a time."""

_KEEPING = ("review", "scan", "action")
"""The commands that go on where an earlier run ended, may end early, and exit by what they found."""

_ACTION = ("action",)
_CHANGES = ("review", "action", "compare")
_PULL = (*_CHANGES, "publish")
_POSTING = ("action", "publish")
_SHARED = ("review", "action")

_PLANNING = (
    "gemini-api-key", "engine", "model", "include", "exclude", "context-window", "output-dir", "config", "github-token",
    "pull-request-number",
)  # fmt: skip
"""What the plan of a change depends on: every job with a share of it must be given the same."""

_OF_SHARED: Mapping[str, tuple[str, ...]] = {
    "plan": (*_PLANNING, "shards"),
    "merge": (
        *_PLANNING, "shards", "summarize", "min-severity", "min-confidence", "severity-overrides", "fail-on",
        "fail-on-incomplete", "allow-new-suppressions", "token-budget", "time-budget-minutes", "requests-per-minute",
        "tokens-per-minute", "price-input", "price-output", "sarif", "state-dir",
    ),
}  # fmt: skip
"""The options of the commands for a review over several machines."""

_KIND_WORDS: Mapping[Kind, str] = {
    "text": "a text",
    "choice": "a word",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "list": "patterns as in .gitignore, separated by commas or as a list",
    "mapping": "category=severity, separated by commas or as a mapping",
    "path": "a path",
}


@dataclass(frozen=True, slots=True)
class Option:
    """One input.

    ``default`` is written as a person would write it; empty means that there is none.
    ``minimum`` and ``maximum`` bound numbers, both included; a number must be greater than
    ``above``. ``pattern`` is what a text must match in full, and ``form`` says the same in words.
    ``variables`` are further environment variables that are looked at, in this order, after the
    option's own. ``in_config`` says whether ``.devpulse.yml`` may hold it, ``secret`` that its
    value is never shown. ``commands`` are the commands that heed it and offer its flag.
    ``is_input`` is false for what only the environment can say, to any command that needs it.
    """

    name: str
    kind: Kind
    group: str
    help: str
    default: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    pattern: str = ""
    form: str = ""
    variables: tuple[str, ...] = ()
    in_config: bool = True
    secret: bool = False
    commands: tuple[str, ...] = _REVIEWS
    is_input: bool = True

    @property
    def flag(self) -> str:
        """The long flag."""
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        """The option's own environment variable."""
        return "DEVPULSE_" + self.name.upper().replace("-", "_")

    @property
    def field(self) -> str:
        """The attribute of ``Settings``."""
        name = self.name.replace("-", "_")
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def optional(self) -> bool:
        """Whether ``none`` switches a number off."""
        return self.default == NO_LIMIT and self.kind in ("integer", "number")

    @property
    def allowed(self) -> str:
        """What a value may be, in words that complete "allowed: "."""
        words = self.form or ", ".join(self.choices) or _KIND_WORDS[self.kind] + self._range_words()
        return f"{words}, or {NO_LIMIT}" if self.optional else words

    def _range_words(self) -> str:
        if self.minimum is None and self.above is None:
            return ""
        if self.above is not None:
            return f" above {self.above:.0f}"
        return (
            f" of at least {self.minimum:.0f}"
            if self.maximum is None
            else f" from {self.minimum:.0f} to {self.maximum:.0f}"
        )


_ENGINE = "Engine"
_SCOPE = "What is reviewed"
_REPORT = "What is reported"
_GATE = "Gate"
_LIMITS = "Limits"
_COST = "Cost"
_FILES = "Files"
_RUN = "This run"
_GITHUB = "GitHub"

_SEVERITIES = ("low", "medium", "high", "critical")
_CONFIDENCES = ("low", "medium", "high")
_ENGINES = ("auto", "gemini", "offline")
_SUMMARIES = ("always", "on-findings", "never")
_SUMMARIZERS = ("deterministic", "model")
_CONTAINER_COMMANDS = ("action", "review", "publish", "plan", "merge")

_ONE_WORD = "[!-~]+"  # printable ASCII: anything else cannot stand in an HTTP header
_INSTRUCTIONS = "a text of at most 300 tokens (about 1,200 characters)"
_SHARE = "[1-9][0-9]{0,2}/[1-9][0-9]{0,2}"
_SHARE_FORM = "i/N with i from 1 to N, like 2/8"


def _choice(
    name: str, group: str, text: str, default: str, choices: tuple[str, ...], *, commands: tuple[str, ...] = _REVIEWS
) -> Option:
    return Option(name, "choice", group, text, default, choices, commands=commands)


def _switch(
    name: str, group: str, text: str, default: str = "false", *, commands: tuple[str, ...] = _REVIEWS
) -> Option:
    return Option(name, "boolean", group, text, default, commands=commands)


OPTIONS: tuple[Option, ...] = (
    Option(
        "gemini-api-key",
        "text",
        _ENGINE,
        "Key for the Gemini API. An environment variable is safer: flags show in process lists.",
        pattern=_ONE_WORD,
        form="a key without spaces",
        variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        in_config=False,
        secret=True,
    ),
    Option(
        "gemini-base-url",
        "text",
        _ENGINE,
        "Address of the Gemini API, when it is not Google's own.",
        pattern="https?://[!-~]+",
        form="an address that starts with https:// or http://",
        variables=("GOOGLE_GEMINI_BASE_URL",),
        in_config=False,
        commands=(),
        is_input=False,
    ),
    _choice("engine", _ENGINE, "Who reviews; auto is gemini when there is a key, else offline.", "auto", _ENGINES),
    Option(
        "model",
        "text",
        _ENGINE,
        "Gemini model.",
        "gemini-3.8-flash",
        pattern="[A-Za-z0-9][A-Za-z0-9._/-]*",
        form="a model name of letters, digits, dots, dashes and slashes",
        commands=(*_REVIEWS, "prompt"),
    ),
    _switch("verify", _ENGINE, "Let a fresh context try to refute model findings.", "true"),
    _choice("summarize", _ENGINE, "Who words the summary of an overgrown history.", "deterministic", _SUMMARIZERS),
    Option("instructions", "text", _ENGINE, "Further text for the reviewer, at most 300 tokens.", form=_INSTRUCTIONS),
    Option("include", "list", _SCOPE, "Review only files that match these patterns.", commands=_JUDGING),
    Option("exclude", "list", _SCOPE, "Leave out files that match these patterns.", commands=_JUDGING),
    _choice("min-severity", _REPORT, "Least severity that is reported as open.", "low", _SEVERITIES, commands=_JUDGING),
    _choice(
        "min-confidence",
        _REPORT,
        "Least confidence that is reported as open.",
        "medium",
        _CONFIDENCES,
        commands=_JUDGING,
    ),
    Option(
        "severity-overrides",
        "mapping",
        _REPORT,
        "Other severities by category: csrf=high, insecure-cookie=low.",
        commands=_JUDGING,
    ),
    _switch("allow-new-suppressions", _REPORT, "Let ignore comments of the change itself count.", commands=_CHANGES),
    Option(
        "fail-on",
        "choice",
        _GATE,
        "Exit 1 when a finding is at least this severe.",
        "none",
        ("none", *_SEVERITIES),
        commands=_KEEPING,
    ),
    Option(
        "fail-on-incomplete",
        "choice",
        _GATE,
        "Exit 3 when files were left unreviewed; auto means: if fail-on is set.",
        "auto",
        ("auto", "true", "false"),
        commands=_KEEPING,
    ),
    Option(
        "max-parallel", "integer", _LIMITS, "Requests at once; offline one file at a time.", "8", minimum=1, maximum=64
    ),
    Option("max-steps", "integer", _LIMITS, "Requests one file may take.", "10", minimum=1, maximum=50),
    Option("context-window", "integer", _LIMITS, "Tokens of one context.", "32000", minimum=4_000, maximum=2_000_000),
    Option(
        "token-budget",
        "integer",
        _LIMITS,
        "Tokens after which nothing new is begun.",
        NO_LIMIT,
        minimum=1,
        commands=_KEEPING,
    ),
    Option(
        "time-budget-minutes",
        "number",
        _LIMITS,
        "Minutes after which nothing new is begun.",
        NO_LIMIT,
        above=0,
        commands=_JUDGING,
    ),
    Option("requests-per-minute", "integer", _LIMITS, "Most model requests in any minute.", NO_LIMIT, minimum=1),
    Option("tokens-per-minute", "integer", _LIMITS, "Most model tokens in any minute.", NO_LIMIT, minimum=1),
    Option("price-input", "number", _COST, "USD per million input tokens.", minimum=0, commands=(*_REVIEWS, "prompt")),
    Option("price-output", "number", _COST, "USD per million output tokens.", minimum=0),
    _switch("sarif", _FILES, "Write results.sarif.", "true"),
    Option("output-dir", "path", _FILES, "Folder for the artifacts.", "devpulse-artifacts", in_config=False),
    Option(
        "state-dir",
        "path",
        _FILES,
        "Folder that keeps finished work for the next run.",
        in_config=False,
        commands=_KEEPING,
    ),
    Option(
        "config",
        "path",
        _FILES,
        "Configuration file, from the base side.",
        CONFIG_NAME,
        in_config=False,
        commands=_JUDGING,
    ),
    Option(
        "fresh",
        "boolean",
        _RUN,
        "Clear artifacts and stored work of this run first.",
        "false",
        in_config=False,
        commands=_KEEPING,
    ),
    Option(
        "stop-after",
        "integer",
        _RUN,
        "Stop after so many tasks, as a crash would.",
        minimum=1,
        in_config=False,
        commands=_KEEPING,
    ),
    Option(
        "dry-run",
        "boolean",
        _RUN,
        "Show what would be posted, and post nothing.",
        "false",
        in_config=False,
        commands=_POSTING,
    ),
    Option("show-requests", "path", _RUN, "Folder to write each model request to, as it is sent.", in_config=False),
    Option(
        "github-token",
        "text",
        _GITHUB,
        "Token for the GitHub API.",
        pattern=_ONE_WORD,
        form="a token without spaces",
        variables=("GITHUB_TOKEN",),
        in_config=False,
        secret=True,
        commands=_PULL,
    ),
    Option(
        "pull-request-number",
        "integer",
        _GITHUB,
        "Pull request, if the event has none.",
        minimum=1,
        in_config=False,
        commands=_PULL,
    ),
    Option("skip-drafts", "boolean", _GITHUB, "Do not review drafts.", "false", commands=_POSTING),
    Option("comment", "boolean", _GITHUB, "Post review comments.", "true", commands=_POSTING),
    Option(
        "max-comments", "integer", _GITHUB, "Most inline comments.", "25", minimum=0, maximum=200, commands=_POSTING
    ),
    Option("summary", "choice", _GITHUB, "When to post the summary.", "always", _SUMMARIES, commands=_POSTING),
    Option(
        "command",
        "choice",
        _GITHUB,
        "What the container runs: action reviews and posts, review only reviews, publish posts another run's results, "
        "plan and review with shard share a review out, merge joins the shards and posts.",
        "action",
        _CONTAINER_COMMANDS,
        in_config=False,
        commands=_ACTION,
    ),
    Option(
        "from",
        "path",
        _GITHUB,
        "Folder with another run's artifacts: to publish, or those of the shards to merge.",
        in_config=False,
        commands=_POSTING,
    ),
    Option(
        "shards",
        "integer",
        _RUN,
        "Jobs a large review is spread over.",
        minimum=1,
        maximum=256,
        in_config=False,
        commands=_ACTION,
    ),
    Option(
        "shard",
        "text",
        _RUN,
        "The share of this job.",
        pattern=_SHARE,
        form=_SHARE_FORM,
        in_config=False,
        commands=_SHARED,
    ),
)

OPTION_BY_NAME: Mapping[str, Option] = MappingProxyType({option.name: option for option in OPTIONS})


def options_of(command: str) -> tuple[Option, ...]:
    """The options that have an effect on a command, in the order of the table."""
    return tuple(o for o in OPTIONS if command in o.commands or o.name in _OF_SHARED.get(command, ()))
