import pytest

from devpulse.adapters.overlay import OverlayTree
from devpulse.adapters.patch_file import PatchFileSource
from devpulse.core.change import FileKind, FileStatus
from devpulse.core.content import blob_id
from devpulse.errors import PatchInvalid

OLD = b"a\nb\nc\nd\n"
NEW = b"a\nB\nc\nd\n"
PATCH = b"diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n-b\n+B\n c\n"


def sides(patch, **files):
    source = PatchFileSource(patch, OverlayTree(files))
    change_set = source.load()
    assert change_set.pull_request is None
    assert change_set.fragments == source.fragments
    return source, change_set.files


@pytest.mark.parametrize("here", [OLD, NEW])
def test_patch_file_source__file_before_or_after_the_patch(here):
    source, (change,) = sides(PATCH, x=here, other=b"o")
    assert (source.base().read("x"), source.head().read("x")) == (OLD, NEW)
    assert (source.head().read("other"), source.fragments) == (b"o", frozenset())
    assert change.head.blob == blob_id(NEW)


@pytest.mark.parametrize("files", [{}, {"x": b"quite\nanother\nfile\n"}])
def test_patch_file_source__file_is_not_here(files):
    source, _ = sides(PATCH, **files)
    assert (source.base().read("x"), source.head().read("x")) == (b"\nb\nc\n", b"\nB\nc\n")
    assert source.fragments == {"x"}


def test_patch_file_source__added_and_deleted_files_are_complete():
    patch = (
        b"diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+p\n+q\n"
        b"diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
    )
    source, (added, deleted) = sides(patch, old=b"gone\n")
    assert (added.status, deleted.status) == (FileStatus.ADDED, FileStatus.DELETED)
    assert (source.head().read("new"), source.base().read("new")) == (b"p\nq\n", None)
    assert (source.head().read("old"), source.base().read("old")) == (None, b"gone\n")
    assert (source.head().paths(), source.base().paths()) == (("new",), ("old",))
    assert source.fragments == frozenset()


def test_patch_file_source__renamed_file_is_found_under_its_old_name():
    patch = (
        b"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -2 +2 @@\n-b\n+B\n"
    )
    source, (change,) = sides(patch, x=OLD)
    assert (change.status, source.head().read("y"), source.head().read("x")) == (FileStatus.RENAMED, NEW, None)
    assert (source.base().read("x"), source.base().read("y")) == (OLD, None)


def test_patch_file_source__two_files_change_places():
    patch = (
        b"diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"
        b"diff --git a/y b/x\nsimilarity index 100%\nrename from y\nrename to x\n"
    )
    source, _ = sides(patch, x=b"1\n", y=b"2\n")
    assert source.head().paths() == ("x", "y")


def test_patch_file_source__binary_file_has_no_base():
    patch = b"diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n"
    source, _ = sides(patch, x=b"\0\1")
    assert (source.base().read("x"), source.head().read("x")) == (None, b"\0\1")


def test_patch_file_source__bytes_that_are_not_utf8():
    source, (change,) = sides(PATCH.replace(b"+B", b"+\xe4\r"), x=OLD)
    assert [line.text for line in change.hunks[0].lines if line.added] == ["\ufffd\r"]
    assert source.head().read("x") == "a\n\ufffd\r\nc\nd\n".encode()


def test_patch_file_source__not_a_patch():
    with pytest.raises(PatchInvalid):
        sides(b"hello\n")


@pytest.mark.parametrize(("encoding", "kind"), [("utf-16", FileKind.WIDE_TEXT), ("utf-16-le", FileKind.BINARY)])
def test_patch_file_source__utf_16_that_is_here_is_told_from_binary(encoding, kind):
    patch = b"diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n"
    _, (change,) = sides(patch, x="Get-Item $name\n".encode(encoding))
    assert change.head.kind is kind
