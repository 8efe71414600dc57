"""Variables that look like settings and are none: said in the report, since a run must not seem to obey them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from devpulse.options import DEBUG_VARIABLE, OPTIONS
from devpulse.settings.values import MAX_SHOWN, shown

_PREFIX = "DEVPULSE_"
_KNOWN = (*(option.variable for option in OPTIONS), DEBUG_VARIABLE)


def notices_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """A line for each variable with our prefix that is no option. Values are not repeated."""
    return tuple(_unknown(environ))


def _unknown(environ: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(environ):
        if name.startswith(_PREFIX) and name not in _KNOWN:
            yield f"The variable {shown(name)} is not known and has no effect.{_closest(name, _KNOWN)}"


def _closest(name: str, known: Iterable[str]) -> str:
    # The prefix, which all share, would make everything look alike.
    bare = {variable.removeprefix(_PREFIX): variable for variable in known}
    matches = get_close_matches(name.removeprefix(_PREFIX).upper()[:MAX_SHOWN], list(bare), n=1)
    return f" Did you mean {bare[matches[0]]}?" if matches else ""
