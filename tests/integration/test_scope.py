"""PATH below the root of a repository narrows what is reviewed, and nothing else."""

import json

import pytest
from repos import Repo

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


def test_worktree_and_subfolder__only_what_is_below_it_is_reviewed(repo, tmp_path, capsys):
    tree = tmp_path / "tree"
    repo.git("worktree", "add", "--quiet", "--detach", str(tree), "work")
    (tree / "deep").mkdir()
    (tree / "deep" / "new.py").write_text(INJECTION)
    assert run(["review", str(tree / "deep"), "--base", "main"]) == 0
    assert paths_of(report_in(tree)) == ["deep/new.py"]
    assert "Only what is below deep was reviewed, 1 of 2 files" in " ".join(capsys.readouterr().out.split())
    assert not (tree / "deep" / "devpulse-artifacts").exists()
    assert run(["review", str(tree), "--base", "main"]) == 0
    assert paths_of(report_in(tree)) == ["deep/new.py", "sql.py"]
    assert "Only what is below" not in capsys.readouterr().out


HELPER = "from lib.names import clean\nfrom flask import request\n\n\ndef find(db):\n"
HELPED = HELPER + "    return db.execute('select * from t where a = ' + clean(request.args['a']))\n"


@pytest.mark.parametrize(("body", "found"), [("str(int(value))", []), ("value", ["api/find.py"])])
def test_subfolder__other_files_can_still_be_looked_up(repo, body, found, capsys):
    repo.write("lib/names.py", f"def clean(value):\n    return {body}\n")
    repo.write("api/find.py", HELPED)
    assert run(["scan", str(repo.root / "api")]) == 0
    report = report_in(repo.root)
    assert [row["path"] for row in report["coverage"]] == ["api/find.py"]
    assert paths_of(report) == found
    capsys.readouterr()


def test_subfolder__moved_out_of_it_is_still_its_change(repo, capsys):
    repo.write("api/view.py", INJECTION)
    repo.commit("before")
    repo.git("mv", "api/view.py", "view.py")
    assert run(["review", str(repo.root / "api"), "--base", "HEAD"]) == 0
    assert [row["path"] for row in report_in(repo.root)["coverage"]] == ["view.py"]
    capsys.readouterr()


def test_subfolder__of_a_patch_and_the_folder_of_git_itself(repo, tmp_path, capsys):
    patch = tmp_path / "change.patch"
    patch.write_text(repo.git("diff", "main", "work") + "\n")
    (repo.root / "api").mkdir()
    assert run(["review", str(repo.root / "api"), "--diff", str(patch)]) == 0
    assert report_in(repo.root)["coverage"] == []
    assert run(["review", str(repo.root / ".git"), "--base", "main"]) == 0
    assert paths_of(report_in(repo.root)) == ["sql.py"]
    capsys.readouterr()
