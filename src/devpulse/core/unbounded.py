"""Budgets without the rules that keep a context small: what a comparison measures those rules against."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.budget import ContextBudget

_NO_LIMIT = 1_000_000_000
"""Tokens; above any file that is reviewed."""


@dataclass(frozen=True, slots=True)
class UnboundedBudget(ContextBudget):
    """Plans like any other, but never has a history summed up and never refuses a request.

    It learns nothing: what is sent may hold more than what its estimates are about.
    """

    learns: bool = False

    def should_compress(self, history_tokens: int) -> bool:  # noqa: ARG002  (the signature of the rule it lifts)
        """Never."""
        return False

    def should_abort(self, request_tokens: int) -> bool:  # noqa: ARG002  (as above)
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class WholeFileBudget(UnboundedBudget):
    """Plans every file as one task, however large."""

    @property
    def planned_content(self) -> int:
        """More than any file takes."""
        return _NO_LIMIT
