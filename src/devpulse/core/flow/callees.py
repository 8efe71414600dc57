"""Whether a function that a value passes through makes it safe: asked of its body, once, where it can be found."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from enum import Enum
from functools import lru_cache

from devpulse.core.flow.records import Analysis
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import Ask, Level
from devpulse.core.languages import language_of
from devpulse.core.symbols import Resolver, Symbol

MAX_BODY = 20_000
"""Characters of a callee that are read; longer ones are left to the reviewer."""


class Verdict(Enum):
    """What a body does with its input."""

    CLEANS = "cleans"
    PASSES = "passes"
    OPEN = "open"


Analyse = Callable[[str, str], Analysis]


def judge_callee(ask: Ask, purpose: str, path: str, resolver: Resolver, analyse: Analyse) -> Verdict:
    """What the function asked for does for a purpose (``path``, ``sql``); OPEN when it cannot be read or told."""
    found = resolver.definitions(ask.name, near=path, limit=1)
    if not found.rows:
        return Verdict.OPEN
    symbol = found.rows[0]
    language, text = language_of(symbol.path), resolver.source(symbol)
    if language is None or text is None or len(text) > MAX_BODY or symbol.kind in ("class", "interface"):
        return Verdict.OPEN
    body = _alone(symbol, language, text)
    return _judge_check(language, body, analyse) if ask.check else judge_body(language, body, purpose, analyse)


def _alone(symbol: Symbol, language: str, text: str) -> str:
    """The text such that it parses by itself."""
    if language != "python" and symbol.kind == "method":
        return f"class Of {{\n{text}\n}}"
    if text.startswith("@"):  # the span begins at the decorator's column, what follows is still indented
        first, _, rest = text.partition("\n")
        return f"{first}\n{textwrap.dedent(rest)}"
    return textwrap.dedent(text)


@lru_cache(maxsize=256)
def judge_body(language: str, text: str, purpose: str, analyse: Analyse) -> Verdict:
    """What the first function of ``text`` does with its input for a purpose, as far as its own body tells."""
    analysis = analyse(language, text)
    if len(analysis.scopes) < 2:
        return Verdict.OPEN
    scope = analysis.scopes[1]
    returned = [taint for item in analysis.returns if item.scope is scope for taint in item.value.taints]
    carried = [taint for taint in returned if taint.origin.level >= Level.PARAMETER and purpose not in taint.cleaned]
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
    hands_on = any(call.scope is scope and decides(call.method) for call in analysis.calls)
    return Verdict.OPEN if hands_on else Verdict.PASSES
