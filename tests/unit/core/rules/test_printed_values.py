"""Values that PHP prints; server pages and shortcodes are in the tables of cross-site scripting."""

from __future__ import annotations

import pytest
from rule_tables import run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE


@pytest.mark.parametrize(
    ("printed", "confidence"),
    [
        ("$_GET['q']", [Confidence.HIGH]),
        ("trim($_GET['q'])", [Confidence.HIGH]),
        ("label_of($_GET['q'])", [Confidence.LOW]),
        ("htmlspecialchars($_GET['q'])", []),
        ("(int) $_GET['q']", []),
        ("'constant'", []),
    ],
)
def test_of_php__as_sure_as_the_functions_on_the_way_hand_it_on(printed, confidence):
    hits = run(RULE, f"<?php\necho {printed};\n", path="page.php")

    assert [hit.confidence for hit in hits] == confidence
