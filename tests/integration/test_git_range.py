import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.git.objects import write_blob
from devpulse.core.change import FileKind, FileStatus, Side
from devpulse.core.diff_apply import shown
from devpulse.core.text import decode, split_lines

CODE = "".join(f"line {number}\n" for number in range(30))


def write_base(repo):
    repo.write(".gitattributes", "*.py -diff\n*.js binary linguist-generated\n*.txt diff=custom\n")
    repo.write("changed.py", CODE)
    repo.write("changed.js", CODE)
    repo.write("deleted.py", "gone\n")
    repo.write("moved.py", CODE + "moved\n")
    repo.write("original.py", CODE + "copied\n")
    repo.write("run.sh", "#!/bin/sh\n")
    repo.write("becomes_link", "text\n")
    repo.write("crlf.py", "a\r\nb\r\n")
    repo.write("image.png", b"\x89PNG\0" + bytes(range(256)) * 4)
    repo.write("was_binary.py", b"\0\1\2\3" * 50)
    repo.write("nul.js", "let a = 1;\n" * 20)
    repo.write("wide.cs", "class A {}\n".encode("utf-16"))
    repo.write("same\nname", CODE + "q")


def write_work(repo):
    repo.write("changed.py", CODE.replace("line 9\n", "line nine\r\x0c\u2028\n"))
    repo.write("changed.js", CODE + "eval(x)\n")
    repo.git("rm", "-q", "deleted.py")
    repo.git("mv", "moved.py", 'neu "ö"\t.py')
    repo.write('neu "ö"\t.py', CODE + "moved twice\n")
    repo.write("copy.py", CODE + "copied\n")
    repo.write("original.py", CODE + "copied from\n")
    (repo.root / "run.sh").chmod(0o755)
    (repo.root / "becomes_link").unlink()
    (repo.root / "becomes_link").symlink_to("run.sh")
    repo.write("crlf.py", "a\r\nc")
    repo.write("image.png", b"\x89PNG\0" + bytes(range(256)) * 5)
    repo.write("was_binary.py", "import os\n")
    repo.write("nul.js", "let a = 1;\n" * 20 + "// \0\neval(b);\n")
    repo.write("wide.cs", "class B {}\n".encode("utf-16"))
    repo.write("empty.py")
    repo.write("latin.py", b"# \xe4\n")
    (repo.root / "same\nname").rename(repo.root / "x\ndiff --git a b")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor")
    (repo.root / "vendor").mkdir()


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    """One repository with every ordinary and unusual case between ``main`` and ``work``."""
    repo = Repo(tmp_path_factory.mktemp("range") / "repo")
    write_base(repo)
    repo.commit("base")
    repo.git("switch", "-q", "-c", "work")
    write_work(repo)
    repo.commit("work")
    repo.git("switch", "-q", "main")
    repo.commit("main goes on", other="x\n")
    return repo


@pytest.fixture(scope="module")
def loaded(repo):
    with Repository.open(repo.root) as repository:
        source = GitRangeSource(repository, "main", "work")
        change_set = source.load()
        yield source, change_set, {change.path: change for change in change_set.files}


def test_git_range_source__base_is_the_merge_base(repo, loaded):
    _, change_set, files = loaded
    pull_request = change_set.pull_request
    assert pull_request.base_sha == repo.git("merge-base", "main", "work")
    assert pull_request.head_sha == repo.git("rev-parse", "work")
    assert "other" not in files
    assert change_set.rung == "local git"


def test_git_range_source__status_of_every_file(loaded):
    _, _, files = loaded
    assert {path: change.status.value for path, change in files.items()} == {
        "becomes_link": "type-changed",
        "changed.js": "modified",
        "changed.py": "modified",
        "copy.py": "copied",
        "crlf.py": "modified",
        "deleted.py": "deleted",
        "empty.py": "added",
        "image.png": "modified",
        "latin.py": "added",
        'neu "ö"\t.py': "renamed",
        "nul.js": "modified",
        "original.py": "modified",
        "run.sh": "modified",
        "vendor": "added",
        "was_binary.py": "modified",
        "wide.cs": "modified",
        "x\ndiff --git a b": "renamed",
    }
    assert files['neu "ö"\t.py'].previous_path == "moved.py"
    assert files["copy.py"].previous_path == "original.py"
    assert files["x\ndiff --git a b"].previous_path == "same\nname"


def test_git_range_source__kinds(loaded):
    _, _, files = loaded
    kinds = {path: change.head.kind for path, change in files.items() if change.head is not None}
    unusual = {path: kind for path, kind in kinds.items() if kind is not FileKind.TEXT}
    assert unusual == {
        "becomes_link": FileKind.SYMLINK,
        "image.png": FileKind.BINARY,
        "vendor": FileKind.SUBMODULE,
        "wide.cs": FileKind.WIDE_TEXT,
    }
    assert files["was_binary.py"].base.kind is FileKind.BINARY


