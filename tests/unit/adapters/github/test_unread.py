import pytest

from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.github.listing import Differing
from devpulse.adapters.github.replies import ListedFile
from devpulse.adapters.github.unread import unlisted_changes, unread_changes
from devpulse.core.change import FileStatus
from devpulse.pipeline.plan import skip_reason

ONE, TWO = "1" * 40, "2" * 40
PATCH = "@@ -1 +1 @@\n-a\n+b"


def entry(sha, mode="100644"):
    return Listed(mode, sha, 3)


def row(filename="a.py", status="modified", sha=TWO, patch: str | None = PATCH, previous=None):
    return ListedFile(filename=filename, status=status, sha=sha, patch=patch, previous_filename=previous)


def only(old, new, *rows, missing=(ONE, TWO)):
    (change,) = unread_changes(Differing(old, new), missing, rows)
    return change


def test_unread_changes__nothing_missing():
    assert unread_changes(Differing({"a": entry(ONE)}, {"a": entry(TWO)}), set(), ()) == []


def test_unread_changes__lines_from_the_patch():
    change = only({"a.py": entry(ONE)}, {"a.py": entry(TWO)}, row())
    assert (change.status, change.base.blob, change.head.blob) == (FileStatus.MODIFIED, ONE, TWO)
    assert [line.text for line in change.hunks[0].lines] == ["a", "b"]


@pytest.mark.parametrize(
    "rows", [(), (row(patch=None),), (row(patch="@@ broken"),), (row(sha="3" * 40),), (row(filename="b.py"),)]
)
@pytest.mark.parametrize("old", [{}, {"a.py": entry(ONE)}])
def test_unread_changes__never_looks_clean(rows, old):
    change = only(old, {"a.py": entry(TWO)}, *rows)
    assert change.hunks == ()
    assert "not readable" in str(skip_reason(change))


def test_unread_changes__deleted():
    change = only({"a.py": entry(ONE)}, {}, row(status="removed", sha=ONE, patch="@@ -1 +0,0 @@\n-a"))
    assert (change.status, change.head, len(change.hunks)) == (FileStatus.DELETED, None, 1)


def test_unread_changes__renamed():
    change = only({"old.py": entry(ONE)}, {"a.py": entry(TWO)}, row(status="renamed", previous="old.py"))
    assert (change.status, change.previous_path, len(change.hunks)) == (FileStatus.RENAMED, "old.py", 1)


def test_unread_changes__renamed_and_another_file_in_its_place():
    found = Differing({"old.py": entry(ONE)}, {"a.py": entry(TWO), "old.py": entry("3" * 40)})
    changes = unread_changes(found, {ONE, TWO}, [row(status="renamed", previous="old.py")])
    assert [(change.path, change.status) for change in changes] == [
        ("a.py", FileStatus.ADDED),
        ("old.py", FileStatus.MODIFIED),
    ]


def test_unread_changes__file_that_became_a_link():
    change = only({"a.py": entry(ONE)}, {"a.py": entry(TWO, "120000")}, row())
    assert (change.status, change.hunks) == (FileStatus.TYPE_CHANGED, ())


def test_unlisted_changes__what_the_trees_do_not_tell():
    rows = [row("a.py"), row("b.py"), row("c.py", "removed"), row("d.py", "added")]
    changes = unlisted_changes(Differing({}, {"a.py": entry(TWO)}), rows)
    assert [(change.path, change.status) for change in changes] == [
        ("b.py", FileStatus.ADDED),
        ("c.py", FileStatus.DELETED),
        ("d.py", FileStatus.ADDED),
    ]
    assert "not readable" in str(skip_reason(changes[0]))
