"""SARIF rules: one for each category that has results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devpulse.core.categories import Severity
from devpulse.core.finding import Finding
from devpulse.output.guidance import category_of, cwe_url, guidance_for

MAX_TAGS = 20
"""GitHub's limit of tags for a rule."""

_LEVELS = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}

# GitHub reads over 9.0 as critical, 7.0 to 8.9 as high, 4.0 to 6.9 as medium, below as low
# (its page "SARIF support for code scanning").
_SCORES = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "2.5"}


def level(severity: Severity) -> str:
    """The SARIF level of a severity."""
    return _LEVELS[severity]


def rule(name: str, findings: Sequence[Finding]) -> dict[str, Any]:
    """The rule of a category, given its findings (at least one).

    GitHub takes severity and precision from the rule alone, so the rule carries those of its worst
    and of its surest finding.
    """
    worst = max((finding.severity for finding in findings), key=lambda severity: severity.rank)
    surest = max((finding.confidence for finding in findings), key=lambda confidence: confidence.rank)
    guidance = guidance_for(name)
    cwes = _cwes(name, findings)
    described: dict[str, Any] = {
        "id": name,
        "name": "".join(word.capitalize() for word in name.split("-")),
        "shortDescription": {"text": category_of(name).title},
        "fullDescription": {"text": guidance.problem},
        "help": _help(name, cwes),
        "defaultConfiguration": {"level": level(worst)},
        "properties": {
            "tags": _tags(name, cwes),
            "precision": str(surest),
            "problem.severity": {"error": "error", "warning": "warning", "note": "recommendation"}[level(worst)],
            "security-severity": _SCORES[worst],
        },
    }
    if cwes:
        described["helpUri"] = cwe_url(cwes[0])
    return described


def _cwes(name: str, findings: Sequence[Finding]) -> list[int]:
    found = sorted({finding.cwe for finding in findings if finding.cwe is not None})
    return list(dict.fromkeys([*category_of(name).cwes, *found]))


def _help(name: str, cwes: Sequence[int]) -> dict[str, str]:
    guidance = guidance_for(name)
    links = ", ".join(f"[CWE-{number}]({cwe_url(number)})" for number in cwes)
    plain = f"{guidance.problem}\n\nHow to fix: {guidance.remedy}"
    more = f"\n\nMore: {links}" if links else ""
    return {"text": plain, "markdown": f"{guidance.problem}\n\n**How to fix:** {guidance.remedy}{more}"}


def _tags(name: str, cwes: Sequence[int]) -> list[str]:
    owasp = category_of(name).owasp.partition(" ")[0].lower().replace(":", "-")
    tags = ["security", *(f"external/cwe/cwe-{number:03d}" for number in cwes)]
    if owasp:
        tags.insert(1, f"external/owasp/owasp-{owasp}")
    return tags[:MAX_TAGS]
