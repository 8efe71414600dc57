from __future__ import annotations

from devpulse.core.known_paths import KnownPaths

PATHS = KnownPaths({"b/A.java", "a/A.java", "a/a.JAVA", "c/d/B.kt", "top.go", "c/x.md"})


def test_named__by_the_last_part_in_any_case_and_sorted():
    assert PATHS.named("a.java") == ["a/A.java", "a/a.JAVA", "b/A.java"]
    assert PATHS.named("A.kt") == ()


def test_folders_with__only_those_that_hold_such_files():
    assert PATHS.folders_with((".java", ".kt")) == {"a": ("a/",), "b": ("b/",), "d": ("c/d/",)}
    assert PATHS.folders_with((".go",)) == {"": ("",)}
    assert PATHS.folders_with((".go",)) is PATHS.folders_with((".go",))


def test_folders_with__of_one_name():
    assert KnownPaths({"z/io/a.go", "y/io/b.go"}).folders_with((".go",)) == {"io": ("y/io/", "z/io/")}


def test_of__is_the_set_itself_when_it_is_one():
    assert KnownPaths.of(PATHS) is PATHS
    assert KnownPaths.of({"a"}).named("a") == ["a"]
