import os
import shutil
import subprocess
from pathlib import Path

import pytest
from repos import Repo

from devpulse.adapters.git import GitRangeSource, GitScanSource, Repository, WorkingTreeSource
from devpulse.errors import NoCommonAncestor, RepositoryNotFound, RevisionNotFound, SourceError

_VERSION = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.split()[2]
READS_REFTABLE = pytest.mark.skipif(
    tuple(map(int, _VERSION.split(".")[:2])) >= (2, 45), reason="this version of git reads reftables"
)


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.commit("one", **{"a.py": "1\n"})
    repo.git("switch", "-q", "-c", "work")
    repo.commit("two", **{"a.py": "2\n", "sub/b.py": "b\n"})
    return repo


def changed(path, base="main", head="work"):
    with Repository.open(path) as repository:
        return [change.path for change in GitRangeSource(repository, base, head).load().files]


def test_open__subfolder_git_folder_and_bare(repo, tmp_path):
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    with Repository.open(repo.root / "sub") as repository:
        assert (repository.root, repository.bare) == (repo.root, False)
    with Repository.open(repo.root / ".git") as repository:
        assert (repository.root, repository.bare) == (repo.root, False)
    with Repository.open(tmp_path / "bare.git") as repository:
        assert (repository.root, repository.bare) == (tmp_path / "bare.git", True)
    assert changed(tmp_path / "bare.git") == ["a.py", "sub/b.py"]


def test_open__worktree_has_its_own_head_and_index(repo, tmp_path):
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "main")
    (tmp_path / "tree" / "new.py").write_text("n\n")
    with Repository.open(tmp_path / "tree") as repository:
        assert repository.resolve("HEAD") == repo.git("rev-parse", "main")
        assert [change.path for change in WorkingTreeSource(repository).load().files] == ["new.py"]
    assert changed(tmp_path / "tree") == ["a.py", "sub/b.py"]


def test_open__submodule_checkout(repo, tmp_path):
    outer = Repo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(repo.root), "lib")
    outer.commit("with submodule")
    assert (outer.root / "lib" / ".git").is_file()
    with Repository.open(outer.root / "lib") as repository:
        assert repository.root == outer.root / "lib"
        assert GitScanSource(repository).load().files
    with Repository.open(outer.root) as repository:
        assert WorkingTreeSource(repository).load().files == ()
        kinds = {
            change.path: change.head.kind.value for change in GitScanSource(repository).load().files if change.head
        }
        assert kinds == {".gitmodules": "text", "lib": "submodule"}


def test_open__detached_head_packed_refs_and_sha256(repo, tmp_path):
    repo.git("checkout", "-q", "--detach", "work")
    repo.git("pack-refs", "--all")
    repo.git("gc", "-q")
    assert changed(repo.root, head="HEAD") == ["a.py", "sub/b.py"]
    other = Repo(tmp_path / "other", "--object-format=sha256")
    first = other.commit("one", **{"a.py": "1\n"})
    other.write("a.py", "2\n")
    with Repository.open(other.root) as repository:
        assert (repository.object_format, repository.resolve("main")) == ("sha256", first)
        assert [change.path for change in WorkingTreeSource(repository).load().files] == ["a.py"]


