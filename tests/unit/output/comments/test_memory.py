"""What a summary remembers, and what that tells about a push."""

from __future__ import annotations

import pytest
from builders import make_finding, make_report

from devpulse.core.finding import FindingSource, FindingStatus
from devpulse.core.review import RULES_ONLY, Coverage, Partial, Reviewed
from devpulse.output.comments.marker import SUMMARY_HEADING, Memory, SummaryMark, read_summary_marker, summary_marker
from devpulse.output.comments.memory import MOST_REMEMBERED, changes_of, key_of, remembered

OLD, NEW = "a" * 40, "b" * 40
NONE = frozenset[str]()


def found(number, **overrides):
    values = {"fingerprint": f"{number:032x}", "source": FindingSource.RULE}
    return make_finding(**values | overrides)


def after(report, *found_before, head=NEW):
    first = remembered(make_report(*found_before), OLD, None, (), NONE)
    return remembered(report, head, SummaryMark(OLD, "d" * 32, memory=first), (), NONE)


def test_remembered__a_first_run_knows_no_changes():
    memory = remembered(make_report(found(1)), OLD, None, [found(1).fingerprint], NONE)
    assert memory.said == {key_of(found(1).fingerprint)}
    assert changes_of(make_report(found(1)), memory, NONE) is None


def test_changes_of__new_fixed_kept_and_set_aside():
    report = make_report(found(2), found(3), found(4, status=FindingStatus.SUPPRESSED))
    changes = changes_of(report, after(report, found(1), found(2), found(4)), NONE)
    assert changes is not None
    assert changes.line == f"Since {OLD[:12]}: 1 new, 1 fixed, 1 still there, 1 set aside."


def test_changes_of__silence_where_nobody_looked_is_no_fix():
    report = make_report(coverage=(Coverage("app/db.py", Partial("token budget"), 1, 1),))
    memory = after(report, found(1))
    changes = changes_of(report, memory, NONE)
    assert changes is not None
    assert (changes.fixed, changes.unseen, len(memory.now or ())) == (0, 1, 1)
    offline = make_report(coverage=(Coverage("app/db.py", Reviewed(), 1, 1),))
    changes = changes_of(offline, after(offline, found(1)), NONE)
    assert changes is not None
    assert changes.fixed == 1
    by_model = after(offline, found(1, source=FindingSource.MODEL))
    changes = changes_of(offline, by_model, NONE)
    assert changes is not None
    assert changes.fixed == 0


@pytest.mark.parametrize(
    ("source", "reason", "fixed"),
    [
        (FindingSource.RULE, RULES_ONLY, 1),
        (FindingSource.MODEL, RULES_ONLY, 0),
        (FindingSource.RULE, f"{RULES_ONLY}; context budget", 0),
    ],
)
def test_changes_of__rules_alone_tell_what_rules_found(source, reason, fixed):
    report = make_report(coverage=(Coverage("app/db.py", Partial(reason), 1, 1),), engine="gemini")
    changes = changes_of(report, after(report, found(1, source=source)), NONE)
    assert changes is not None
    assert (changes.fixed, changes.unseen) == (fixed, 1 - fixed)


def test_remembered__the_same_commit_again_keeps_the_comparison():
    report = make_report(found(2))
    memory = after(report, found(1))
    assert remembered(report, NEW, SummaryMark(NEW, "d" * 32, memory=memory), (), NONE) == memory


def test_remembered__too_many_are_not_compared():
    many = make_report(*(found(number) for number in range(MOST_REMEMBERED + 1)))
    assert after(many).now is None


def test_summary_marker__carries_the_memory():
    mark = SummaryMark(NEW, "d" * 32, NONE, Memory(frozenset({"ab" * 6}), NONE, frozenset({"c" * 19}), OLD))
    assert read_summary_marker(f"{SUMMARY_HEADING}\n\n{summary_marker(mark)}") == mark
