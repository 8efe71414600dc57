"""What a review produces: leads of the rules, findings, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import Side


@dataclass(frozen=True, slots=True)
class Step:
    """One place a value passes on its way from source to sink."""

    path: str
    line: int
    note: str


@dataclass(frozen=True, slots=True)
class Trace:
    """How an untrusted value gets from where it enters to where it does harm."""

    source: Step
    steps: tuple[Step, ...]
    sink: Step

    def all_steps(self) -> tuple[Step, ...]:
        """Source, steps and sink in the order the value travels."""
        return (self.source, *self.steps, self.sink)


class HitKind(StrEnum):
    """A FINDING of a rule stands by itself; a LEAD must be confirmed by the child that reviews the file."""

    FINDING = "finding"
    LEAD = "lead"


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule reports about one file.

    Lines are those of the unredacted text, which has the same lines and columns as the redacted
    one. ``title``, ``description`` and ``fix`` are prose without any secret value. ``cwe`` is a
    number. ``asks`` names callees whose body decides whether the value is made safe on the way:
    the child loads them before it confirms the lead; empty when the rule is sure by itself.
    ``guards`` are further lines (a deleted check, say) that make the hit belong to the change
    when they are changed lines.
    """

    rule_id: str
    kind: HitKind
    category: str
    cwe: int | None
    severity: Severity
    confidence: Confidence
    start_line: int
    end_line: int
    side: Side
    title: str
    description: str
    fix: str
    trace: Trace | None = None
    suggestion: str | None = None
    asks: tuple[str, ...] = ()
    guards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """A hit offered to the child under a short id (``L1``), with its evidence as the child sees it."""

    id: str
    hit: Hit
    evidence: str


class FindingSource(StrEnum):
    """Who found it."""

    MODEL = "model"
    RULE = "rule"


class FindingStatus(StrEnum):
    """Where a finding stands; the first that applies, in this order."""

    SUPPRESSED = "suppressed"
    UNANCHORED = "unanchored"
    BELOW_THRESHOLD = "below-threshold"
    DISPUTED = "disputed"
    OUTSIDE_DIFF = "outside-diff"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """One security problem, anchored to real code.

    ``evidence`` is the code it rests on, 1 to 10 redacted lines. ``cwe`` is a number or ``None``.
    ``suggestion`` replaces exactly ``start_line`` to ``end_line``. ``reason`` says why the status
    is what it is, empty for open findings. ``refuted_by_verifier`` is the one kind of dispute
    that cannot silence a high or critical finding.
    """

    fingerprint: str
    category: str
    cwe: int | None
    severity: Severity
    confidence: Confidence
    path: str
    start_line: int
    end_line: int
    side: Side
    symbol: str | None
    title: str
    description: str
    fix: str
    evidence: str
    source: FindingSource
    status: FindingStatus
    reason: str = ""
    suggestion: str | None = None
    trace: Trace | None = None
    rule_id: str | None = None
    refuted_by_verifier: bool = False
