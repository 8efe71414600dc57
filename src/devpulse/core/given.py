"""What is seen of a call's arguments behind its bracket, and whether a value can reach a sink with them."""

from __future__ import annotations

from enum import Enum

from devpulse.core.knowledge.model import EVERY, RECEIVER, Sink
from devpulse.core.lazy_pattern import lazy

_FIRST = lazy(
    r"\s*+(?:(?P<end>\))|(?:[rbuRBU]{0,2}(?:\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')|\d[\d_]*+)\s*+(?P<after>[,)])"
    r"|(?P<keyword>[A-Za-z_]\w*+)\s*+=(?!=))"
)
_HAS_VALUE = lazy(r"\"[^\"]*[$#]")


class Given(Enum):
    """The beginning of a list of arguments."""

    NOTHING = "nothing"
    CONSTANT = "one constant"
    CONSTANT_FIRST = "a constant and more"
    KEYWORDS = "a keyword first"
    ANYTHING = "anything"

    def may_reach(self, sink: Sink) -> bool:
        """Whether there may be a value at an argument at which a sink does harm.

        A sink that has conditions is one by those, whatever value it is given.
        """
        if self is Given.ANYTHING or sink.needs or RECEIVER in sink.arguments:
            return True
        if self in (Given.NOTHING, Given.CONSTANT):
            return False
        if EVERY in sink.arguments:
            return True
        if self is Given.KEYWORDS:
            return any(isinstance(argument, str) for argument in sink.arguments)
        return any(argument != 0 for argument in sink.arguments)


def given_at(text: str, place: int, *, interpolates: bool = False) -> Given:
    """What follows the opening bracket before ``place``; ``interpolates``: texts in double quotes may have values."""
    first = _FIRST.match(text, place)
    if first is None or (interpolates and _HAS_VALUE.search(first.group())):
        return Given.ANYTHING
    if first["end"]:
        return Given.NOTHING
    if first["keyword"]:
        return Given.KEYWORDS
    return Given.CONSTANT if first["after"] == ")" else Given.CONSTANT_FIRST
