"""Severities, confidences and categories."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import devpulse.core
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


def test_categories__list_every_number_that_a_rule_gives():
    """``other`` lists none: its first number would be that of whatever a model reports under it."""
    texts = [path.read_text(encoding="utf-8") for path in Path(devpulse.core.__file__).parent.rglob("*.py")]
    given = {found for text in texts for found in re.findall(r"Weakness\(\s*\"([a-z-]+)\",\s*(?:cwe=)?(\d+)", text)}
    assert ("path-traversal", "98") in given
    assert ("weak-authentication", "565") in given
    assert {(name, cwe) for name, cwe in given if name != "other" and int(cwe) not in CATEGORIES[name].cwes} == set()


def test_ranks__ascend_and_leave_zero_for_none():
    assert [level.rank for level in (Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)] == [1, 2, 3, 4]
    assert [level.rank for level in (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)] == [1, 2, 3]
