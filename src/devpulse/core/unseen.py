"""Why a review that ended well is still not a whole one: there was something that nobody could be shown."""

from __future__ import annotations

import re

ONLY_HUNKS = "only the hunks could be read, not the whole file"
RULES_STOPPED = "rules stopped at their limit before the end of the file"

_REASON = re.compile(rf"{ONLY_HUNKS}|{RULES_STOPPED}|\d+ overlong lines? (?:was|were) cut")


def lines_cut(count: int) -> str:
    """The reason when so many lines were too long to be shown whole."""
    return f"{count} overlong {'line was' if count == 1 else 'lines were'} cut"


def is_unseen(reason: str) -> bool:
    """Whether this and nothing else is the reason: all that could be shown was reviewed."""
    return _REASON.fullmatch(reason) is not None
