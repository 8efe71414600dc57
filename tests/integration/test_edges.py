"""Places a new user may start from: each gives a clear error or a named outcome, and the right exit status."""

import json
import os
import subprocess
import sys

import pytest
from repos import Repo, environment

from devpulse.cli import run

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("sql.py", INJECTION)
    repo.commit("head")
    return repo


def report_in(folder):
    return json.loads((folder / "devpulse-artifacts" / "findings.json").read_text())


def paths_of(report):
    return [finding["path"] for finding in report["findings"]]


def test_no_repository__says_what_to_do(tmp_path, capsys):
    assert run(["review", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "not in a git repository" in error
    assert "devpulse scan" in error
    assert list(tmp_path.iterdir()) == []


def test_plain_folder__can_be_scanned(tmp_path, capsys):
    (tmp_path / "app.py").write_text(INJECTION)
    assert run(["scan", str(tmp_path), "--fail-on", "high"]) == 1
    assert paths_of(report_in(tmp_path)) == ["app.py"]
    assert report_in(tmp_path)["pull_request"] is None
    capsys.readouterr()


def test_scan__sees_old_code_that_a_review_does_not(repo, capsys):
    repo.write("old.py", INJECTION)
    repo.commit("more")
    assert run(["scan", str(repo.root)]) == 0
    assert paths_of(report_in(repo.root)) == ["old.py", "sql.py"]
    capsys.readouterr()


def test_bare__a_range_works_and_writes_into_the_current_folder(repo, tmp_path, monkeypatch, capsys):
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(bare))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    before = sorted(bare.rglob("*"))
    assert run(["review", str(bare), "--base", "main", "--head", "work"]) == 0
    assert paths_of(report_in(here)) == ["sql.py"]
    assert sorted(bare.rglob("*")) == before
    capsys.readouterr()


def test_bare__without_a_head_says_what_to_do(repo, tmp_path, monkeypatch, capsys):
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(bare))
    monkeypatch.chdir(tmp_path)
    assert run(["review", str(bare)]) == 2
    assert "--head" in capsys.readouterr().err


def test_shallow__says_how_to_get_the_history(repo, tmp_path, capsys):
    for number in range(3):
        repo.write("more.py", f"y = {number}\n")
        repo.commit("more")
    clone = tmp_path / "clone"
    repo.git("clone", "--quiet", "--depth", "1", "--no-single-branch", f"file://{repo.root}", str(clone))
    assert run(["review", str(clone), "--base", "origin/main", "--head", "origin/work"]) == 2
    error = capsys.readouterr().err
    assert "shallow" in error
    assert "unshallow" in error


def test_unborn_branch__everything_is_new(tmp_path, capsys):
    repo = Repo(tmp_path / "repo")
    repo.write("sql.py", INJECTION)
    assert run(["review", str(repo.root)]) == 0
    assert paths_of(report_in(repo.root)) == ["sql.py"]
    capsys.readouterr()


def test_no_common_ancestor__is_named(repo, capsys):
    repo.git("switch", "--quiet", "--orphan", "island")
    repo.write("x.py", "z = 1\n")
    repo.commit("island")
    assert run(["review", str(repo.root), "--base", "main", "--head", "island"]) == 2
    assert "no common ancestor" in capsys.readouterr().err


def test_detached_head__is_reviewed(repo, capsys):
    repo.git("switch", "--quiet", "--detach", "work")
    assert run(["review", str(repo.root), "--base", "main"]) == 0
    assert paths_of(report_in(repo.root)) == ["sql.py"]
    capsys.readouterr()


def test_worktree_and_subfolder__are_reviewed_whole(repo, tmp_path, capsys):
    tree = tmp_path / "tree"
    repo.git("worktree", "add", "--quiet", "--detach", str(tree), "work")
    (tree / "deep").mkdir()
    (tree / "deep" / "new.py").write_text(INJECTION)
    assert run(["review", str(tree / "deep"), "--base", "main"]) == 0
    assert paths_of(report_in(tree)) == ["deep/new.py", "sql.py"]
    capsys.readouterr()


