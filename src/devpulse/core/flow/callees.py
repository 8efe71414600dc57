"""Whether a function that a value passes through makes it safe: asked of its body, once, where it can be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import Analysis
from devpulse.core.flow.resolution import find_callees
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import Ask, Level
from devpulse.core.languages import LANGUAGES, language_of
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver, Symbol

MAX_BODY = 20_000
"""Characters of a callee that are read; longer ones are left to the reviewer."""


class Verdict(Enum):
    """What a body does with its input."""

    CLEANS = "cleans"
    PASSES = "passes"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a called function does. ``names`` find the definitions that decide, when that is still open."""

    verdict: Verdict
    names: tuple[str, ...] = ()


Analyse = Callable[[str, str], Analysis]


def judge_callee(ask: Ask, purpose: Purpose, source: Source, resolver: Resolver, analyse: Analyse) -> Judgement:
    """What the function asked for does for a purpose, if every definition that may be meant says the same.

    OPEN when none can be read, when they disagree, or when there are more of them than are looked at.
    """
    if not ask.callee:  # an assertion, which no other text can tell more about
        return Judgement(Verdict.OPEN)
    callees = find_callees(ask.callee, source, resolver)
    verdicts = [_judge(symbol, ask, purpose, resolver, analyse) for symbol in callees.symbols]
    if callees.complete and len(set(verdicts)) == 1 and verdicts[0] is not Verdict.OPEN:
        return Judgement(verdicts[0])
    # A definition that cleans is not named: it is known already, and the doubt is about the others.
    doubtful = [
        symbol for symbol, verdict in zip(callees.symbols, verdicts, strict=True) if verdict is not Verdict.CLEANS
    ]
    return Judgement(Verdict.OPEN, tuple(callees.name_of(symbol) for symbol in doubtful) or (callees.name,))


def _judge(symbol: Symbol, ask: Ask, purpose: Purpose, resolver: Resolver, analyse: Analyse) -> Verdict:
    language, text = language_of(symbol.path), resolver.source(symbol)
    if language is None or text is None or len(text) > MAX_BODY or symbol.kind in ("class", "interface"):
        return Verdict.OPEN
    body = LANGUAGES[language].standalone(symbol.kind, text)
    return _judge_check(language, body, analyse) if ask.check else judge_body(language, body, purpose, analyse)


@lru_cache(maxsize=256)
def judge_body(language: str, text: str, purpose: Purpose, analyse: Analyse) -> Verdict:
    """What the first function of ``text`` does with its input for a purpose, as far as its own body tells."""
    analysis = analyse(language, text)
    if len(analysis.scopes) < 2:
        return Verdict.OPEN
    scope = analysis.scopes[1]
    returned = [taint for item in analysis.returns if item.scope is scope for taint in item.value.taints]
    enough = {purpose, Purpose.DOUBLED} if purpose is Purpose.SQL else {purpose}
    carried = [t for t in returned if t.origin.level >= Level.PARAMETER and enough.isdisjoint(t.cleaned)]
    if scope.checks:
        # It tests its input: whether well enough for this purpose is seen from what it still gives back.
        return Verdict.CLEANS if not carried else Verdict.OPEN
    if not carried:
        return Verdict.CLEANS if any(item.scope is scope for item in analysis.returns) else Verdict.OPEN
    return Verdict.OPEN if any(taint.asks for taint in carried) else Verdict.PASSES


@lru_cache(maxsize=256)
def _judge_check(language: str, text: str, analyse: Analyse) -> Verdict:
    """A function that is called for its verdict or its exception, not for a result that is used."""
    analysis = analyse(language, text)
    if len(analysis.scopes) < 2:
        return Verdict.OPEN
    scope = analysis.scopes[1]
    if scope.checks:
        return Verdict.CLEANS
    hands_on = any(call.scope is scope and not call.sets and decides(call.method) for call in analysis.calls)
    return Verdict.OPEN if hands_on else Verdict.PASSES
