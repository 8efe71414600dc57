"""The plan."""

from __future__ import annotations

import json
import re

import pytest
from builders import make_change, make_hunk
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.change import FileKind, FileStatus
from devpulse.core.content import blob_id
from devpulse.core.prompt import digest
from devpulse.core.review import Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.output.paths import display_path, path_from_display
from devpulse.pipeline.gate import MAX_LINE_NUMBER
from devpulse.pipeline.plan import MAX_CHANGE_CHARACTERS, PathFilter, make_plan, plan_json, skip_reason, status_of

EVERYTHING = PathFilter()
SHARE = 14_400
EMPTY = blob_id(b"")
ODD = ['quo"te.py', "new\nline.py", "caf\udce9.py", "back\\slash.py", "日本.py", "-rf", "...", "a b.py", "\u202ex.py"]


def _ids(*paths):
    return [task.id for task in make_plan([make_change(path) for path in paths], SHARE, EVERYTHING).tasks]


def test_make_plan__one_task_a_file_in_order_and_a_reason_for_the_others():
    changes = [make_change("b.py"), make_change("logo.png", kind=FileKind.BINARY), make_change("a.py")]
    plan = make_plan(changes, SHARE, EVERYTHING)
    assert [(task.change.path, task.part, task.parts, task.review_type) for task in plan.tasks] == [
        ("b.py", 1, 1, "security"),
        ("a.py", 1, 1, "security"),
    ]
    assert [(change.path, reason) for change, reason in plan.skipped] == [("logo.png", Skipped("binary"))]


def test_make_plan__oversized_file_becomes_parts_that_fit():
    change = make_change(hunks=[make_hunk("".join(f"+{'x' * 100}\n" for _ in range(2_000)))])
    plan = make_plan([change], SHARE, EVERYTHING)
    parts = len(plan.tasks)
    assert parts > 2
    assert [(task.part, task.parts) for task in plan.tasks] == [(n, parts) for n in range(1, parts + 1)]
    assert all(task.content_tokens <= SHARE for task in plan.tasks)
    assert len({task.id for task in plan.tasks}) == parts
    assert plan.tasks[0].id.endswith(f"-part1of{parts}")
    assert [line for task in plan.tasks for hunk in task.hunks for line in hunk.lines] == list(change.hunks[0].lines)


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        ((), (), ["src/a.py", "src/a_test.py", "docs/x.md"]),
        (("src/",), (), ["src/a.py", "src/a_test.py"]),
        (("*.py",), ("*_test.py",), ["src/a.py"]),
        ((), ("docs/**", "!docs/x.md"), ["src/a.py", "src/a_test.py", "docs/x.md"]),
        (("nothing",), (), []),
    ],
)
def test_make_plan__include_and_exclude(include, exclude, kept):
    changes = [make_change(path) for path in ("src/a.py", "src/a_test.py", "docs/x.md")]
    plan = make_plan(changes, SHARE, PathFilter(include, exclude))
    assert [task.change.path for task in plan.tasks] == kept
    assert all(reason == Skipped("excluded") for _, reason in plan.skipped)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (make_change(), None),
        (make_change(status=FileStatus.DELETED), None),
        (make_change(kind=FileKind.SYMLINK), Skipped("symlink")),
        (make_change(kind=FileKind.SUBMODULE), Skipped("submodule")),
        (make_change(hunks=[], status=FileStatus.RENAMED, previous="x"), Skipped("renamed without a change")),
        (make_change(hunks=[], status=FileStatus.COPIED, previous="x"), Skipped("copied without a change")),
        (make_change(hunks=[], modes=("100644", "100755")), Skipped("mode change only")),
        (make_change(hunks=[], modes=("100644", "100755"), blobs=("aa", "aa")), Skipped("mode change only")),
        (make_change(hunks=[], status=FileStatus.ADDED, blobs=(None, EMPTY)), Skipped("empty")),
        (make_change(hunks=[], status=FileStatus.ADDED, blobs=(None, EMPTY[:7])), Skipped("empty")),
        (make_change(hunks=[], status=FileStatus.ADDED, blobs=(None, blob_id(b"", "sha256"))), Skipped("empty")),
        (make_change(hunks=[]), Skipped("empty")),
        (make_change(hunks=[], status=FileStatus.DELETED), Skipped("deleted")),
    ],
)
def test_skip_reason__policy_skips_are_named(change, reason):
    assert skip_reason(change) == reason


