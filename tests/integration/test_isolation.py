"""A scripted engine that marks given lines, over a change with every odd file kind: the promise of the product."""

import json
import re
import subprocess

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from harness import FENCE_KEY, run_source
from odd_change import FOUND_BY_RULES, NOT_REVIEWED, RIGHT_PATHS, expected_places, marked_lines, marked_rows, odd_repo
from repos import environment

from devpulse.adapters.folder import FolderSource, folder_tree
from devpulse.adapters.git import GitRangeSource, GitScanSource, Repository, WorkingTreeSource
from devpulse.adapters.patch_file import PatchFileSource
from devpulse.core.fence import Fence
from devpulse.core.messages import UserMessage


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    return odd_repo(tmp_path_factory.mktemp("odd") / "repo")


def marking_model():
    """Submits a finding for every marked row that its first message shows, as a model would: from the text alone."""

    def respond(request):
        opening = next(message.text for message in request.messages if isinstance(message, UserMessage))
        if request.task.endswith(".verify"):
            rows = [json.loads(row) for row in Fence(FENCE_KEY).blocks("findings", opening)[0].split("\n")]
            verdicts = [{"id": row["id"], "verdict": "confirmed", "reason": "marked"} for row in rows]
            return reply(call("submit_verdicts", verdicts=verdicts))
        if request.task == "conclude":
            return reply(call("submit_conclusion", overall_risk="critical", summary="Marks everywhere."))
        (diff,) = Fence(FENCE_KEY).blocks("diff", opening)
        found = [
            submitted_finding(start_line=line, end_line=line, side=side, evidence=code)
            for side, line, code in marked_rows(diff)
        ]
        return reply(submit(*found))

    return ScriptedModel(respond)


def outcomes(run):
    return {row.path: (type(row.outcome).__name__.lower(), row.outcome.reason) for row in run.result.report.coverage}


def check_isolation(model):
    """Each file's token is in requests of one task only: that of its own file."""
    owners: dict[str, set[str]] = {}
    for request in model.requests:
        if request.task == "conclude":
            assert "TOKEN" not in "".join(message.text for message in request.messages)
            continue
        for token in re.findall(r"TOKEN-\w+", "".join(message.text for message in request.messages)):
            owners.setdefault(token, set()).add(re.sub(r"(-part\d+of\d+)?(\.verify)?$", "", request.task))
    assert owners
    assert {token: tasks for token, tasks in owners.items() if len(tasks) != 1} == {}
    assert len({next(iter(tasks)) for tasks in owners.values()}) == len(owners)
    assert "TOKEN-same" not in owners


def test_range__every_finding_on_its_exact_line_none_elsewhere(repo, tmp_path):
    model = marking_model()
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), model, tmp_path / "out")
    assert run.places() == expected_places(repo)
    check_isolation(model)


def test_range__every_changed_file_has_its_row(repo, tmp_path):
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), marking_model(), tmp_path / "out")
    rows = outcomes(run)
    reviewed = dict.fromkeys(RIGHT_PATHS, ("reviewed", ""))
    skipped = {path: ("skipped", reason) for path, reason in NOT_REVIEWED.items()}
    assert rows == reviewed | skipped
    assert not run.result.report.incomplete


def test_range__an_oversized_file_is_split_and_joined(repo, tmp_path):
    model = marking_model()
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), model, tmp_path / "out")
    row = next(row for row in run.result.report.coverage if row.path == "big.py")
    tasks = {r.task for r in model.requests if "-part" in r.task and not r.task.endswith(".verify")}
    assert row.parts == len(tasks) > 1
    shown = "".join(message.text for request in model.requests if request.task in tasks for message in request.messages)
    assert sorted(map(int, set(re.findall(r"value_(\d+) =", shown)))) == list(range(3000))


def test_working_tree__same_places_as_the_range(repo, tmp_path):
    model = marking_model()
    with Repository.open(repo.root) as opened:
        run = run_source(WorkingTreeSource(opened, "main"), model, tmp_path / "out")
    assert run.places() == expected_places(repo)
    check_isolation(model)


@pytest.mark.parametrize("here", ["before", "after", "elsewhere"])
def test_patch_file__same_places_wherever_it_is_read(repo, tmp_path, here):
    patch = subprocess.run(
        ["git", "diff", "--text", "--full-index", "-M", "main", "work", "--", ":!image.png"],
        cwd=repo.root, env=environment(repo.home), capture_output=True, check=True,
    ).stdout  # fmt: skip
    place = tmp_path / "place"
    if here == "elsewhere":
        place.mkdir()
    else:
        repo.git("worktree", "add", "--quiet", "--detach", str(place), {"before": "main", "after": "work"}[here])
    model = marking_model()
    run = run_source(PatchFileSource(patch, folder_tree(place)), model, tmp_path / "out")
    assert run.places() == expected_places(repo)
    check_isolation(model)


@pytest.mark.parametrize("source", ["git", "folder"])
def test_scan__every_mark_of_the_tree(repo, tmp_path, source):
    place = tmp_path / "place"
    repo.git("worktree", "add", "--quiet", "--detach", str(place), "work")
    everything = [*RIGHT_PATHS, "mode.sh", "purely renamed.py"]
    model = marking_model()
    if source == "git":
        with Repository.open(place) as opened:
            run = run_source(GitScanSource(opened), model, tmp_path / "out")
    else:
        (place / ".git").unlink()
        run = run_source(FolderSource(place), model, tmp_path / "out")
    assert run.places() == sorted(marked_lines(repo, "work", everything, "RIGHT") + FOUND_BY_RULES)


def test_artifacts__are_complete_and_valid(repo, tmp_path):
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), marking_model(), tmp_path / "out")
    plan = json.loads(run.artifact("plan.json"))
    assert {task["status"] for task in plan["tasks"]} == {"completed"}
    assert all(task["result"].startswith("[saved: findings/") for task in plan["tasks"])
    saved = sorted(path.stem for path in (run.folder / "findings").iterdir())
    assert saved == sorted(task["id"] for task in plan["tasks"])
    notes = run.artifact("progress_notes.md").splitlines()
    assert len(notes) == len(plan["tasks"])
    assert all(line.startswith('DONE "') for line in notes)
    events = [json.loads(line) for line in run.artifact("run_log.jsonl").splitlines()]
    assert {"planned", "request", "submitted", "task_finished", "concluded"} <= {event["event"] for event in events}
    assert all(len(value) <= 230 for event in events for value in event.values() if isinstance(value, str))
