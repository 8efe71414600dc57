"""Addresses within the page."""

from __future__ import annotations

from builders import make_finding

from devpulse.output.report.anchors import anchors_of


def test_anchors_of__fingerprints_where_they_are_some_and_new():
    given = ["a" * 16, "a" * 16, 'x" onload="', "coverage"]
    found = anchors_of(make_finding(fingerprint=one) for one in given)
    assert found == ["a" * 16, "finding-2", "finding-3", "finding-4"]
