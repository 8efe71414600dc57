from devpulse.adapters.overlay import OverlayTree


def test_overlay_tree__replaces_adds_and_removes():
    tree = OverlayTree({"b": b"new", "c": None, "d": b"x"}, OverlayTree({"a": b"1", "b": b"old", "c": b"3"}))
    assert tree.paths() == ("a", "b", "d")
    assert [tree.read(path) for path in "abcd"] == [b"1", b"new", None, b"x"]
    assert [tree.size(path) for path in "abcd"] == [1, 3, None, 1]
    assert dict(tree.read_many("abcz")) == {"a": b"1", "b": b"new"}


def test_read_many__in_the_order_asked_for_from_whichever_tree_has_it():
    below = OverlayTree({"a": b"1", "b": b"old", "c": b"3", "e": b"5"})
    tree = OverlayTree({"b": b"new", "c": None, "d": b"x"}, below)
    assert list(tree.read_many(["e", "d", "a", "c", "b", "a"])) == [
        ("e", b"5"), ("d", b"x"), ("a", b"1"), ("b", b"new"), ("a", b"1"),
    ]  # fmt: skip
    assert list(OverlayTree({"b": b"new"}).read_many(["a", "b"])) == [("b", b"new")]


def test_read_many__asks_below_for_runs_of_files_with_the_limit():
    asked = []

    class Below(OverlayTree):
        def read_many(self, paths, most=None):
            wanted = list(paths)
            asked.append((wanted, most))
            return super().read_many(wanted, most)

    tree = OverlayTree({"b": b"long"}, Below({"a": b"1", "c": b"3", "d": b"4"}))
    assert [path for path, _ in tree.read_many(["a", "b", "c", "d"], 2)] == ["a", "b", "c", "d"]
    assert asked == [(["a"], 2), (["c", "d"], 2)]


def test_overlay_tree__over_nothing():
    tree = OverlayTree({})
    assert (tree.paths(), tree.read("a"), tree.size("a")) == ((), None, None)
