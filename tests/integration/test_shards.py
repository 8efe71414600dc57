"""A review over several machines: whatever their number, the merge is what one machine would have said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from repos import Repo

from devpulse.cli import run

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
LONG = "".join(f"def part{number}(db):\n    return db.fetch({number})\n\n\n" for number in range(200))
SAME = ("findings.json", "results.sarif", "report.html", "summary.md", "plan.json")
OUTPUT = "devpulse-artifacts"


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("shards") / "repo")
    repo.write("app/gone.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(5):
        repo.write(f"app/user{number}.py", INJECTION)
    for number in range(3):
        repo.write(f"app/quiet{number}.py", f"x = {number}\n")
    repo.write("app/long.py", LONG + INJECTION)
    repo.write("app/keys.py", "TOKEN = 'ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5" + "'\n")
    repo.write("logo.bin", b"\0\1\2")
    repo.git("rm", "--quiet", "app/gone.py")
    repo.commit("head")
    return repo


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("DEVPULSE_STATE_DIR", str(tmp_path / "state"))


def change(*more, head="work"):
    return ["--base", "main", "--head", head, "--engine", "offline", "--context-window", "4000", *more]


def review(repo, *more, head="work", status=0) -> Path:
    assert run(["review", str(repo.root), *change("--fresh", *more, head=head)]) == status
    return Path(repo.root, OUTPUT)


def shards_in(repo, folder, count, numbers=None) -> Path:
    for number in numbers or range(1, count + 1):
        shutil.copytree(review(repo, "--shard", f"{number}/{count}"), folder / str(number), dirs_exist_ok=True)
    return Path(folder)


def merge(repo, folder, *more, head="work"):
    status = run(["merge", str(folder), "--root", str(repo.root), *change(*more, head=head)])
    return status, repo.root / OUTPUT


def of_whole_files(folder) -> list[Path]:
    """The results of the files that are no part of one, of the shard that has most of them."""
    found = [
        sorted(path for path in shard.glob("findings/*.json") if "part" not in path.name) for shard in folder.iterdir()
    ]
    return max(found, key=len)


def kept(folder):
    return {name: (folder / name).read_text() for name in SAME}


def rows(folder):
    document = json.loads((folder / "findings.json").read_text())
    return {row["path"]: (row["outcome"], row["reason"]) for row in document["coverage"]}


@pytest.mark.parametrize("count", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 20))])
def test_merge__says_what_one_machine_says_whatever_the_number(repo, tmp_path, count):
    whole = kept(review(repo))
    found = json.loads(whole["findings.json"])["findings"]
    assert len(found) == 7
    assert any(row["parts"] > 1 for row in json.loads(whole["findings.json"])["coverage"])
    folder = shards_in(repo, tmp_path / "shards", count)
    status, merged = merge(repo, folder)
    assert status == 0
    assert kept(merged) == whole
    assert len(list((merged / "findings").glob("*.json"))) == len(json.loads(whole["plan.json"])["tasks"])
    notes = (merged / "progress_notes.md").read_text()
    assert all(f"task={task['id']}" in notes for task in json.loads(whole["plan.json"])["tasks"])
    assert run(["verify-isolation", str(merged)]) == 0
    assert not (merged / "shard.json").exists()


def test_shard__claims_nothing_of_other_files_and_leaves_the_gate_to_the_merge(repo, tmp_path, capsys):
    folder = shards_in(repo, tmp_path / "shards", 2)
    seen = [rows(folder / number) for number in ("1", "2")]
    assert not set(seen[0]) & set(seen[1])
    assert "logo.bin" not in seen[0] | seen[1], "what needs no review is nobody's share"
    review(repo, "--shard", "1/2", "--fail-on", "low", status=0)
    assert "This is shard 1/2 only" in (repo.root / OUTPUT / "summary.md").read_text()
    assert merge(repo, folder, "--fail-on", "low")[0] == 1
    capsys.readouterr()


def test_merge__a_lost_shard_is_named_and_can_be_done_alone(repo, tmp_path):
    whole = kept(review(repo))
    folder = shards_in(repo, tmp_path / "shards", 3, numbers=(1, 3))
    status, merged = merge(repo, folder, "--fail-on-incomplete", "true")
    lost = {path: row for path, row in rows(merged).items() if row[0] == "failed"}
    assert status == 3
    assert lost
    assert set(lost.values()) == {("failed", "shard 2/3 missing: run that job again, then merge again")}
    assert "shard 2/3 missing" in (merged / "summary.md").read_text()
    shards_in(repo, folder, 3, numbers=(2,))
    status, merged = merge(repo, folder, "--fail-on-incomplete", "true")
    assert (status, kept(merged)) == (0, whole)


def test_merge__a_torn_shard_keeps_what_is_whole(repo, tmp_path):
    folder = shards_in(repo, tmp_path / "shards", 2)
    results = of_whole_files(folder)
    shard = results[0].parents[1].name
    results[0].write_text(results[0].read_text()[:-20])
    results[1].unlink()
    results[2].write_text(results[2].read_text().replace('"findings": [', '"findings":  ['))
    _, merged = merge(repo, folder)
    reasons = [reason for outcome, reason in rows(merged).values() if outcome in ("failed", "partial")]
    assert len(reasons) == 3
    assert all(f"shard {shard}/2 is torn (findings/" in reason and "run that job again" in reason for reason in reasons)


def test_merge__a_shard_that_never_ended_gives_what_it_finished(repo, tmp_path):
    whole = json.loads(kept(review(repo))["findings.json"])
    folder = shards_in(repo, tmp_path / "shards", 2)
    gone = next(path for path in of_whole_files(folder) if "user" in path.name)
    shard = gone.parents[1]
    record = json.loads((shard / "shard.json").read_text())
    usage = dict.fromkeys(record["usage"], 0) | {"cost_usd": None}
    begun = record | {"ended": False, "results": {}, "usage": usage}
    (shard / "shard.json").write_text(json.dumps(begun))
    gone.unlink()
    _, merged = merge(repo, folder)
    failed = [row for row in rows(merged).values() if row[0] == "failed"]
    assert failed == [("failed", f"shard {shard.name}/2 did not finish: run that job again, then merge again")]
    assert len(json.loads((merged / "findings.json").read_text())["findings"]) == len(whole["findings"]) - 1


def test_merge__a_shard_of_another_head_is_refused_with_the_cause(repo, tmp_path):
    folder = shards_in(repo, tmp_path / "shards", 2)
    head = repo.git("rev-parse", "work")
    repo.git("switch", "--quiet", "--force-create", "moved", "work")
    repo.write("app/user0.py", INJECTION + "# more\n")
    moved = repo.commit("more")
    try:
        status, merged = merge(repo, folder, head="moved")
    finally:
        repo.git("switch", "--quiet", "work")
    assert status == 4, "nothing of this change was reviewed"
    reasons = {reason for outcome, reason in rows(merged).values() if outcome == "failed"}
    told = f"reviewed another change (head {head[:10]}, not {moved[:10]}): run that job again, then merge again"
    assert reasons == {f"shard {number}/2 {told}" for number in (1, 2)}


def test_merge__folders_of_no_use_are_told_and_none_at_all_is_an_error(repo, tmp_path, capsys):
    folder = shards_in(repo, tmp_path / "shards", 2)
    (folder / "other").mkdir()
    (folder / "torn").mkdir()
    (folder / "torn" / "shard.json").write_text("{")
    assert merge(repo, folder)[0] == 0
    summary = (repo.root / OUTPUT / "summary.md").read_text()
    assert "holds no shard.json" in summary
    assert "is damaged" in summary
    (tmp_path / "empty").mkdir()
    capsys.readouterr()
    assert merge(repo, tmp_path / "empty")[0] == 2
    assert "there are no artifacts of a shard" in capsys.readouterr().err
    assert merge(repo, tmp_path / "empty", "--shards", "2")[0] == 4
    assert merge(repo, repo.root / OUTPUT)[0] == 2
    assert "is where the merged artifacts would go" in capsys.readouterr().err


def test_plan__names_the_shard_of_each_task_and_prints_the_matrix(repo, capsys):
    assert run(["plan", str(repo.root), "--shards", "3", *change("--json")]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "include": [{"shard": f"{number}/3", "number": number} for number in (1, 2, 3)]
    }
    tasks = json.loads((repo.root / OUTPUT / "plan.json").read_text())["tasks"]
    shards: dict[str, set[str]] = {task["path"]: set() for task in tasks}
    for task in tasks:
        shards[task["path"]].add(task["shard"])
    assert all(len(each) == 1 for each in shards.values())
    for number in (1, 2, 3):
        own = {path for path, each in shards.items() if each == {f"{number}/3"}}
        assert set(rows(review(repo, "--shard", f"{number}/3"))) == own
    capsys.readouterr()
    assert run(["plan", str(repo.root), *change()]) == 2
    assert "Give --shards N" in capsys.readouterr().err


def test_merge__of_a_model_and_rules_is_called_after_the_model(repo, tmp_path):
    folder = shards_in(repo, tmp_path / "shards", 2)
    record = folder / "2" / "shard.json"
    record.write_text(record.read_text().replace('"engine": "offline"', '"engine": "gemini"'))
    status, merged = merge(repo, folder)
    report = json.loads((merged / "findings.json").read_text())
    assert (status, report["engine"]) == (0, "gemini")
    assert "Reviewed by the offline engine alone: shard 1/2." in (merged / "run_log.jsonl").read_text()


def test_review__a_shard_says_that_the_gate_is_the_merges(repo):
    def notices(*more):
        return (review(repo, "--shard", "1/2", *more) / "summary.md").read_text()

    said = "fail-on and fail-on-incomplete have no effect on a shard: give them to devpulse merge."
    assert said in notices("--fail-on", "low")
    assert said in notices("--fail-on-incomplete", "true")
    assert said not in notices()
