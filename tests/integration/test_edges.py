"""Places a new user may start from: each gives a clear error or a named outcome, and the right exit status."""

import html
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from repos import Repo, environment

from devpulse.cli import run
from devpulse.core.text import DIFF_LIMIT_BYTES

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


@pytest.mark.parametrize("wanted", ["./out", "out/", "a/../out"])
@pytest.mark.parametrize("git", [True, False])
def test_output_folder__in_any_spelling_is_no_part_of_the_next_run(tmp_path, wanted, git, capsys):
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.py").write_text(INJECTION)
    if git:
        Repo(root)
    for _ in range(2):
        assert run(["scan", str(root), "--output-dir", wanted]) == 0
        (root / "out" / ".gitignore").unlink(missing_ok=True)  # or git itself would leave it out
    report = json.loads((root / "out" / "findings.json").read_text())
    assert [row["path"] for row in report["coverage"]] == ["app.py"]
    capsys.readouterr()


def test_utf_16__is_a_gap_and_the_run_incomplete(repo, capsys):
    repo.write("run.ps1", "Invoke-Expression $args[0]\n".encode("utf-16"))
    repo.commit("script")
    for command in (["scan", str(repo.root)], ["review", str(repo.root), "--base", "main", "--head", "work"]):
        assert run([*command, "--fail-on-incomplete", "true"]) == 3
        rows = {row["path"]: (row["outcome"], row["reason"]) for row in report_in(repo.root)["coverage"]}
        assert rows["run.ps1"] == ("skipped", "UTF-16 or UTF-32 text is not read; save it as UTF-8")
        assert "INCOMPLETE" in capsys.readouterr().out


def test_settings_that_do_not_exist__are_said_in_the_report(repo, monkeypatch, capsys):
    monkeypatch.setenv("DEVPULSE_FAILON", "low")
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Did you mean DEVPULSE_FAIL_ON?" in shown
    log = (repo.root / "devpulse-artifacts" / "run_log.jsonl").read_text()
    assert "is not known and has no effect" in log


def test_configuration__beyond_any_size_is_refused_not_passed_over(tmp_path, capsys):
    (tmp_path / "app.py").write_text("x = 1\n")
    with (tmp_path / ".devpulse.yml").open("wb") as file:
        file.truncate(DIFF_LIMIT_BYTES + 1)
    assert run(["scan", str(tmp_path)]) == 2
    assert ".devpulse.yml has 20000001 bytes" in capsys.readouterr().err


def test_secret_with_markup__survives_in_no_artifact(repo, capsys):
    secret = 'p"a&s<s>w0rd!x9'
    comment = f"    # the password is {secret}\n"
    repo.write("a.py", INJECTION.replace("def lookup(db):\n", f"def lookup(db):\n{comment}"))
    repo.write("z.py", f"PASSWORD = '{secret}'\n")
    repo.commit("secret")
    # a.py is reviewed, and its evidence saved, before anything tells that the comment holds a secret.
    review = ["review", str(repo.root), "--base", "main", "--head", "work", "--max-parallel", "1"]
    assert run(review) == 0
    shown = capsys.readouterr().out
    written = [file.read_text() for file in (repo.root / "devpulse-artifacts").rglob("*") if file.is_file()]
    assert any("the password is" in text for text in written)
    for text in (shown, *written):
        for form in (secret, json.dumps(secret)[1:-1], html.escape(secret), html.escape(secret, quote=False)):
            assert form not in text


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
    assert paths_of(report_in(repo.root)) == ["staged.py"], "what the next commit would change, and nothing else"
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


@pytest.mark.parametrize("git", [True, False])
def test_output_folder__with_sources_is_refused_and_left_alone(tmp_path, git, capsys):
    source = tmp_path / "project" / "src" / "findings" / "sql.py"
    source.parent.mkdir(parents=True)
    source.write_text(INJECTION)
    if git:
        Repo(tmp_path / "project")
    assert run(["scan", str(tmp_path / "project"), "--output-dir", "src"]) == 2
    assert "did not write" in capsys.readouterr().err
    assert source.read_text() == INJECTION


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
def test_output_folder__without_permission_is_named(repo):
    # Not in pytest's folder: every other session of the same user takes its permissions away again.
    with tempfile.TemporaryDirectory(prefix="devpulse-test-") as name:
        place = Path(name)
        place.chmod(0o755)
        shutil.copytree(repo.root, place / "repo", symlinks=True)
        subprocess.run(["chmod", "-R", "a+rX", name], check=True)
        code = (
            "import importlib, os, pkgutil, sys, devpulse; from devpulse.cli import run; "
            "names = [found.name for found in pkgutil.walk_packages(devpulse.__path__, 'devpulse.')]; "
            "[importlib.import_module(name) for name in names if not name.endswith('__main__')]; "
            "os.setgid(12345); os.setuid(12345); "
            f"sys.exit(run(['review', {str(place / 'repo')!r}, '--base', 'main', '--head', 'work']))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env={**environment(place), "TMPDIR": "/tmp"}, capture_output=True, text=True,
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
