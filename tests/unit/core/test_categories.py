"""Severities, confidences and categories."""

from __future__ import annotations

import pytest

from devpulse.core.categories import CATEGORIES, Confidence, Severity

TABLE = {
    Severity.CRITICAL: {
        "sql-injection": 89, "hardcoded-secret": 798, "command-injection": 78, "code-injection": 94,
        "insecure-deserialization": 502,
    },
    Severity.HIGH: {
        "weak-authentication": 287, "broken-access-control": 862, "path-traversal": 22, "ssrf": 918,
        "xml-external-entity": 611, "cross-site-scripting": 79,
    },
    Severity.MEDIUM: {
        "open-redirect": 601, "weak-cryptography": 327, "ldap-injection": 90, "xpath-injection": 643, "csrf": 352,
        "insecure-cookie": 614, "hidden-unicode": 1007, "prompt-injection": 1427,
    },
}  # fmt: skip


@pytest.mark.parametrize("level", TABLE)
def test_categories__default_severity_and_usual_cwe(level):
    found = {name: row.cwes[0] for name, row in CATEGORIES.items() if row.severity is level}
    assert found == TABLE[level]


def test_categories__the_rest_is_other():
    low = [row for row in CATEGORIES.values() if row.severity is Severity.LOW]
    assert [(row.name, row.cwes) for row in low] == [("other", ())]


def test_categories__key_is_the_name_and_titles_are_there():
    assert all(name == row.name and row.title for name, row in CATEGORIES.items())


def test_ranks__ascend_and_leave_zero_for_none():
    assert [level.rank for level in (Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)] == [1, 2, 3, 4]
    assert [level.rank for level in (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)] == [1, 2, 3]
