"""Which sinks a text may call, by the calls that are written in it: cheap, and asked before it is parsed.

In Python a sink is told by what stands before the bracket of a call, and that is read here as the syntax tree would
give it, or as something that more sinks match. Comments and strings are read too, which only asks for more. Other
languages call in more ways, so there a word of a sink anywhere is enough.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.knowledge.model import words_of

_CALL = re.compile(r"(\.[\s\\]+)?(?<![\w.])([\w.]++)(?:[\s\\]++|#[^\n]*+)*+\(")
_OF_TABLE = re.compile(r"([\w.]++)\[\s*[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"']\s*\]\s*\(")
"""A function taken out of a table by its dotted name: ``__salt__["cmd.run"](…)`` is the callee ``__salt__.cmd.run``."""

_ROUTE = re.compile(r"(?m)^[ \t]*@[ \t]*(?:[\w.]++[\s\\]*+\(|[\w.]*expose)")
"""A decorator that may say what the function under it answers: one with arguments, and ``@expose``."""

_LONGEST_CHAIN = 100
"""Characters; of longer chains the syntax tree may give only the last name."""


@lru_cache(maxsize=8)
def sinks_written(language: str, text: str) -> frozenset[tuple[str, str]]:
    """Category and kind of each sink that a text may call; none for a language of which nothing is known."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return frozenset()
    if language != "python":
        return knowledge.mentions(text)
    found = set(knowledge.setters.mentions(text))
    if _ROUTE.search(text):
        found |= knowledge.answers.mentions(text)
    written = words_of(text)
    for callee in callees_of(text):
        for sink in knowledge.every_sink_of(callee, imported_callee(language, text, callee)):
            if all(condition.keyword in written for condition in sink.needs):
                found.add((sink.category, sink.kind))
    return frozenset(found)


def callees_of(text: str) -> frozenset[str]:
    """What is called in a Python text: a dotted chain of names, or the last name with a dot where it hangs on more."""
    found = {f"{table}.{name}" for table, name in _OF_TABLE.findall(text)}
    for apart, chain in _CALL.findall(text):
        last = chain.rpartition(".")[2]
        hangs = bool(apart) or chain.startswith(".") or len(chain) > _LONGEST_CHAIN
        found.add(f".{last}" if hangs else chain)
        if len(chain) > _LONGEST_CHAIN:
            found.add(chain)
    return frozenset(found)
