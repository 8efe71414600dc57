"""The one-line traces that histories keep of results saved elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from devpulse.core.finding import Finding
from devpulse.core.shown import show_path
from devpulse.core.verdict import overall_risk


def saved_reference(artifact: str, findings: Sequence[Finding]) -> str:
    """``[saved: findings/ab12.json] 3 findings, highest high``."""
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    return f"[saved: {artifact}] {count}, highest {overall_risk(findings)}"


def decision_line(path: str, level: str) -> str:
    """``DECISION: src/a.py -> high``: never summarised away."""
    return f"DECISION: {show_path(path)} -> {level}"
