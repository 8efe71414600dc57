"""What is taken out of a text by an expression: it has no other characters than the expression lets through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.patterns import shape_of
from devpulse.core.flow.replacing import safe_purposes
from devpulse.core.flow.values import Value, cleaned

MATCHING = frozenset({"search", "match", "fullmatch", "findall", "finditer", "exec"})
"""Functions and methods that give what of a text matches: of Python's ``re``, and of Javascript."""

_MODULES = ("re.", "regex.")


def matched(value: Value, callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """The result ``value`` of a call of one of ``MATCHING`` with what the expression keeps out taken into account.

    The whole match counts, so that it is no matter which of its groups is read.
    """
    pattern = _pattern(callee, receiver, arguments)
    specials = None if pattern is None else shape_of(pattern, anchored=(True, True)).specials
    if specials is None:
        return value
    if specials <= {"-"}:
        return replace(value, taints=())
    for purpose in safe_purposes(specials):
        value = cleaned(value, purpose)
    return value


def _pattern(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> str | None:
    """The constant expression of ``re.search(p, x)``, ``p.search(x)``, ``p.exec(x)``, ``x.match(p)``."""
    if receiver is not None and not receiver.taints and receiver.skeleton is not None:
        return receiver.skeleton
    first = arguments[0].value if arguments else None
    if first is None or first.taints or first.skeleton is None:
        return None
    return first.skeleton if receiver is None or receiver.taints or callee.startswith(_MODULES) else None
