import pytest

from devpulse.core.change import DiffLine, FileKind, FileStatus
from devpulse.core.diff import parse_hunks, parse_patch
from devpulse.errors import PatchInvalid


def one(text):
    (change,) = parse_patch(text)
    return change


def texts(change):
    return [line.text for hunk in change.hunks for line in hunk.lines]


def test_parse_patch__modified_file_with_mode_and_ids():
    change = one(
        "diff --git a/x.py b/x.py\nindex 1111111..2222222 100755\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert change.status is FileStatus.MODIFIED
    assert change.base is not None
    assert change.head is not None
    assert (change.base.blob, change.head.blob, change.head.mode) == ("1111111", "2222222", "100755")
    assert change.hunks[0].lines == (DiffLine(1, None, "a"), DiffLine(None, 1, "b"))


def test_parse_patch__added_deleted_and_empty_files():
    added, deleted, empty = parse_patch(
        "diff --git a/new b/new\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n"
        "+++ b/new\n@@ -0,0 +1 @@\n+x\n"
        "diff --git a/old b/old\ndeleted file mode 100755\nindex 1111111..0000000\n--- a/old\n"
        "+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n"
    )
    assert (added.status, added.base, added.path) == (FileStatus.ADDED, None, "new")
    assert (deleted.status, deleted.head, deleted.path) == (FileStatus.DELETED, None, "old")
    assert deleted.base is not None
    assert deleted.base.mode == "100755"
    assert (empty.status, empty.path, empty.hunks) == (FileStatus.ADDED, "e", ())


@pytest.mark.parametrize(("verb", "status"), [("rename", FileStatus.RENAMED), ("copy", FileStatus.COPIED)])
def test_parse_patch__rename_and_copy(verb, status):
    change = one(f"diff --git a/a b.py b/c d.py\nsimilarity index 100%\n{verb} from a b.py\n{verb} to c d.py\n")
    assert (change.status, change.previous_path, change.path) == (status, "a b.py", "c d.py")


def test_parse_patch__mode_change_alone():
    change = one("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n")
    assert change.base is not None
    assert change.head is not None
    assert (change.base.mode, change.head.mode, change.hunks) == ("100644", "100755", ())


def test_parse_patch__change_of_type_is_one_file():
    change = one(
        "diff --git a/b b/b\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/b\n"
        "+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/b b/b\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+t\n"
        "\\ No newline at end of file\n"
    )
    assert change.status is FileStatus.TYPE_CHANGED
    assert change.head is not None
    assert (change.head.kind, texts(change)) == (FileKind.SYMLINK, ["x", "t"])


@pytest.mark.parametrize(
    "body",
    ["Binary files a/x.png and b/x.png differ\n", "GIT binary patch\nliteral 3\nKcmZQz\n\nliteral 0\nHcmV?d00001\n\n"],
)
def test_parse_patch__binary_file_then_another(body):
    binary, text = parse_patch(
        f"diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\n{body}"
        "diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert binary.head is not None
    assert (binary.head.kind, binary.hunks, text.path) == (FileKind.BINARY, (), "y")


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("diff --git a/with blank.py b/with blank.py\n--- a/with blank.py\t\n+++ b/with blank.py\t\n", "with blank.py"),
        (
            (
                'diff --git "a/\\303\\244\\t\\"q" "b/\\303\\244\\t\\"q"\n--- "a/\\303\\244\\t\\"q"\n'
                '+++ "b/\\303\\244\\t\\"q"\n'
            ),
            'ä\t"q',
        ),
        ('diff --git "a/\\377" "b/\\377"\n--- "a/\\377"\n+++ "b/\\377"\n', "\udcff"),
        ("diff --git src/x src/x\n--- src/x\n+++ src/x\n", "src/x"),
        ("diff --git a/x a/x\n--- a/x\n+++ a/x\n", "a/x"),
        ("diff --git i/x w/x\n--- i/x\n+++ w/x\n", "x"),
        ("--- a/x.py\n+++ b/x.py\n", "x.py"),
        ("--- x.py\n+++ x.py\n", "x.py"),
        ("--- old/p/x.py\t2024-01-01 00:00:00.000 +0000\n+++ new/p/x.py\t2024-01-02 00:00:00.000 +0000\n", "p/x.py"),
        ("--- x.py.orig\n+++ x.py\n", "x.py"),
        ("Index: x.py\n=====\n--- x.py\t(revision 1)\n+++ x.py\t(working copy)\n", "x.py"),
    ],
)
def test_parse_patch__names(header, path):
    change = one(header + "@@ -1 +1 @@\n-a\n+b\n")
    assert (change.path, change.previous_path, change.status) == (path, None, FileStatus.MODIFIED)


def test_parse_patch__new_file_in_a_repository_without_prefixes_keeps_its_folder():
    change = one("diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n")
    assert change.path == "b/x"


def test_parse_patch__plain_diff_dates_an_absent_file_to_the_epoch():
    change = one("--- o/x\t1970-01-01 00:00:00.000 +0000\n+++ n/x\t2024-01-02 00:00:00.000 +0000\n@@ -0,0 +1 @@\n+a\n")
    assert (change.status, change.path) == (FileStatus.ADDED, "x")


