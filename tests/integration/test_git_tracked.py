"""The tracked files of a repository on disk, whatever happens to them between listing and reading."""

import fcntl
import os
import threading
from contextlib import ExitStack

import pytest
from repos import Repo

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.core.index import SymbolIndex
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    for name in "abcdefgh":
        repo.write(f"app/{name}.py", f"def of_{name}():\n    return 1\n")
    repo.write("top.py", "def top(): pass\n")
    (repo.root / "app" / "link.py").symlink_to("a.py")
    repo.write(os.fsdecode(b"app/\xff.py"), "def odd(): pass\n")
    repo.commit()
    repo.write("app/untracked.py", "def untracked(): pass\n")
    return repo


def index_in(root):
    tree = tracked_tree(find_layout(root))
    return tree, index_of(tree, PathGate(tree.size))


def test_tracked_tree__tracked_regular_files_only(repo):
    tree, index = index_in(repo.root)
    assert list(tree.paths()) == [*(f"app/{name}.py" for name in "abcdefgh"), "app/\udcff.py", "top.py"]
    assert index.definitions("untracked").total == 0
    assert index.definitions("of_a").total == 1
    assert index.definitions("odd").rows[0].path == "app/\udcff.py"


def test_tracked_tree__a_split_index(repo):
    repo.git("update-index", "--split-index")
    assert index_in(repo.root)[1].definitions("top").total == 1


def test_tracked_tree__leaves_the_repository_and_no_folder_behind(repo, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    before = (repo.root / ".git" / "index").read_bytes()
    index_in(repo.root)
    assert (repo.root / ".git" / "index").read_bytes() == before
    assert not list((tmp_path / "temporary").glob("*git*"))


def test_index__files_that_became_something_else(repo, tmp_path):
    (tmp_path / "secret.py").write_text("def stolen(): pass\n")
    app = repo.root / "app"
    for name in "abcde":
        (app / f"{name}.py").unlink()
    (app / "a.py").symlink_to(tmp_path / "secret.py")
    (app / "b.py").mkdir()
    os.mkfifo(app / "c.py")
    (app / "d.py").write_bytes(b"\0def of_d(): pass\n")
    (app / "f.py").write_text("")
    _, index = index_in(repo.root)
    found = {name: index.definitions(f"of_{name}").total for name in "abcdefgh"}
    assert found == {**dict.fromkeys("abcdef", 0), "g": 1, "h": 1}
    assert index.definitions("stolen").total == index.references("stolen").total == 0


def test_index__a_folder_that_became_a_symlink(repo, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.py").write_text("def stolen(): pass\n")
    (repo.root / "app").rename(tmp_path / "away")
    (repo.root / "app").symlink_to(tmp_path / "outside")
    _, index = index_in(repo.root)
    assert (index.definitions("stolen").total, index.definitions("top").total) == (0, 1)


def test_index__files_replaced_all_the_time_while_it_is_built(repo):
    stop = threading.Event()

    def meddle() -> None:
        app = repo.root / "app"
        while not stop.is_set():
            for name in "abcdef":
                (app / "new").write_text(f"def of_{name}(): pass\n" * 50)
                (app / "new").replace(app / f"{name}.py")
                (app / f"{name}.py").write_text("")
                (app / f"{name}.py").unlink()

    meddler = threading.Thread(target=meddle)
    meddler.start()
    try:
        for _ in range(10):
            _, index = index_in(repo.root)
            assert index.definitions("of_h").total == 1
            for row in index.search("of").rows:
                index.source(row)
    finally:
        stop.set()
        meddler.join()


def delete(file, _):
    file.unlink()


def truncate(file, _):
    os.truncate(file, 4)


def lock(file, kept):
    handle = kept.enter_context(file.open("rb+"))
    fcntl.lockf(handle, fcntl.LOCK_EX)
    fcntl.flock(handle, fcntl.LOCK_EX)


def forbid(file, kept):
    real = os.open

    def denied(path, *arguments, **keywords):
        if path == os.fsencode(file.name):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *arguments, **keywords)

    patch = kept.enter_context(pytest.MonkeyPatch.context())
    patch.setattr("devpulse.adapters.work_tree.os.open", denied)


def replace(file, _):
    (file.parent / "new").write_text("def of_other(): pass\n")
    (file.parent / "new").replace(file)


@pytest.mark.parametrize(
    ("meddle", "found"),
    [(delete, []), (truncate, []), (forbid, []), (lock, ["of_c"]), (replace, ["of_other"])],
)
def test_index__one_file_meddled_with_between_two_reads(repo, meddle, found):
    tree = tracked_tree(find_layout(repo.root))
    with ExitStack() as kept:

        def read_many(paths):
            for number, row in enumerate(tree.read_many(paths)):
                if number == 1:  # a.py and b.py are read, c.py is next
                    meddle(repo.root / "app" / "c.py", kept)
                yield row

        index = SymbolIndex(tree.paths, tree.read, read_many, tree.size)
        index.prepare()
        expected = sorted(["of_a", "of_b", *found, "of_d", "top"])
        names = ("of_a", "of_b", "of_c", "of_d", "of_other", "top")
        assert [name for name in names if index.definitions(name).total] == expected
        rows = [row for name in found for row in index.definitions(name).rows]
        assert [index.source(row) is not None for row in rows] == [True] * len(found)


@pytest.mark.parametrize(("meddle", "gone"), [(delete, True), (truncate, True), (forbid, True), (lock, False)])
def test_index__one_file_meddled_with_after_it_was_read(repo, meddle, gone):
    _, index = index_in(repo.root)
    row = index.definitions("of_c").rows[0]
    with ExitStack() as kept:
        meddle(repo.root / "app" / "c.py", kept)
        assert (index.source(row) is None) == gone
        assert index.definitions("of_c").rows == (row,)
        assert index.references("of_c").rows[0].text == "def of_c():"
