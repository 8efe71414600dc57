import errno
import os

import pytest

from devpulse.adapters.folder import FolderSource, is_below
from devpulse.core.change import FileStatus
from devpulse.core.review import SkipKind
from devpulse.errors import SourceError
from devpulse.pipeline.plan import skip_reason


def test_folder_source__every_file_is_added(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.py").write_text("x\ny\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: x")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("z")
    source = FolderSource(tmp_path, frozenset({"out"}))
    change_set = source.load()
    (change,) = change_set.files
    assert change_set.pull_request is None
    assert (change.status, change.path, len(change.hunks[0].lines)) == (FileStatus.ADDED, "p/a.py", 2)
    assert (source.head().read("p/a.py"), source.base().read("p/a.py")) == (b"x\ny\n", None)


def test_folder_source__symlinks_are_not_followed(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "secret").write_text("s")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "secret")
    assert FolderSource(tmp_path / "root").load().files == ()


@pytest.mark.parametrize("name", ["missing", "file"])
def test_folder_source__not_a_folder(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match=r"does not exist|is not a folder") as caught:
        FolderSource(tmp_path / name)
    assert caught.value.hint


@pytest.mark.parametrize(("path", "below"), [("out", True), ("out/x", True), ("outer", False), ("a/out", False)])
def test_is_below__whole_components(path, below):
    assert is_below(path, frozenset({"out"})) is below
    assert is_below(path, frozenset({"out/"})) is (below and path != "out")


def test_folder_source__folder_that_cannot_be_listed_is_named(tmp_path, monkeypatch):
    for name in ("locked", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "a.py").write_text("x\n")
    listed = os.scandir

    def scandir(path):
        if os.fsdecode(path).endswith(("locked/", "out/")):
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    files = FolderSource(tmp_path, frozenset({"out"})).load().files
    assert [change.path for change in files] == ["a.py", "locked/"]
    reason = skip_reason(files[1])
    assert reason is not None
    assert reason.kind is SkipKind.LIMIT


def test_folder_source__root_that_cannot_be_listed(tmp_path, monkeypatch):
    def scandir(_path):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(SourceError, match="cannot be listed"):
        FolderSource(tmp_path)
