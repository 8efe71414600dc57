"""Addresses within the page: a finding's is its fingerprint."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devpulse.core.finding import Finding

_FINGERPRINT = re.compile(r"[0-9a-f]{8,64}")


def anchors_of(findings: Iterable[Finding]) -> list[str]:
    """An anchor for each finding, in order and each different: its fingerprint, or a number where that is none."""
    anchors: list[str] = []
    taken: set[str] = set()
    for number, finding in enumerate(findings, 1):
        known = _FINGERPRINT.fullmatch(finding.fingerprint) and finding.fingerprint not in taken
        anchor = finding.fingerprint if known else f"finding-{number}"
        taken.add(anchor)
        anchors.append(anchor)
    return anchors
