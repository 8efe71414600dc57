"""A plan over several machines."""

from __future__ import annotations

from dataclasses import replace

from builders import make_change, make_hunk
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.change import ChangeSet, FileKind, PullRequest
from devpulse.core.sharding import Shard
from devpulse.pipeline.plan import PathFilter, Plan, make_plan
from devpulse.pipeline.shards import change_digest, loads_of, matrix_of, only_planned, shards_of, share_of

BIG = make_change("big.py", "".join(f"+line {number} of a long file\n" for number in range(400)))
SMALL = tuple(make_change(f"small{number}.py") for number in range(6))
LOGO = make_change("logo.png", kind=FileKind.BINARY)
FILES = (BIG, *SMALL, LOGO)
PULL = PullRequest("a" * 40, "b" * 40)


def change_set(*files, pull=PULL):
    return ChangeSet(pull, files or FILES, "local git", "")


def plan_of(*files, share=1_000) -> Plan:
    return make_plan(files or FILES, share, PathFilter())


@given(st.integers(1, 9))
def test_share_of__every_task_in_exactly_one_shard_and_nothing_skipped(count):
    plan = plan_of()
    shares = [share_of(plan, Shard(number, count)) for number in range(1, count + 1)]
    assert sorted(task.id for share in shares for task in share.tasks) == sorted(task.id for task in plan.tasks)
    assert all(share.skipped == () for share in shares)


def test_share_of__the_parts_of_a_file_stay_together():
    plan = plan_of()
    parts = [task for task in plan.tasks if task.change is BIG]
    assert len(parts) > 2
    placed = shards_of(plan, 4)
    (share,) = [share_of(plan, Shard(n, 4)) for n in range(1, 5) if n == placed["big.py"]]
    assert [task for task in share.tasks if task.change is BIG] == parts
    assert len(share.tasks) == len(parts), "the large file is a share of its own"


def test_only_planned__the_files_of_a_share():
    share = share_of(plan_of(), Shard(2, 4))
    due = only_planned(change_set(), share)
    assert {change.path for change in due.files} == {task.change.path for task in share.tasks}
    assert due.pull_request == PULL


def test_matrix_of__only_shards_with_work():
    plan = plan_of(*SMALL[:2])
    loads = loads_of(plan.tasks, shards_of(plan, 8), 8)
    assert [load.tasks for load in loads] == [1, 1]
    assert matrix_of(loads) == {"include": [{"shard": "1/8", "number": 1}, {"shard": "2/8", "number": 2}]}
    assert matrix_of(loads_of((), {}, 8)) == {"include": []}


def test_change_digest__says_the_same_of_the_same_only():
    whole = change_digest(change_set(), plan_of())
    assert whole == change_digest(change_set(), plan_of())
    moved = replace(PULL, head_sha="c" * 40)
    rebased = replace(PULL, base_sha="c" * 40)
    other = make_change("small0.py", "+another line\n")
    assert len({
        whole,
        change_digest(change_set(pull=moved), plan_of()),
        change_digest(change_set(pull=rebased), plan_of()),
        change_digest(change_set(pull=None), plan_of()),
        change_digest(change_set(), plan_of(share=500)),
        change_digest(change_set(BIG, other, *SMALL[1:], LOGO), plan_of(BIG, other, *SMALL[1:], LOGO)),
    }) == 6  # fmt: skip


def test_change_digest__content_counts_by_its_objects_where_they_are_known():
    def digest(blob):
        change = make_change("a.py", hunks=[make_hunk()], blobs=("1" * 40, blob))
        return change_digest(change_set(change, pull=None), plan_of(change))

    assert digest("2" * 40) == digest("2" * 40) != digest("3" * 40)