def test_open__objects_shared_with_another_clone(repo, tmp_path):
    repo.git("clone", "-q", "--shared", ".", str(tmp_path / 'b:o"r\\row'))
    assert changed(tmp_path / 'b:o"r\\row', "origin/main", "HEAD") == ["a.py", "sub/b.py"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_open__repository_of_another_owner(repo):
    for folder, _, files in os.walk(repo.root):
        os.chown(folder, 12345, 12345)
        for name in files:
            os.chown(Path(folder, name), 12345, 12345)
    assert changed(repo.root) == ["a.py", "sub/b.py"]


@pytest.mark.parametrize(("name", "says"), [("missing", "does not exist"), ("file", "is a file"), ("", "no git repo")])
def test_open__no_repository(tmp_path, name, says):
    (tmp_path / "file").write_text("")
    with pytest.raises(RepositoryNotFound, match=says) as caught:
        Repository.open(tmp_path / name)
    assert caught.value.hint


def test_open__git_file_that_points_nowhere(tmp_path):
    (tmp_path / ".git").write_text("gitdir: ../gone\n")
    with pytest.raises(RepositoryNotFound, match="points to"):
        Repository.open(tmp_path)


def test_open__git_is_not_installed(repo, monkeypatch):
    monkeypatch.setenv("PATH", f".{os.pathsep}{repo.root}")
    with pytest.raises(SourceError, match="not installed") as caught:
        Repository.open(repo.root)
    assert caught.value.hint


def test_open__git_of_the_repository_is_not_run(repo, monkeypatch):
    fake = repo.write("git", f"#!/bin/sh\ntouch {repo.root}/canary\n")
    fake.chmod(0o755)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert changed(repo.root) == ["a.py", "sub/b.py"]
    assert not (repo.root / "canary").exists()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        pytest.param("[extensions]\n\trefStorage = reftable\n", "too old", marks=READS_REFTABLE),
        ("[extensions]\n\tobjectFormat = md5\n", "'md5'"),
        ("[broken\n", "config file"),
    ],
)
def test_open__storage_formats_this_git_does_not_know(repo, lines, says):
    config = repo.root / ".git" / "config"
    config.write_text(config.read_text() + lines)
    with pytest.raises(SourceError, match=says) as caught:
        Repository.open(repo.root)
    assert caught.value.hint


@pytest.mark.parametrize("ref", ["nope", "", "--upload-pack=x", "-h", "main..work", "^main", "a\nb", "\0", "HEAD:a.py"])
def test_resolve__unknown_or_odd(repo, ref):
    with Repository.open(repo.root) as repository, pytest.raises(RevisionNotFound) as caught:
        repository.resolve(ref)
    assert caught.value.hint


def test_resolve__tags_and_abbreviations(repo):
    repo.git("tag", "-a", "-m", "x", "v1", "work")
    sha = repo.git("rev-parse", "work")
    with Repository.open(repo.root) as repository:
        assert {repository.resolve(ref) for ref in ("v1", "work", "HEAD", sha[:10], "refs/heads/work")} == {sha}


def test_resolve__unborn_branch(tmp_path):
    with Repository.open(Repo(tmp_path / "r").root) as repository, pytest.raises(RevisionNotFound) as caught:
        repository.resolve("HEAD")
    assert "Commit" in caught.value.hint


def test_default_base__order(repo, tmp_path):
    with Repository.open(repo.root) as repository:
        assert repository.default_base() == "refs/heads/main"
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    with Repository.open(tmp_path / "clone") as repository:
        assert repository.default_base() == "refs/remotes/origin/HEAD"
    repo.git("branch", "-m", "main", "master")
    with Repository.open(repo.root) as repository:
        assert repository.default_base() == "refs/heads/master"


def test_merge_base__unrelated_histories(repo):
    repo.git("switch", "-q", "--orphan", "alone")
    repo.commit("alone", z="z")
    with pytest.raises(NoCommonAncestor, match="no common ancestor") as caught:
        changed(repo.root, "main", "alone")
    assert "--base" in caught.value.hint


def test_merge_base__cut_off_by_a_shallow_clone(repo, tmp_path):
    repo.git("switch", "-q", "main")
    repo.commit("three", **{"c.py": "3\n"})
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.root}", str(tmp_path / "shallow"))
    with Repository.open(tmp_path / "shallow") as repository:
        assert repository.shallow
        with pytest.raises(NoCommonAncestor, match="shallow") as caught:
            GitRangeSource(repository, "origin/main", "origin/work").load()
        assert "unshallow" in caught.value.hint
        with pytest.raises(RevisionNotFound) as unknown:
            repository.resolve("nope")
        assert "shallow" in unknown.value.hint


def test_changes__missing_objects_of_a_partial_clone(repo, tmp_path):
    repo.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "partial"
    repo.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.root}", str(target))
    shutil.move(repo.root, tmp_path / "gone")
    with pytest.raises(SourceError) as caught:
        changed(target)
    assert "partial clone" in caught.value.hint
    with Repository.open(target) as repository:
        tree = repository.tree(repository.resolve("work"))
        assert tree.paths() == ("a.py", "sub/b.py")
        assert tree.read("a.py") is None
