"""What an arm left undone."""

from __future__ import annotations

import pytest
from builders import make_report
from comparisons import make_arm

from devpulse.core.comparison import AFTER, BEFORE
from devpulse.core.review import Coverage, Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.unfinished import DoneArm, judged


def failures(before, after, third=None):
    outcomes = {BEFORE: before, AFTER: after, "third": third or Reviewed()}
    done = {
        name: DoneArm(
            make_arm(name), RunResult(make_report(coverage=(Coverage("a.py", outcome, 1, 9),)), {}, {})
        )
        for name, outcome in outcomes.items()
    }  # fmt: skip
    return {name: arm.failure for name, arm in judged(done, lambda text: text.replace("key", "***")).items()}


@pytest.mark.parametrize("outcome", [Reviewed(), Skipped("deleted")])
def test_judged__an_arm_that_did_everything_did_not_fail(outcome):
    assert failures(outcome, outcome) == {BEFORE: "", AFTER: "", "third": ""}


@pytest.mark.parametrize("outcome", [Failed("the key"), Partial("the key"), Skipped("the key", SkipKind.LIMIT)])
def test_judged__what_one_arm_alone_left_undone_is_its_failure_and_masked(outcome):
    found = failures(outcome, Reviewed())
    assert found[BEFORE] == "1 file was not reviewed, or not wholly (a.py: the ***)"
    assert found[AFTER] == found["third"] == ""
    assert failures(Reviewed(), Reviewed(), outcome)["third"]


def test_judged__a_file_that_no_arm_can_see_whole_is_no_failure():
    assert set(failures(Partial("1 overlong line was cut"), Partial("1 overlong line was cut")).values()) == {""}
    assert failures(Failed("down"), Failed("down"))[BEFORE], "but one that failed in both is"


def test_judged__an_error_that_ended_an_arm_stays_its_failure():
    done = {name: DoneArm(make_arm(name, failure="wrong key"), None) for name in (BEFORE, AFTER)}
    assert judged(done, str)[BEFORE].failure == "wrong key"


def test_judged__names_three_files_and_counts_the_rest():
    rows = tuple(Coverage(f"f{n}.py", Failed("down"), 1, 0) for n in range(5))
    done = {name: DoneArm(make_arm(name), RunResult(make_report(coverage=rows), {}, {})) for name in (BEFORE, AFTER)}
    text = judged(done, str)[AFTER].failure
    assert text.startswith("5 files were not reviewed, or not wholly (f0.py: down; ")
    assert text.endswith("; and 2 more)")
