"""Ruby's ``open``, which runs its argument as a command where that begins with ``|``."""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Wording
from devpulse.core.source import Source

PIPE = Wording(
    title="File name that can be a command",
    description="Ruby's `open` runs what it is given as a shell command when that begins with `|`.",
    fix="Open files with `File.open` and addresses with `URI.open`.",
)
_OPENS = re.compile(r"(?<![\w.:@])(?:Kernel\.)?open(?:\(|[^\S\n])[^\S\n]*[@\w]")


def opens_value(source: Source) -> bool:
    """Whether a file opens what is no literal by the bare name, and has no function of that name."""
    return _OPENS.search(source.text) is not None and "def open" not in source.text


def reach_of_pipe(taint: Taint, value: Value) -> Reach | None:
    """What begins with somebody else's value can begin with ``|``."""
    if value.collection or value.joined or value.resolved or not (value.skeleton or HOLE).startswith(HOLE):
        return None
    level = taint.origin.level
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH)
    return Reach(taint, Confidence.LOW if level is Level.UNKNOWN else Confidence.MEDIUM)
