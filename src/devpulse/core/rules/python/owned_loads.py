"""Objects that a Python view loads by an id, and whether it looks only among those of who is calling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.rules.access import Guard, Load

_MODEL = r"([A-Z]\w{0,60})"
_LOADS = re.compile(
    rf"\b(?:get_object_or_404|get_list_or_404)\(\s*{_MODEL}\s*,|"
    rf"\b{_MODEL}\.objects\.(?:get|filter)\(|"
    rf"\b{_MODEL}\.query\.(?:get|get_or_404|filter_by|filter)\(|"
    rf"\bsession\.get\(\s*{_MODEL}\s*,"
)
_BY_ID = re.compile(r"(?:^|[(,\s])(?:(?:pk|id|uuid|slug)\s*=\s*)?\w*(?:id|pk|uuid|slug)\b", re.IGNORECASE)
_CALLER = re.compile(
    r"\b(?:current_user|request\.user|self\.request\.user|g\.user|current_user_id|request\.user_id)\b|"
    r"\b(?:owner|owner_id|user|user_id|author|author_id|created_by|account|account_id|tenant|tenant_id)\s*=(?!=)"
)
_ASKS = re.compile(
    r"(?i)current_user|request\.user|\bg\.user|session\b[\[.]|owner|author|perm|\bcan_\w|is_(?:staff|admin|superuser)|"
    r"authori[sz]e|forbidden|check_\w|\bacl\b|\b40[13]\b|tenant|belongs"
)
_ROLE = re.compile(r"(?i)admin|staff|superuser|perm|role|owner|moderator|editor|scope")
MAX_BODY = 20_000
"""Characters of a view that are looked at."""


def loads_of(function: Node, guards: Sequence[Guard]) -> tuple[Load, ...]:
    """The objects that a view loads by an id; none where it asks for more than that somebody is logged in."""
    body = function.child_by_field_name("body")
    text = node_text(body)[:MAX_BODY]
    if body is None or ("get" not in text and "filter" not in text):
        return ()
    found = tuple(_loads_in(text, line_of(body)))
    if any(load.tied for load in found):
        return found
    asks = _ASKS.search(text) is not None or any(_ROLE.search(guard.text) for guard in guards)
    return () if asks else found


def _loads_in(text: str, first_line: int) -> Iterator[Load]:
    for match in _LOADS.finditer(text):
        arguments = text[match.end() : match.end() + 200].partition("\n\n")[0]
        given = arguments.partition(")")[0]
        line = first_line + text.count("\n", 0, match.start())
        model = next(name for name in match.groups() if name)
        tied = _CALLER.search(given) is not None
        if tied or _BY_ID.search(given):
            yield Load(model, line, line, tied)
