"""Severity, confidence and the table of finding categories with their CWE numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Severity(StrEnum):
    """How bad a finding is, apart from how sure it is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """1 (low) to 4 (critical); 0 is free for "none"."""
        return list(Severity).index(self) + 1


class Confidence(StrEnum):
    """How sure a finding is, apart from how bad it is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """1 (low) to 3 (high)."""
        return list(Confidence).index(self) + 1


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of weakness. ``cwes`` are the CWE numbers that its rules give, the usual one first (cwe.mitre.org)."""

    name: str
    cwes: tuple[int, ...]
    severity: Severity
    title: str
    owasp: str


def _table(*rows: Category) -> Mapping[str, Category]:
    return MappingProxyType({row.name: row for row in rows})


_INJECTION = "A03:2021 Injection"
_ACCESS = "A01:2021 Broken Access Control"
_CRYPTO = "A02:2021 Cryptographic Failures"
_AUTH = "A07:2021 Identification and Authentication Failures"
_INTEGRITY = "A08:2021 Software and Data Integrity Failures"
_MISCONFIGURATION = "A05:2021 Security Misconfiguration"

CATEGORIES = _table(
    Category("sql-injection", (89, 943), Severity.CRITICAL, "SQL injection", _INJECTION),
    Category("hardcoded-secret", (798, 321), Severity.CRITICAL, "Hard-coded secret", _AUTH),
    Category("command-injection", (78, 88), Severity.CRITICAL, "Command injection", _INJECTION),
    Category("code-injection", (94, 1336), Severity.CRITICAL, "Code injection", _INJECTION),
    Category("insecure-deserialization", (502,), Severity.CRITICAL, "Insecure deserialization", _INTEGRITY),
    Category("weak-authentication", (287, 565, 760, 916), Severity.HIGH, "Weak authentication", _AUTH),
    Category("broken-access-control", (862, 863), Severity.HIGH, "Broken access control", _ACCESS),
    Category("path-traversal", (22, 59, 98), Severity.HIGH, "Path traversal", _ACCESS),
    Category("ssrf", (918,), Severity.HIGH, "Server-side request forgery", "A10:2021 Server-Side Request Forgery"),
    Category("xml-external-entity", (611,), Severity.HIGH, "XML external entity", _MISCONFIGURATION),
    Category("cross-site-scripting", (79,), Severity.HIGH, "Cross-site scripting", _INJECTION),
    Category("open-redirect", (601,), Severity.MEDIUM, "Open redirect", _ACCESS),
    Category("weak-cryptography", (327, 295, 321, 326, 328, 329, 330), Severity.MEDIUM, "Weak cryptography", _CRYPTO),
    Category("ldap-injection", (90,), Severity.MEDIUM, "LDAP injection", _INJECTION),
    Category("xpath-injection", (643,), Severity.MEDIUM, "XPath injection", _INJECTION),
    Category("csrf", (352,), Severity.MEDIUM, "Cross-site request forgery", _ACCESS),
    Category("insecure-cookie", (614, 1004), Severity.MEDIUM, "Insecure cookie", _MISCONFIGURATION),
    Category("hidden-unicode", (1007,), Severity.MEDIUM, "Hidden characters in source", _INTEGRITY),
    Category("prompt-injection", (1427,), Severity.MEDIUM, "Prompt injection", _INJECTION),
    Category("other", (), Severity.LOW, "Other weakness", ""),
)
