"""The identity of a finding: stable when lines shift, prose is reworded or the file is renamed."""

from __future__ import annotations

import hashlib
import json

from devpulse.core.anchor import evidence_lines


def fingerprint(category: str, path: str, symbol: str | None, evidence: str, occurrence: int) -> str:
    """32 hex digits over category, path, enclosing symbol, normalised redacted evidence and occurrence.

    ``path`` is the base path of a renamed file, so that a rename keeps the value. ``occurrence``
    counts equal evidence within the symbol from 1. No prose and no line number go in.
    """
    parts = [category, path, symbol or "", *evidence_lines(evidence), str(occurrence)]
    # JSON keeps the parts apart whatever they hold: a file name may contain any separator.
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
