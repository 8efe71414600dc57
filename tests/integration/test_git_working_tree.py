import hashlib
import os
import subprocess

import pytest
from repos import Repo

from devpulse.adapters.git import GitScanSource, Repository, WorkingTreeSource
from devpulse.adapters.git.process import Child
from devpulse.core.change import FileKind, FileStatus, Side
from devpulse.errors import RevisionNotFound, SourceError


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write(".gitignore", "ignored\n")
    repo.write("kept.py", "kept\n")
    repo.write("edited.py", "a\nb\n")
    repo.write("removed.py", "r\n")
    repo.commit("base")
    return repo


def review(repo, **options):
    with Repository.open(repo.root) as repository:
        source = WorkingTreeSource(repository, **options)
        change_set = source.load()
        heads = {path: source.head().read(path) for path in source.head().paths()}
        return {change.path: change for change in change_set.files}, heads, change_set


def test_working_tree_source__tracked_untracked_removed(repo):
    repo.write("edited.py", "a\nB\n")
    repo.write("new dir/new.py", "n\n")
    repo.write("ignored", "secret\n")
    (repo.root / "removed.py").unlink()
    files, heads, change_set = review(repo)
    assert {path: change.status.value for path, change in files.items()} == {
        "edited.py": "modified",
        "new dir/new.py": "added",
        "removed.py": "deleted",
    }
    assert files["edited.py"].changed(Side.RIGHT) == {2}
    assert heads == {".gitignore": b"ignored\n", "kept.py": b"kept\n", "edited.py": b"a\nB\n", "new dir/new.py": b"n\n"}
    assert change_set.pull_request.head_sha is None
    assert "working tree" in change_set.rung_reason


def test_working_tree_source__commits_of_the_branch_count(repo):
    repo.git("switch", "-q", "-c", "work")
    repo.commit("one", **{"one.py": "1\n"})
    repo.write("two.py", "2\n")
    assert review(repo)[0].keys() == {"one.py", "two.py"}
    assert review(repo, base="HEAD")[0].keys() == {"two.py"}


def test_working_tree_source__staged(repo):
    repo.write("edited.py", "staged\n")
    repo.git("add", ".")
    repo.write("edited.py", "not staged\n")
    repo.write("new.py", "n\n")
    files, heads, _ = review(repo, staged=True)
    assert files.keys() == {"edited.py"}
    assert heads["edited.py"] == b"staged\n"


def test_working_tree_source__staged_is_against_head_and_needs_no_other_branch(repo):
    repo.git("branch", "-m", "trunk")
    repo.commit("one", **{"one.py": "1\n"})
    repo.write("two.py", "2\n")
    repo.git("add", "two.py")
    repo.write("two.py", "not staged\n")
    repo.write("planned.py", "p\n")
    repo.git("add", "--intent-to-add", "planned.py")
    files, heads, change_set = review(repo, staged=True)
    assert files.keys() == {"two.py"}
    assert heads["two.py"] == b"2\n"
    assert "planned.py" not in heads
    assert change_set.rung_reason == "the index against HEAD"
    repo.git("switch", "-q", "--detach")
    assert review(repo, staged=True)[0].keys() == {"two.py"}


