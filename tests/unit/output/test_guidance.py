"""Every category has its guidance."""

from __future__ import annotations

from devpulse.core.categories import CATEGORIES
from devpulse.output.guidance import GUIDANCE, category_of, cwe_url, guidance_for


def test_guidance__covers_exactly_the_categories():
    assert GUIDANCE.keys() == CATEGORIES.keys()


def test_guidance_for__unknown_category_reads_as_other():
    assert guidance_for("made-up") == GUIDANCE["other"]
    assert category_of("made-up").name == "other"


def test_cwe_url__names_the_number():
    assert cwe_url(89) == "https://cwe.mitre.org/data/definitions/89.html"