def test_git_range_source__every_shown_line_is_the_line_of_its_side(loaded):
    source, _, files = loaded
    checked = 0
    for change in files.values():
        for version, side, tree in ((change.base, Side.LEFT, source.base()), (change.head, Side.RIGHT, source.head())):
            if version is None or version.kind in {FileKind.SYMLINK, FileKind.SUBMODULE}:
                continue
            lines = split_lines(decode(tree.read(version.path)))
            for number, text in shown(change.hunks, side):
                assert lines[number - 1] == text
                checked += 1
    assert checked > 50


@pytest.mark.parametrize("path", ["changed.py", "changed.js", "nul.js", "was_binary.py", "latin.py"])
def test_git_range_source__attributes_and_nul_bytes_hide_nothing(loaded, path):
    assert loaded[2][path].changed(Side.RIGHT)


def test_git_range_source__line_with_separators_stays_one_line(loaded):
    (added,) = [line for hunk in loaded[2]["changed.py"].hunks for line in hunk.lines if line.added]
    assert (added.new, added.text) == (10, "line nine\r\x0c\u2028")


def test_git_range_source__mode_change_has_equal_blobs_and_no_hunks(loaded):
    change = loaded[2]["run.sh"]
    assert (change.base.mode, change.head.mode, change.hunks) == ("100644", "100755", ())
    assert change.base.blob == change.head.blob


def test_git_tree__lists_regular_files_only(loaded):
    source, _, _ = loaded
    tree = source.head()
    assert "becomes_link" not in tree.paths()
    assert "vendor" not in tree.paths()
    assert list(tree.paths()) == sorted(tree.paths())
    assert (tree.size("run.sh"), tree.read("run.sh")) == (10, b"#!/bin/sh\n")
    assert (tree.size("no"), tree.read("no")) == (None, None)
    assert dict(tree.read_many([*tree.paths(), "no"])).keys() == set(tree.paths())


def test_git_range_source__trees_before_load(repo):
    with Repository.open(repo.root) as repository, pytest.raises(ValueError, match="load"):
        GitRangeSource(repository, "main", "work").head()


CONTENT = st.lists(
    st.sampled_from(
        ["a\n", "b\n", "\r\n", "\r", "\f\n", "\0", "\u2028\n", "-- a/x\n", "++ b\n", "@@ -1 +1 @@\n", "\n", "ä"]
    ),
    max_size=10,
).map("".join)


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("pairs") / "repo")
    with Repository.open(repo.root) as repository:
        yield repo, repository


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(CONTENT, CONTENT), min_size=1, max_size=12))
def test_changes__lines_of_any_pair_of_texts(blank, pairs):
    repo, repository = blank
    trees = []
    for texts in zip(*pairs, strict=True):
        lines = []
        for number, text in enumerate(texts):
            blob = write_blob(repo.root / ".git" / "objects", text.encode(), "sha1")
            lines.append(f"100644 blob {blob}\t{number}\n")
        trees.append(repo.git("mktree", feed="".join(lines).encode()))
    for change in repository.changes(*trees):
        if change.base is None or change.head is None or change.head.kind is FileKind.BINARY:
            continue
        for version, side in ((change.base, Side.LEFT), (change.head, Side.RIGHT)):
            lines = split_lines(decode(repository.blob(version.blob)))
            assert all(lines[number - 1] == text for number, text in shown(change.hunks, side))
            assert change.changed(side) <= set(range(1, len(lines) + 1))
        assert change.status is FileStatus.MODIFIED
        assert change.hunks or change.base.kind is FileKind.BINARY


def test_changes__killed_reader_starts_again(repo):
    with Repository.open(repo.root) as repository:
        tree = repository.tree(repository.resolve("work"))
        assert tree.read("run.sh")
        child = repository._reader._child
        assert child is not None
        child.process.kill()
        child.process.wait()
        assert tree.read("run.sh") == b"#!/bin/sh\n"


def test_close__no_child_and_no_folder_stay(repo):
    repository = Repository.open(repo.root)
    repository.tree(repository.resolve("work")).read("run.sh")
    child = repository._reader._child
    assert child is not None
    folder = repository._scratch.folder
    repository.close()
    assert child.process.returncode is not None
    assert not folder.exists()
    repository.close()


def test_close__forgotten_repository_is_closed_at_the_end_of_python(repo, tmp_path):
    code = (
        "import tempfile, sys; tempfile.tempdir = sys.argv[2]\n"
        "from devpulse.adapters.git import Repository\n"
        "r = Repository.open(sys.argv[1]); r.blob(r.resolve('HEAD'))"
    )
    subprocess.run([sys.executable, "-c", code, str(repo.root), str(tmp_path)], check=True)
    assert list(tmp_path.iterdir()) == []