@pytest.mark.parametrize(
    "change",
    [
        make_change(hunks=[], status=FileStatus.ADDED, blobs=(None, "ab" * 20)),
        make_change(hunks=[], status=FileStatus.ADDED),
        make_change(hunks=[], blobs=("aa", "bb")),
        make_change(hunks=[], blobs=("aa", "bb"), modes=("100644", "100755")),
        make_change(hunks=[], status=FileStatus.RENAMED, previous="x", blobs=("aa", "bb")),
        make_change(drawing=f"+{'x' * MAX_CHANGE_CHARACTERS}y\n"),
        make_change(hunks=[make_hunk("+x\n", new_start=MAX_LINE_NUMBER)]),
        make_change(hunks=[make_hunk("-x\n", old_start=999_999_999)], status=FileStatus.DELETED),
    ],
)
def test_skip_reason__what_is_too_large_makes_the_run_incomplete(change):
    reason = skip_reason(change)
    assert reason is not None
    assert reason.kind is SkipKind.LIMIT


def test_skip_reason__limits_themselves_are_reviewed():
    assert skip_reason(make_change(drawing=f"+{'x' * MAX_CHANGE_CHARACTERS}\n")) is None
    assert skip_reason(make_change(hunks=[make_hunk("+x\n", new_start=MAX_LINE_NUMBER - 1)])) is None


def test_task_ids__tell_near_equal_paths_apart():
    paths = [
        "a/b.py",
        "a-b.py",
        "a_b.py",
        "a b.py",
        "A-b.py",
        "a/b.py/",
        "caf\udce9",
        "caf\udce8",
        "x/" * 60,
        "y/" * 60,
    ]
    ids = _ids(*paths)
    assert len({name.lower() for name in ids}) == len(paths)


def test_task_ids__a_collision_of_the_short_digest_is_resolved():
    # Found by search: two names with the same readable part whose short digests are equal.
    one, other = _colliding()
    first, second = _ids(one, other)
    assert first != second
    assert len(_ids(one)[0]) < len(second)


def _colliding() -> tuple[str, str]:
    seen: dict[str, str] = {}
    for number in range(2_000_000):
        # Different odd characters give the same readable part.
        path = "a" + "".join("_~"[number >> bit & 1] for bit in range(21)) + "b"
        short = digest(path, 8)
        if short in seen:
            return seen[short], path
        seen[short] = path
    raise AssertionError("no collision in the range")


@settings(deadline=None)
@given(st.lists(st.sampled_from(ODD) | st.text(min_size=1, max_size=80), min_size=1, max_size=6, unique=True))
def test_task_ids__are_unique_safe_and_short(paths):
    ids = _ids(*paths)
    assert len(set(ids)) == len(paths)
    for name in ids:
        assert re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9.-]*", name)
        assert len(name) <= 130
        assert not name.startswith("..")


def test_task_ids__do_not_depend_on_the_other_files():
    assert _ids("a.py", "b.py")[1] == _ids("b.py")[0]


@pytest.mark.parametrize("path", ODD)
def test_plan_json__any_name_is_valid_text_and_can_be_turned_back(path):
    changes = [make_change(path), make_change(path + "2", kind=FileKind.BINARY)]
    text = plan_json(make_plan(changes, SHARE, EVERYTHING), display_path)
    text.encode("utf-8")
    document = json.loads(text)
    assert document["schema"] == "devpulse.plan/1"
    (task,), (skipped,) = document["tasks"], document["skipped"]
    assert path_from_display(task["path"]) == path
    assert skipped["reason"] == "binary"
    assert {key: task[key] for key in ("review_type", "status", "part", "parts")} == {
        "review_type": "security", "status": "pending", "part": 1, "parts": 1,
    }  # fmt: skip


def test_plan_json__status_and_result_of_each_task():
    plan = make_plan([make_change("a.py"), make_change("b.py")], SHARE, EVERYTHING)
    done = plan.tasks[0].id
    tasks = json.loads(plan_json(plan, display_path, {done: ("failed", "no answer\nin time")}))["tasks"]
    assert [(task["status"], task["result"]) for task in tasks] == [("failed", "no answer in time"), ("pending", "")]


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Reviewed("reused"), "completed"),
        (Partial("step limit"), "completed"),
        (Failed("blocked"), "failed"),
        (Skipped("deleted"), "completed"),
        (Skipped("cancelled", SkipKind.LIMIT), "pending"),
    ],
)
def test_status_of(outcome, status):
    assert status_of(outcome) == status


@pytest.mark.parametrize("status", [FileStatus.ADDED, FileStatus.MODIFIED, FileStatus.DELETED])
def test_skip_reason__utf_16_is_a_gap(status):
    reason = skip_reason(make_change("run.ps1", hunks=[], kind=FileKind.WIDE_TEXT, status=status))
    assert reason == Skipped("UTF-16 or UTF-32 text is not read; save it as UTF-8", SkipKind.LIMIT)