def test_working_tree_source__staged_before_the_first_commit(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("first.py", "x\n")
    repo.write("second.py", "x\n")
    repo.git("add", "first.py")
    assert review(repo, staged=True)[0].keys() == {"first.py"}


def test_working_tree_source__staged_pointer_of_lfs_stays_one(repo):
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 3\n"
    repo.write("big.bin", pointer)
    repo.git("add", "big.bin")
    repo.write("big.bin", "big")
    assert review(repo, staged=True)[1]["big.bin"] == pointer.encode()


def test_working_tree_source__staged_is_what_the_running_commit_holds(repo, tmp_path):
    repo.write("edited.py", "all\n")
    index = repo.root / ".git" / "next-index-1.lock"
    index.write_bytes((repo.root / ".git" / "index").read_bytes())
    environment = {"GIT_INDEX_FILE": str(index)}
    subprocess.run(["git", "add", "edited.py"], cwd=repo.root, env=os.environ | environment, check=True)
    assert review(repo, staged=True)[0] == {}
    assert review(repo, staged=True, index=index)[0].keys() == {"edited.py"}
    elsewhere = tmp_path / "index"
    elsewhere.write_bytes(index.read_bytes())
    assert review(repo, staged=True, index=elsewhere)[0] == {}, "another repository's"


def test_working_tree_source__unborn_branch(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("first.py", "x\n")
    files, _, change_set = review(repo)
    assert files["first.py"].status is FileStatus.ADDED
    assert "no commit yet" in change_set.rung_reason


def test_working_tree_source__excluded_folder(repo):
    repo.write("out/findings.json", "{}")
    repo.write("out2/x", "x")
    assert review(repo, exclude=frozenset({"out"}))[0].keys() == {"out2/x"}


def test_working_tree_source__nothing_changed(repo):
    assert review(repo)[0] == {}


def test_working_tree_source__line_ends_of_the_checkout_are_no_change(repo):
    repo.write("kept.py", "kept\r\n")
    repo.write("edited.py", "a\r\nB\r\n")
    files, heads, _ = review(repo)
    assert files.keys() == {"edited.py"}
    assert files["edited.py"].changed(Side.RIGHT) == {2}
    assert heads["edited.py"] == b"a\nB\n"


def test_working_tree_source__mixed_line_ends_are_a_change(repo):
    repo.write("edited.py", "a\r\nb\n")
    assert review(repo)[0]["edited.py"].changed(Side.RIGHT) == {1}


def test_working_tree_source__lfs_pointer_of_the_present_content(repo):
    data = b"\0\1" * 1000
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(data).hexdigest()}\nsize 2000\n"
    repo.commit("lfs", **{"big.bin": pointer})
    repo.write("big.bin", data)
    assert review(repo, base="HEAD")[0] == {}
    repo.write("big.bin", data + b"x")
    assert review(repo, base="HEAD")[0].keys() == {"big.bin"}


def test_working_tree_source__modes_and_links(repo):
    (repo.root / "kept.py").chmod(0o755)
    (repo.root / "link").symlink_to("/etc/passwd")
    files, heads, _ = review(repo)
    assert files["kept.py"].head.mode == "100755"
    assert files["link"].head.kind is FileKind.SYMLINK
    assert "link" not in heads
    repo.git("config", "core.fileMode", "false")
    assert review(repo)[0].keys() == {"link"}


def test_working_tree_source__folder_replaced_by_a_link_out_of_the_root(repo, tmp_path):
    repo.commit("d", **{"d/f.py": "x\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "f.py").write_text("secret\n")
    (repo.root / "d" / "f.py").unlink()
    (repo.root / "d").rmdir()
    (repo.root / "d").symlink_to(tmp_path / "outside")
    files, heads, _ = review(repo, base="HEAD")
    assert {path: change.status.value for path, change in files.items()} == {"d": "added", "d/f.py": "deleted"}
    assert not any(b"secret" in data for data in heads.values())


def test_working_tree_source__fifo_is_passed_over_and_nested_repository_named(repo):
    os.mkfifo(repo.root / "pipe")
    Repo(repo.root / "nested").commit("n", **{"n.py": "x"})
    (repo.root / "nested-home").rmdir()
    changes, heads, _ = review(repo)
    assert {path: change.head.kind for path, change in changes.items()} == {"nested": FileKind.SUBMODULE}
    assert "nested/n.py" not in heads


def test_sources__folder_that_git_cannot_list_is_named(repo, monkeypatch):
    said = b"warning: could not open directory 'a b/': Permission denied\nwarning: could not open directory 'out/': x\n"
    monkeypatch.setattr(Child, "warnings", lambda _child: said)
    changes = review(repo, exclude=frozenset({"out"}))[0]
    assert [(path, change.head.mode, change.head.blob) for path, change in changes.items()] == [
        ("a b/", "040000", None)
    ]
    with Repository.open(repo.root) as repository:
        assert "a b/" in {change.path for change in GitScanSource(repository).load().files}


def test_working_tree_source__sparse_checkout_deletes_nothing(repo):
    repo.git("update-index", "--skip-worktree", "removed.py")
    (repo.root / "removed.py").unlink()
    assert review(repo)[0] == {}


def test_working_tree_source__conflict_is_read_from_disk(repo):
    repo.git("switch", "-q", "-c", "work")
    repo.commit("w", **{"edited.py": "a\nwork\n"})
    repo.git("switch", "-q", "main")
    repo.commit("m", **{"edited.py": "a\nmain\n"})
    repo.git("merge", "work", check=False)
    files, heads, _ = review(repo, base="HEAD")
    assert files.keys() == {"edited.py"}
    assert b"<<<<<<<" in heads["edited.py"]
    with pytest.raises(SourceError, match="index"):
        review(repo, staged=True)


def test_working_tree_source__split_index_and_intent_to_add(repo):
    repo.git("update-index", "--split-index")
    repo.write("planned.py", "p\n")
    repo.git("add", "--intent-to-add", "planned.py")
    assert review(repo)[0]["planned.py"].changed(Side.RIGHT) == {1}


def test_working_tree_source__name_that_is_not_utf8(repo):
    (repo.root / os.fsdecode(b"\xff\n.py")).write_text("x\n")
    files, heads, _ = review(repo)
    assert files.keys() == {"\udcff\n.py"}
    assert heads["\udcff\n.py"] == b"x\n"


def test_working_tree_source__no_branch_to_compare_with(repo):
    repo.git("branch", "-m", "trunk")
    with pytest.raises(RevisionNotFound, match="no origin/HEAD") as caught:
        review(repo)
    assert "--base" in caught.value.hint


def test_git_scan_source__every_file_of_the_working_tree(repo):
    repo.write("new.py", "n\n")
    repo.write("ignored", "i\n")
    repo.write("out/x", "x\n")
    (repo.root / "removed.py").unlink()
    (repo.root / "link").symlink_to("kept.py")
    with Repository.open(repo.root) as repository:
        source = GitScanSource(repository, frozenset({"out"}))
        change_set = source.load()
        assert {change.path for change in change_set.files} == {".gitignore", "kept.py", "edited.py", "new.py", "link"}
        assert all(change.status is FileStatus.ADDED for change in change_set.files)
        assert source.head().read("new.py") == b"n\n"
        assert (source.head().read("ignored"), source.head().read("link"), source.base().paths()) == (None, None, ())


def test_git_scan_source__bare_repository(repo, tmp_path):
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    with Repository.open(tmp_path / "bare.git") as repository:
        source = GitScanSource(repository)
        assert [change.path for change in source.load().files] == [".gitignore", "edited.py", "kept.py", "removed.py"]
        assert source.head().read("kept.py") == b"kept\n"
        with pytest.raises(RevisionNotFound, match="bare"):
            WorkingTreeSource(repository).load()
