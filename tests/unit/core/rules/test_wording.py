from __future__ import annotations

import pytest
from tables import for_each

from devpulse.core.categories import CATEGORIES, Confidence
from devpulse.core.change import Side
from devpulse.core.finding import HitKind
from devpulse.core.rules.wording import Weakness, Wording, make_hit

WORDING = Wording("A title", "What happens.", "What to do.")


@for_each(CATEGORIES)
def test_make_hit__severity_and_number_are_those_of_the_category(category):
    hit = make_hit(Weakness(category), WORDING, (3, 5), Confidence.LOW)
    assert hit.severity is CATEGORIES[category].severity
    assert hit.cwe == next(iter(CATEGORIES[category].cwes), None)


def test_make_hit__says_what_it_is_given():
    hit = make_hit(Weakness("sql-injection", 943), WORDING, (3, 5), Confidence.MEDIUM, HitKind.FINDING)
    assert (hit.title, hit.description, hit.fix) == (WORDING.title, WORDING.description, WORDING.fix)
    assert (hit.start_line, hit.end_line, hit.side) == (3, 5, Side.RIGHT)
    assert (hit.cwe, hit.confidence, hit.kind) == (943, Confidence.MEDIUM, HitKind.FINDING)
    assert hit.rule_id == ""


def test_make_hit__is_a_lead_unless_told_otherwise():
    assert make_hit(Weakness("ssrf"), WORDING, (1, 1), Confidence.LOW).kind is HitKind.LEAD


def test_make_hit__of_no_category_there_is():
    with pytest.raises(KeyError):
        make_hit(Weakness("sqli"), WORDING, (1, 1), Confidence.LOW)
