from __future__ import annotations

from builders import make_hit

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Step, Trace
from devpulse.core.rules.changed_runs import runs_of, without_told
from devpulse.core.source import Source


def _source() -> Source:
    """Lines 2 became lines 2 and 3; line 4 is gone; line 6 became line 6."""
    before = Source("a.py", "python", "a\nold\nb\ngone\nc\nx\n", frozenset({2, 4, 6}))
    return Source("a.py", "python", "a\nnew\nnew2\nb\nc\ny\n", frozenset({2, 3, 6}), before=before)


def test_runs_of__what_stands_in_the_place_of_what() -> None:
    source = _source()
    assert source.before is not None
    found = [(run.removed, run.added) for run in runs_of(source, source.before)]
    assert found == [(((2, "old"),), ((2, "new"), (3, "new2"))), (((6, "x"),), ((6, "y"),))]


def test_without_told__what_another_hit_leads_through_is_told_once() -> None:
    first = make_hit(category="cross-site-scripting", side=Side.LEFT, start_line=2, end_line=2)
    last = make_hit(category="cross-site-scripting", side=Side.LEFT, start_line=6, end_line=6)
    way = Trace(Step("a.py", 3, ""), (), Step("a.py", 5, ""))
    other = make_hit(category="cross-site-scripting", start_line=5, end_line=5, trace=way)
    assert without_told([first, last], [other], _source()) == [last]
    assert without_told([first, last], [], _source()) == [first, last]


def test_without_told__another_category_or_a_doubt_tells_nothing() -> None:
    hit = make_hit(
        category="cross-site-scripting", side=Side.LEFT, start_line=2, end_line=2, confidence=Confidence.MEDIUM
    )
    others = [
        make_hit(category="sql-injection", start_line=2, end_line=2),
        make_hit(category="cross-site-scripting", start_line=2, end_line=2, confidence=Confidence.LOW),
        make_hit(category="cross-site-scripting", start_line=5, end_line=5),
    ]
    assert without_told([hit], others, _source()) == [hit]
    removed = make_hit(category="cross-site-scripting", side=Side.LEFT, start_line=1, end_line=2)
    assert without_told([hit], [removed], _source()) == []
