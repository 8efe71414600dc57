"""One walk over a file: what flows into which call, without recursion and in time linear in the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.flow.calls import Cleaning
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.go import GoAdapter
from devpulse.core.flow.java import JavaAdapter
from devpulse.core.flow.javascript import JavascriptAdapter
from devpulse.core.flow.operations import Adapter
from devpulse.core.flow.php import PhpAdapter
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.flow.records import Analysis, CallRecord, Site
from devpulse.core.flow.values import Value
from devpulse.core.flow.walking import Walk
from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.syntax import parse

ADAPTERS: dict[str, Adapter] = {  # optional: a language may have definitions and no data flow
    "python": PythonAdapter(),
    "javascript": JavascriptAdapter(),
    "typescript": JavascriptAdapter(),
    "tsx": JavascriptAdapter(),
    "java": JavaAdapter(),
    "go": GoAdapter(),
    "php": PhpAdapter(),
}

__all__ = ["ADAPTERS", "Analysis", "CallRecord", "Called", "analyse", "analyse_call"]


@lru_cache(maxsize=32)
def analyse(language: str, text: str) -> Analysis:
    """The calls and returns of a text with their values; nothing for a language without an adapter."""
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return Analysis()
    return Walk(adapter, _cleaning(language, text), parse(language, text).root_node).run()


@dataclass(frozen=True, slots=True)
class Called:
    """What a call of a function in another text comes to: what it gives back, which calls in it the arguments reach.

    ``tested``: it looks at its input in a way that may decide. ``returns`` is false when it never comes back.
    """

    value: Value
    calls: tuple[CallRecord, ...]
    tested: bool
    returns: bool


def analyse_call(
    language: str, body: str, callee: str, given: tuple[Passed, ...], *, receiver: Value | None = None, line: int = 0
) -> Called | None:
    """The first function of ``body`` evaluated for one call of it; ``None`` when there is none, or it is too much.

    Lines in what comes back are that of the call (``line``), since those of the body are of another file. Memoised.
    """
    return _analyse_call(language, body, callee, given, receiver, line)


@lru_cache(maxsize=256)
def _analyse_call(
    language: str, body: str, callee: str, given: tuple[Passed, ...], receiver: Value | None, line: int
) -> Called | None:
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return None
    walk = Walk(adapter, _cleaning(language, body), parse(language, body).root_node)
    outcome = walk.call_first(Site(callee, line), given, receiver)
    if outcome is None:
        return None
    return Called(outcome.value, tuple(record for _, record in outcome.records), outcome.tested, outcome.returns)


def _cleaning(language: str, text: str) -> Cleaning:
    """What the result of a callee in a text is safe for."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return lambda _: frozenset()
    return lambda callee: knowledge.purposes_of(callee, imported_callee(language, text, callee))
