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


UNSEEN = (
    "1 overlong line was cut",
    "12 overlong lines were cut",
    "only the hunks could be read, not the whole file",
    "part 1: 1 overlong line was cut; part 3: 2 overlong lines were cut (of 4)",
    "part 1: 1 overlong line was cut; part 2: 1 overlong line was cut and 3 more parts (of 5)",
)


@pytest.mark.parametrize("reason", UNSEEN)
def test_judged__a_file_that_no_arm_can_see_whole_is_no_failure(reason):
    assert set(failures(Partial(reason), Partial(reason), Partial(UNSEEN[0])).values()) == {""}


@pytest.mark.parametrize(
    "reason",
    [
        "step limit",
        "verification failed: context budget",
        "model failed: down",
        "verification failed: 1 overlong line was cut",
        "1 overlong line was cut; step limit",
        "part 1: 1 overlong line was cut; part 2: step limit (of 2)",
        "part 1: step limit; 1 overlong line was cut (of 2)",
    ],
)
def test_judged__work_that_both_arms_left_undone_is_a_failure_of_both(reason):
    found = failures(Partial(reason), Partial(reason), Partial(UNSEEN[0]))
    assert reason in found[BEFORE]
    assert reason in found[AFTER]


def test_judged__what_could_not_be_shown_is_only_excused_when_it_is_the_same():
    found = failures(Partial(UNSEEN[0]), Partial(UNSEEN[1]), Partial(UNSEEN[0]))
    assert all(found.values())


def test_judged__a_file_that_failed_in_both_arms_is_a_failure():
    assert failures(Failed("down"), Failed("down"))[BEFORE]


def test_judged__an_error_that_ended_an_arm_stays_its_failure():
    done = {name: DoneArm(make_arm(name, failure="wrong key"), None) for name in (BEFORE, AFTER)}
    assert judged(done, str)[BEFORE].failure == "wrong key"


def test_judged__names_three_files_and_counts_the_rest():
    rows = tuple(Coverage(f"f{n}.py", Failed("down"), 1, 0) for n in range(5))
    done = {name: DoneArm(make_arm(name), RunResult(make_report(coverage=rows), {}, {})) for name in (BEFORE, AFTER)}
    text = judged(done, str)[AFTER].failure
    assert text.startswith("5 files were not reviewed, or not wholly (f0.py: down; ")
    assert text.endswith("; and 2 more)")
