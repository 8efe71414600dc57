"""What the user set and nothing heeds: said in the report, since a run must not seem to obey it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from devpulse.options import DEBUG_VARIABLE, OPTIONS, FlagValue, Option
from devpulse.settings.config_file import Entry
from devpulse.settings.values import MAX_SHOWN, is_set, shown

_PREFIX = "DEVPULSE_"
_KNOWN = (*(option.variable for option in OPTIONS), DEBUG_VARIABLE)


def notices_of(
    flags: Mapping[str, FlagValue], environ: Mapping[str, str], entries: Mapping[str, Entry]
) -> tuple[str, ...]:
    """Options that have no effect yet, then variables with our prefix that are no options. Values are not repeated."""
    unheeded = ", ".join(_unheeded(flags, environ, entries))
    said = [f"Set, but without effect yet: {unheeded}."] if unheeded else []
    return (*said, *_unknown(environ))


def _unheeded(
    flags: Mapping[str, FlagValue], environ: Mapping[str, str], entries: Mapping[str, Entry]
) -> Iterator[str]:
    for option in filter(_is_unheeded, OPTIONS):
        entry = entries.get(option.name)
        # Not the further variables: GITHUB_TOKEN is there for many reasons.
        places = (flags.get(option.name) is not None, is_set(environ.get(option.variable)))
        if any(places) or (entry is not None and is_set(entry.value)):
            yield option.name


def _is_unheeded(option: Option) -> bool:
    return not option.commands and option.is_input


def _unknown(environ: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(environ):
        if name.startswith(_PREFIX) and name not in _KNOWN:
            yield f"The variable {shown(name)} is not known and has no effect.{_closest(name, _KNOWN)}"


def _closest(name: str, known: Iterable[str]) -> str:
    # The prefix, which all share, would make everything look alike.
    bare = {variable.removeprefix(_PREFIX): variable for variable in known}
    matches = get_close_matches(name.removeprefix(_PREFIX).upper()[:MAX_SHOWN], list(bare), n=1)
    return f" Did you mean {bare[matches[0]]}?" if matches else ""
