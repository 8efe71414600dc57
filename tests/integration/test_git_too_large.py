"""Files larger than anything a review holds: named in the change, never read whole."""

import hashlib
import tracemalloc

import pytest
from repos import Repo

from devpulse.adapters.folder import FolderSource
from devpulse.adapters.git import GitScanSource, Repository, WorkingTreeSource
from devpulse.adapters.git.large import write_large_blob
from devpulse.core.change import FileKind, FileStatus
from devpulse.core.content import blob_id
from devpulse.core.review import SkipKind, Skipped
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.pipeline.plan import skip_reason

LARGE = 8 * DIFF_LIMIT_BYTES
ROW = b"insert into t values (1);\n"
ROWS = DIFF_LIMIT_BYTES // len(ROW) + 1

TOO_LARGE = Skipped("its lines were not compared: too large, or not readable", SkipKind.LIMIT)


def sparse(path, beginning, size=LARGE):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(beginning)
        file.truncate(size)


def text(path, ending, rows=ROWS):
    path.write_bytes(ROW.replace(b"\n", ending) * rows)


@pytest.fixture
def root(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app.py", "x = 1\n")
    repo.commit("base")
    return repo.root


@pytest.fixture
def memory():
    """The most bytes that Python held since the start of the test."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def scan(root):
    with Repository.open(root) as repository:
        return {change.path: change for change in GitScanSource(repository).load().files}


def work(root):
    with Repository.open(root) as repository:
        return {change.path: change for change in WorkingTreeSource(repository).load().files}


def folder(root):
    return {change.path: change for change in FolderSource(root).load().files}


@pytest.mark.parametrize("load", [scan, work, folder])
def test_sources__hold_no_large_file(root, load, memory):
    sparse(root / "disk.img", b"\0\1\2\3" * 50)
    # Eight thousand bytes without NUL: text, as far as anybody looks.
    sparse(root / "dump.sql", ROW * 400)
    files = load(root)
    assert memory() < DIFF_LIMIT_BYTES
    assert (files["disk.img"].head.kind, files["dump.sql"].head.kind) == (FileKind.BINARY, FileKind.TEXT)
    assert skip_reason(files["disk.img"]) == Skipped("binary")
    assert skip_reason(files["dump.sql"]) == TOO_LARGE


def test_scan__bare_repository(root, tmp_path, memory):
    sparse(root / "dump.sql", ROW * 400)
    repo = Repo(tmp_path / "other")
    (root / "dump.sql").rename(repo.root / "dump.sql")
    repo.write("a.py", "x = 1\n")
    repo.write("z.py", "x = 1\n")
    repo.commit("large")
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    files = scan(tmp_path / "bare.git")
    assert memory() < DIFF_LIMIT_BYTES
    assert list(files) == ["a.py", "dump.sql", "z.py"]
    assert skip_reason(files["dump.sql"]) == TOO_LARGE


def test_work__large_files_that_did_not_change(tmp_path):
    repo = Repo(tmp_path / "repo")
    text(repo.root / "same.sql", b"\n")
    text(repo.root / "crlf.sql", b"\n")
    text(repo.root / "changed.sql", b"\n")
    sparse(tmp_path / "asset.bin", b"\0\1", DIFF_LIMIT_BYTES + 1)
    oid = hashlib.sha256((tmp_path / "asset.bin").read_bytes()).hexdigest()
    size = DIFF_LIMIT_BYTES + 1
    repo.write("asset.bin", f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n")
    repo.commit("base")
    text(repo.root / "crlf.sql", b"\r\n")
    (tmp_path / "asset.bin").rename(repo.root / "asset.bin")
    text(repo.root / "changed.sql", b"\n", ROWS + 1)
    files = work(repo.root)
    assert {path: change.status for path, change in files.items()} == {"changed.sql": FileStatus.MODIFIED}
    assert skip_reason(files["changed.sql"]) == TOO_LARGE


@pytest.mark.parametrize("data", [b"", b"a\r\nb", ROW * 100_000])
def test_write_large_blob__is_an_object_git_can_read(tmp_path, data):
    repo = Repo(tmp_path / "repo")
    (tmp_path / "file").write_bytes(data)
    with (tmp_path / "file").open("rb") as file:
        sha = write_large_blob(repo.root / ".git" / "objects", file, "sha1")
        assert write_large_blob(repo.root / ".git" / "objects", file, "sha1") == sha
    assert sha == blob_id(data)
    assert repo.git("cat-file", "-s", sha) == str(len(data))
    repo.git("fsck", "--strict")