def test_parse_patch__lines_that_look_like_headers_stay_lines():
    change = one(
        "--- a/q.sql\n"
        "+++ b/q.sql\n@@ -1,3 +1,3 @@\n--- a/x\n+++ b/x\n--- /dev/null\n+@@ -1 +1 @@\n diff --git a/z b/z\n"
    )
    assert texts(change) == ["-- a/x", "++ b/x", "-- /dev/null", "@@ -1 +1 @@", "diff --git a/z b/z"]


def test_parse_patch__mail_around_it_is_passed_over():
    change = one(
        "From 1234 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\nText\n---\n x | 2 +-\n\n"
        "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\n".replace(
            "1..2", "1111..2222"
        )
    )
    assert texts(change) == ["a", "b"]


def test_parse_patch__windows_line_ends_in_the_patch_itself():
    text = "diff --git a/x b/x\nindex 1111..2222 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    change = one(text.replace("\n", "\r\n"))
    assert (change.path, texts(change)) == ("x", ["a\r", "b\r"])


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_parse_patch__empty(text):
    assert parse_patch(text) == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hello\n", "no file"),
        ("@@ -1 +1 @@\n-a\n+b\n", "line 1: a hunk without a file"),
        ("--- a/x\n+++ b/x\n", "line 1: no hunk"),
        ("--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n+b\n", "line 3: the patch ends inside"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n", "line 6: the hunk is longer"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\nb\n", "line 5: does not fit"),
        ("--- a/x\n+++ b/x\n@@ nonsense\n-a\n+b\n", "line 3: not a hunk header"),
        ("--- a/x\n+++ b/x\n@@ -0,0 +0,0 @@\n", "line 3: the hunk is empty"),
        ("--- a/x\n+++ b/x\n@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "line 6: the hunk is empty, or overlaps"),
        ("--- a/x\n+++ b/x\n@@ -1 +99999999999999999999 @@\n-a\n+b\n", "not a hunk header"),
        ("diff --git a/x b/y\n--- a/x\n", "line 2: no +++"),
        ("diff --git a/x b/y\n", "line 1: the file name cannot be told"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/evil\n@@ -1 +1 @@\n-a\n+b\n", "line 3: the name"),
        ("diff --cc x\n@@@ -1 -1 +1 @@@\n", "combined diff"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "both sides"),
        ("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", "not a path inside"),
        ("--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n", "not a path inside"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" * 2, "line 6: 'x' appears a second time"),
    ],
)
def test_parse_patch__malformed(text, says):
    with pytest.raises(PatchInvalid) as caught:
        parse_patch(text)
    assert says in str(caught.value)
    assert caught.value.hint


def test_parse_hunks__heading_omitted_lengths_and_missing_line_feed():
    first, second = parse_hunks("@@ -1 +1 @@ def f(): @@\n-a\n+b\n\\ No newline at end of file\n@@ -9,2 +9 @@\n c\n-d")
    assert (first.old_length, first.new_length, len(first.lines)) == (1, 1, 2)
    assert second.lines == (DiffLine(9, 9, "c"), DiffLine(10, None, "d"))


def test_parse_hunks__empty_context_line_whose_blank_was_cut():
    (hunk,) = parse_hunks("@@ -1,2 +1,2 @@\n\n-a\n+b\n")
    assert hunk.lines[0] == DiffLine(1, 1, "")


def test_parse_hunks__text_after_them_is_refused():
    with pytest.raises(PatchInvalid, match="line 4: expected a hunk"):
        parse_hunks("@@ -1 +1 @@\n-a\n+b\nmore\n")


def test_parse_hunks__nothing():
    assert parse_hunks("") == ()


@pytest.mark.parametrize("meta", ["\x1b[1mdiff --git a/x b/x\x1b[m", "diff --git a/x b/x"])
def test_parse_patch__colors_are_refused(meta):
    binary = "diff --git a/l b/l\nindex 1111111..2222222 100644\nBinary files a/l and b/l differ\n"
    with pytest.raises(PatchInvalid, match="colours") as refused:
        parse_patch(f"{binary}{meta}\n\x1b[1mindex 1111111..2222222 100644\x1b[m\n\x1b[1m--- a/x\x1b[m\n")
    assert "--color=never" in refused.value.hint


@pytest.mark.parametrize(
    "end",
    [
        "",
        "index 1111111..2222222 100644\n",
        "index 1111111..2222222 100644\n--- a/x\n+++ b/x\n",
        "new file mode 100644\nindex 0000000..2222222\n",
        "similarity index 90%\nrename from x\nrename to y\n",
        "similarity index 100%\nrename from x\n",
    ],
)
def test_parse_patch__cut_before_the_hunks_is_refused(end):
    with pytest.raises(PatchInvalid, match=r"Patch line 1: .* ends early"):
        parse_patch(f"diff --git a/x b/x\n{end}")
