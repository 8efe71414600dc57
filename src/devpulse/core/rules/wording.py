"""What every rule needs to tell of a place: its words, its weakness and the hit made of both."""

from __future__ import annotations

from dataclasses import dataclass

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.finding import Hit, HitKind


@dataclass(frozen=True, slots=True)
class Wording:
    """What a rule says: a title, a description, a fix."""

    title: str
    description: str
    fix: str


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a rule finds; ``cwe`` and ``severity`` where they are not the category's usual ones."""

    category: str
    cwe: int | None = None
    severity: Severity | None = None


def make_hit(
    weakness: Weakness,
    wording: Wording,
    lines: tuple[int, int],
    confidence: Confidence,
    kind: HitKind = HitKind.LEAD,
) -> Hit:
    """A hit on the head side with the weakness's severity and CWE; ``Rule.run`` writes the rule's id into it."""
    category = CATEGORIES[weakness.category]
    return Hit(
        rule_id="",
        kind=kind,
        category=weakness.category,
        cwe=weakness.cwe or (category.cwes[0] if category.cwes else None),
        severity=weakness.severity or category.severity,
        confidence=confidence,
        start_line=lines[0],
        end_line=lines[1],
        side=Side.RIGHT,
        title=wording.title,
        description=wording.description,
        fix=wording.fix,
    )
