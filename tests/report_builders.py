"""Findings and reports for the renderers' tests: good defaults, keyword overrides."""

from __future__ import annotations

from typing import Any

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import PullRequest, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Report, Reviewed


def make_finding(**overrides: Any) -> Finding:
    """An open SQL injection at app/db.py:4, of any category, known or not."""
    fields: dict[str, Any] = {
        "fingerprint": "0123456789abcdef",
        "category": "sql-injection",
        "cwe": 89,
        "severity": Severity.HIGH,
        "confidence": Confidence.HIGH,
        "path": "app/db.py",
        "start_line": 4,
        "end_line": 4,
        "side": Side.RIGHT,
        "symbol": "find_user",
        "title": "SQL built from a request parameter",
        "description": "The name of the caller is joined into the statement.",
        "fix": "Pass the name as a bound parameter.",
        "evidence": "    cursor.execute(sql + name)",
        "source": FindingSource.MODEL,
        "status": FindingStatus.OPEN,
    }
    return Finding(**fields | overrides)


def make_report(*findings: Finding, **overrides: Any) -> Report:
    """A complete run of one reviewed file by the offline engine."""
    fields: dict[str, Any] = {
        "pull_request": PullRequest("a" * 40, "b" * 40, "octo/shop", 17),
        "engine": "offline",
        "model": None,
        "risk": max((f.severity for f in findings), key=lambda severity: severity.rank, default="none"),
        "summary": "",
        "coverage": (Coverage("app/db.py", Reviewed(), 1, 900),),
        "findings": findings,
        "usage": Usage(),
        "context_tokens": 900,
        "rung": "local git",
        "rung_reason": "base and head objects are both here",
        "incomplete": False,
    }
    return Report(**fields | overrides)
