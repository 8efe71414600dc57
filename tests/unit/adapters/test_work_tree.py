import gc
import os
from pathlib import Path

import pytest

from devpulse.adapters.work_tree import WorkTree, look, read_link, walk
from devpulse.core.text import BINARY_PROBE_BYTES, DIFF_LIMIT_BYTES


@pytest.fixture
def root(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("s")
    root = tmp_path / "root"
    (root / "d" / ".git").mkdir(parents=True)
    (root / "d" / "f.py").write_bytes(b"x\r\n")
    (root / "run").write_text("#!")
    (root / "run").chmod(0o755)
    (root / "away").symlink_to(tmp_path / "outside")
    (root / "link").symlink_to("run")
    os.mkfifo(root / "pipe")
    return root


def test_work_tree__reads_listed_regular_files(root):
    tree = WorkTree(root, ["run", "d/f.py"])
    assert tree.paths() == ("d/f.py", "run")
    assert (tree.read("d/f.py"), tree.size("d/f.py")) == (b"x\r\n", 3)
    assert (tree.mode("run"), tree.mode("d/f.py")) == ("100755", "100644")
    assert dict(tree.read_many(["run", "gone"])) == {"run": b"#!"}


@pytest.mark.parametrize(
    "path", ["away/secret", "link", "pipe", "d", "../outside/secret", "/etc/passwd", "", "gone", "run/x"]
)
def test_work_tree__nothing_outside_nothing_special(root, path):
    tree = WorkTree(root, [path])
    assert (tree.read(path), tree.size(path)) == (None, None)


def test_work_tree__what_is_not_listed_is_not_read(root):
    assert WorkTree(root, []).read("run") is None


def test_work_tree__name_that_is_not_utf8(root):
    (root / os.fsdecode(b"\xff")).write_text("q")
    assert WorkTree(root, ["\udcff"]).read("\udcff") == b"q"


def test_look__kinds(root):
    link = look(root, "link")
    assert link is not None
    assert (link.mode, read_link(root, "link")) == ("120000", b"run")
    assert look(root, "pipe") is None
    assert look(root, "away/secret") is None


def test_walk__regular_files_only_and_no_skipped_folder(root):
    (root / "d" / ".git" / "config").write_text("")
    assert sorted(walk(root, frozenset({".git"}), pytest.fail)) == ["d/f.py", "run"]


def test_work_tree__a_file_above_the_limit_gives_its_beginning_only(root):
    with (root / "huge").open("wb") as file:
        file.write(b"select 1;\n")
        file.truncate(DIFF_LIMIT_BYTES + 1)
    tree = WorkTree(root, ["huge", "run"])
    assert tree.read("huge") is None
    assert dict(tree.read_many(["huge", "run"])) == {"run": b"#!"}
    assert tree.size("huge") == DIFF_LIMIT_BYTES + 1
    beginning = tree.beginning("huge") or b""
    assert beginning.startswith(b"select 1;")
    assert len(beginning) == BINARY_PROBE_BYTES


def test_read_many__neighbouring_folders_and_what_is_not_there(root):
    for path in ("a/b/c/1.py", "a/b/2.py", "a/d/3.py", "e/4.py"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    odd = ["", "away/secret", "pipe", "link", "../outside/secret", "a/../run", "gone/x.py", "run/x.py", "a/b"]
    paths = ["a/b/c/1.py", "a/b/2.py", "a/d/3.py", "e/4.py", "run", *odd]
    assert dict(WorkTree(root, paths).read_many(paths)) == {**{path: path.encode() for path in paths[:4]}, "run": b"#!"}


def test_read_many__leaves_out_what_is_larger_than_asked_for(root):
    (root / "big.py").write_text("x" * 11)
    assert list(dict(WorkTree(root, ["big.py", "run"]).read_many(["big.py", "run"], 10))) == ["run"]


def test_read_many__closes_what_it_opened_when_nobody_reads_on(root):
    (root / "a").mkdir()
    (root / "a" / "1.py").write_text("x")
    before = _opened()
    reading = WorkTree(root, ["a/1.py", "run"]).read_many(["a/1.py", "run"])
    next(reading)
    assert _opened() > before
    del reading
    gc.collect()
    assert _opened() == before


def _opened() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
