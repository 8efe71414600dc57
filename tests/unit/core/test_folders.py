from __future__ import annotations

from devpulse.core.folders import folder_above, folder_of, folders_around


def test_folder_of__with_its_slash():
    assert [folder_of(path) for path in ("a/b/c.py", "c.py", "")] == ["a/b/", "", ""]


def test_folder_above__stops_at_the_root():
    assert [folder_above("a/b/", levels) for levels in range(4)] == ["a/b/", "a/", "", ""]


def test_folders_around__innermost_first():
    assert folders_around("a/b/c.py") == ["a/b/", "a/"]
    assert folders_around("c.py") == []
