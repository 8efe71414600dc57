"""SQL statements that Java and Go put together with a quoted value, and give to a function that no library has.

A project has helpers of its own that run what they are given, whatever they are called: a text that is a statement as
a whole is run by somebody. It is told of where it is first handed on: what that gives back may count as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import Level, Place, Taint
from devpulse.core.rules.flow_rule import Inside, Use
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.sql_texts import is_statement, picks_rows

KIND = "handed"
_KEEPS = re.compile(
    r"(?i)^(?:log|debug|info|warn|error|trace|fatal|severe|panic|skip|s?print|fprint|format|append|prepend|concat|join|add|put|set|"
    r"equal|contains|starts?with|ends?with|has(?:prefix|suffix)|replace|split|match|valueof|string|tostring|len|trim|fields|"
    r"repeat|toupper|tolower|assert|fail|of(?![a-z])|require|is(?-i:[A-Z])|write|new|wrap|copy|note|say|show|render|reply|send|"
    r"lookup|parse|hash|count(?-i:[A-Z]|$)|get(?-i:[A-Z]|$)|check|valid|normali[sz]e|describe|explain_?text)"
)
"""Names of functions that write down, show, compare or work on texts."""


def judge(taint: Taint, use: Use) -> Reach | None:
    """Sure only of what was sent or given as it is and stands between the quotes of a statement."""
    value = use.value
    if value.collection or taint.place is not Place.QUOTED or taint.origin.level < Level.PARAMETER:
        return None
    if not is_statement(value) or not picks_rows(value) or _KEEPS.match(use.call.method):
        return None
    if _first_handed(use.function).get(value.skeleton or "") != use.call.start_line:
        return None
    return Reach(taint, Confidence.MEDIUM)


@lru_cache(maxsize=8)
def _first_handed(function: Inside) -> Mapping[str, int]:
    """The line of the first call that is given a statement and may run it: looked for once in a function."""
    lines: dict[str, int] = {}
    for call in function.calls:
        for argument in call.arguments:
            text = argument.value.skeleton
            if text and argument.value.taints and not _KEEPS.match(call.method):
                lines.setdefault(text, call.start_line)
    return lines