def test_working_tree__without_flags(repo, capsys):
    repo.write("untracked.py", INJECTION)
    repo.write(".gitignore", "ignored.py\n")
    repo.write("ignored.py", INJECTION)
    assert run(["review", str(repo.root)]) == 0
    report = report_in(repo.root)
    assert paths_of(report) == ["sql.py", "untracked.py"]
    assert "ignored.py" not in [row["path"] for row in report["coverage"]]
    capsys.readouterr()


def test_staged__is_the_index(repo, capsys):
    repo.write("staged.py", INJECTION)
    repo.git("add", "staged.py")
    repo.write("staged.py", "x = 1\n")
    repo.write("untracked.py", INJECTION)
    assert run(["review", str(repo.root), "--staged"]) == 0
    assert paths_of(report_in(repo.root)) == ["sql.py", "staged.py"]
    capsys.readouterr()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_owned_by_somebody_else__is_reviewed(repo, capsys):
    subprocess.run(["chown", "-R", "12345:12345", str(repo.root)], check=True)
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 0
    assert paths_of(report_in(repo.root)) == ["sql.py"]
    capsys.readouterr()


def test_output_folder__tracked_is_refused(repo, capsys):
    repo.write("devpulse-artifacts/findings.json", "{}\n")
    repo.commit("planted")
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 2
    assert "tracked by git" in capsys.readouterr().err
    assert (repo.root / "devpulse-artifacts/findings.json").read_text() == "{}\n"


def test_output_folder__symlink_is_refused(repo, tmp_path, capsys):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (repo.root / "devpulse-artifacts").symlink_to(elsewhere)
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 2
    assert "symlink" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


def test_output_folder__that_cannot_be_written_is_named(repo, capsys):
    (repo.root / "devpulse-artifacts").mkdir()
    (repo.root / "devpulse-artifacts" / "findings.json").mkdir()  # refuses root too, unlike permission bits
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 2
    error = capsys.readouterr().err
    assert "cannot be written" in error
    assert "--output-dir" in error


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become somebody else")
def test_output_folder__without_permission_is_named(repo, tmp_path):
    subprocess.run(["chmod", "-R", "a+rX", str(tmp_path)], check=True)
    code = (
        "import os, sys; from devpulse import main; from devpulse.cli import run; os.setgid(12345); os.setuid(12345); "
        f"sys.exit(run(['review', {str(repo.root)!r}, '--base', 'main', '--head', 'work']))"
    )
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == 0 and folder.name.startswith(("pytest", "test_")):
            folder.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", code], env={**environment(tmp_path), "TMPDIR": "/tmp"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if "No module named" in done.stderr or "Permission denied: '/root" in done.stderr:
        pytest.skip("the interpreter itself is not readable for others here")
    assert done.returncode == 2, done.stderr
    assert "cannot be written" in done.stderr


def test_patch__from_standard_input(repo, tmp_path):
    patch = repo.git("diff", "main", "work") + "\n"
    place = tmp_path / "place"
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "devpulse", "review", str(place), "--diff", "-", "--json"],
        input=patch, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert paths_of(json.loads(done.stdout)) == ["sql.py"]


def test_patch__that_is_none_is_named(repo, tmp_path, capsys):
    (tmp_path / "not.patch").write_text("this is no patch\n")
    assert run(["review", str(repo.root), "--diff", str(tmp_path / "not.patch")]) == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["review"], ["scan"]])
def test_missing_folder__is_named(arguments, tmp_path, capsys):
    assert run([*arguments, str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.slow
def test_thousand_files__each_has_its_row(repo, capsys):
    for number in range(1000):
        repo.write(f"many/file {number}.py", INJECTION if number % 100 == 0 else f"x = {number}\n")
    repo.commit("many")
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 0
    report = report_in(repo.root)
    assert len(report["coverage"]) == 1001
    assert {row["outcome"] for row in report["coverage"]} == {"reviewed"}
    assert len(report["findings"]) == 11
    capsys.readouterr()
