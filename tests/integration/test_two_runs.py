"""Runs at the same time, and runs after somebody's hand was in the files."""

import errno
import json
import subprocess
import sys

import pytest
from repos import Repo

from devpulse.adapters.output_lock import LOCK_NAME, lock_output
from devpulse.cli import run

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
FILES = 5


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/old.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(FILES):
        repo.write(f"app/more{number}.py", INJECTION)
    repo.commit("head")
    return repo


def arguments(repo, *more):
    return ["review", str(repo.root), "--base", "main", "--head", "work", "--engine", "offline", *more]


def findings(repo, folder="devpulse-artifacts"):
    return json.loads((repo.root / folder / "findings.json").read_text())["findings"]


def notes(repo):
    return repo.root / "devpulse-artifacts" / "progress_notes.md"


def test_one_output_folder__the_second_run_is_refused_and_harms_nothing(repo, capsys):
    assert run(arguments(repo)) == 0
    before = {path: path.read_bytes() for path in (repo.root / "devpulse-artifacts").rglob("*") if path.is_file()}
    held = lock_output(repo.root / "devpulse-artifacts")
    capsys.readouterr()
    assert run(arguments(repo, "--fresh")) == 2
    said = capsys.readouterr().err
    assert "another run is writing to the output folder" in said
    assert "hint: Wait" in said
    assert before == {path: path.read_bytes() for path in before}
    held.release()
    assert run(arguments(repo)) == 0
    capsys.readouterr()


def test_one_output_folder__a_run_that_failed_lets_go(repo, capsys):
    assert run(arguments(repo, "--instructions", "x " * 2_000)) == 2
    assert run(arguments(repo)) == 0
    capsys.readouterr()


def test_one_output_folder__without_locks_it_is_said(repo, monkeypatch, capsys):
    def unsupported(_descriptor, _operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unsupported)
    assert run(arguments(repo)) == 0
    assert "could not be locked (No locks available)" in " ".join(capsys.readouterr().out.split())


def test_one_output_folder__the_lock_is_no_file_of_somebody_else(repo, capsys):
    assert run(arguments(repo)) == 0
    (repo.root / "devpulse-artifacts" / ".gitignore").unlink()
    assert (repo.root / "devpulse-artifacts" / LOCK_NAME).exists()
    assert run(arguments(repo)) == 0
    capsys.readouterr()


def test_one_store__runs_at_once_end_alike(repo, tmp_path):
    def start(folder, *more):
        command = arguments(repo, "--state-dir", str(tmp_path / "state"), "--output-dir", folder, *more)
        return subprocess.Popen(
            [sys.executable, "-m", "devpulse", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    running = [start("one"), start("two", "--fresh")]
    for process in running:
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0, said
        assert "not believed" not in said
        assert "could not be stored" not in said
    assert findings(repo, "one") == findings(repo, "two")
    assert len(findings(repo, "one")) == FILES


def test_notes__of_a_resumed_run_go_on(repo, capsys):
    assert run(arguments(repo)) == 0
    first = notes(repo).read_text()
    assert [line.split()[0] for line in first.splitlines()] == ["DONE"] * FILES
    assert run(arguments(repo)) == 0
    text = notes(repo).read_text()
    assert text.startswith(first)
    assert [line.split()[0] for line in text.splitlines()] == ["DONE"] * FILES + ["RESUMED"] + ["DONE"] * FILES
    assert run(arguments(repo, "--fresh")) == 0
    assert notes(repo).read_text().count("DONE ") == FILES
    assert "altered" not in capsys.readouterr().out


def test_notes__edited_by_hand_are_said_and_written_anew(repo, capsys):
    assert run(arguments(repo)) == 0
    notes(repo).write_text(notes(repo).read_text().replace("level=critical", "level=none", 1))
    capsys.readouterr()
    assert run(arguments(repo)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "progress_notes.md was altered at line 1: it was not believed and was written anew" in said
    assert notes(repo).read_text().count("DONE ") == FILES
    assert "level=none" not in notes(repo).read_text()
    assert len(findings(repo)) == FILES
    assert run(arguments(repo)) == 0
    assert "altered" not in capsys.readouterr().out


def test_notes__that_claim_a_task_is_done_skip_nothing(repo, capsys):
    (repo.root / "devpulse-artifacts").mkdir()
    notes(repo).write_text('DONE "app/more0.py" level=none task=app-more0.py\n')
    assert run(arguments(repo)) == 0
    assert len(findings(repo)) == FILES
    assert "altered at line 1" in " ".join(capsys.readouterr().out.split())


def test_log__torn_by_a_sudden_death_is_whole_again(repo, capsys):
    assert run(arguments(repo)) == 0
    log = repo.root / "devpulse-artifacts" / "run_log.jsonl"
    whole = log.read_text()
    log.write_text(whole + '{"time": "20')
    with notes(repo).open("a") as file:
        file.write('DONE "app/mo')
    assert run(arguments(repo)) == 0
    assert log.read_text().startswith(whole)
    events = [json.loads(line) for line in log.read_text().splitlines()]
    torn = {event["file"]: event["bytes"] for event in events if event["event"] == "torn_line_removed"}
    assert torn == {"run_log.jsonl": 12, "progress_notes.md": 12}
    assert "altered" not in capsys.readouterr().out
