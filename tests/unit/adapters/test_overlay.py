from devpulse.adapters.overlay import OverlayTree


def test_overlay_tree__replaces_adds_and_removes():
    tree = OverlayTree({"b": b"new", "c": None, "d": b"x"}, OverlayTree({"a": b"1", "b": b"old", "c": b"3"}))
    assert tree.paths() == ("a", "b", "d")
    assert [tree.read(path) for path in "abcd"] == [b"1", b"new", None, b"x"]
    assert [tree.size(path) for path in "abcd"] == [1, 3, None, 1]
    assert dict(tree.read_many("abcz")) == {"a": b"1", "b": b"new"}


def test_overlay_tree__over_nothing():
    tree = OverlayTree({})
    assert (tree.paths(), tree.read("a"), tree.size("a")) == ((), None, None)
