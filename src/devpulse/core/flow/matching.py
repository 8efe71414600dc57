"""What is taken out of a text by an expression: it has no other characters than the expression lets through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.patterns import shape_of
from devpulse.core.flow.replacing import safe_purposes
from devpulse.core.flow.values import Value, cleaned

MATCHING = frozenset({"search", "match", "fullmatch", "findall", "finditer"})
"""Functions of Python's ``re``, and methods of what it compiles, that give what of a text matches. Objects of other
kinds have methods of the same names."""

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
    """The constant expression of ``re.search(p, x)`` and of ``p.search(x)`` where ``p`` was compiled."""
    if receiver is not None and receiver.role == "pattern":
        return receiver.skeleton
    first = arguments[0].value if arguments and callee.startswith(_MODULES) else None
    return first.skeleton if first is not None and not first.taints else None
