from pathlib import Path

import pytest

from devpulse.main.scope import scope_of


@pytest.mark.parametrize(
    ("asked", "scope"),
    [
        ("", ""),
        (".", ""),
        ("a", "a"),
        ("a/b/", "a/b"),
        ("a/../a/b", "a/b"),
        (".git", ""),
        (".git/hooks", ""),
        ("link", "a"),
    ],
)
def test_scope_of__below_the_root(tmp_path, asked, scope):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    assert scope_of(tmp_path / asked, tmp_path) == scope


def test_scope_of__relative_to_where_we_are(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert scope_of(Path(), tmp_path) == "a"
    assert scope_of(Path(".."), tmp_path) == ""


def test_scope_of__outside(tmp_path):
    with pytest.raises(ValueError, match="subpath"):
        scope_of(tmp_path.parent, tmp_path)
