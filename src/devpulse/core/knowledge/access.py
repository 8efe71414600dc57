"""What access checks are called, read from the ``[access]`` tables of the data files of a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from devpulse.core.knowledge.reading import tables_of

_NOTHING = "(?!)"


@dataclass(frozen=True, slots=True)
class AccessWords:
    """Patterns, without regard to case.

    ``marks``: what stands at a route and refuses people: annotations, attributes, filters, middleware. ``open``: a
    mark that says that everybody may come in. ``calls``: functions that refuse people themselves. ``refusals``: what a
    branch does that refuses people. ``callers``: names under which code asks who is calling or what they may do.
    ``logins``: marks that only ask whether somebody is logged in.
    """

    marks: re.Pattern[str]
    open: re.Pattern[str]
    calls: re.Pattern[str]
    refusals: re.Pattern[str]
    callers: re.Pattern[str]
    logins: re.Pattern[str]


_KEYS = AccessWords.__slots__


def read_access(files: Mapping[str, str]) -> AccessWords:
    """The access words of a language's data files together.

    Raises:
        ValueError: a file has another key in its table, or a pattern that is none; it names the file.
    """
    found: dict[str, list[str]] = {key: [] for key in _KEYS}
    for name, text in sorted(files.items()):
        for key, patterns in tables_of(name, text).get("access", {}).items():
            if key not in found:
                raise ValueError(f"the knowledge file {name} cannot be used: unknown key {key!r} of access")
            for pattern in patterns:
                _compiled(name, pattern)
            found[key] += patterns
    joined = {key: "|".join(f"(?:{pattern})" for pattern in patterns) or _NOTHING for key, patterns in found.items()}
    return AccessWords(**{key: re.compile(pattern, re.IGNORECASE) for key, pattern in joined.items()})


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"the knowledge file {name} cannot be used: {pattern!r} of access: {error}") from error
