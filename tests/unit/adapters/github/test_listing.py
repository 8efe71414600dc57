from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.github.listing import as_in_json, differing, listed
from devpulse.adapters.github.replies import TreeItem

ONE, TWO = "1" * 40, "2" * 40
ODD = "bytes-\udcff.py"
SHOWN = "bytes-\ufffd.py"


def item(path, sha=ONE, kind="blob"):
    return TreeItem(path=path, mode="040000" if kind == "tree" else "100644", type=kind, sha=sha, size=3)


def entry(sha=ONE, mode="100644"):
    return Listed(mode, sha, 3)


def test_as_in_json__names():
    assert [as_in_json(name) for name in ("ü.py", ODD, "a\udcc3(")] == ["ü.py", SHOWN, "a\ufffd("]


def test_listed__folders_are_left_out():
    assert listed([item("a", kind="tree"), item("a/b")], {}, "x/") == {"x/a/b": entry()}


def test_listed__true_name_of_the_checkout():
    assert listed([item(SHOWN)], {ODD: entry(TWO)}) == {ODD: entry()}


def test_listed__name_that_really_is_so():
    assert listed([item(SHOWN)], {}) == {SHOWN: entry()}


def test_listed__same_content_tells_two_names_apart():
    known = {"bytes-\udcfe.py": entry(TWO), ODD: entry(ONE)}
    assert listed([item(SHOWN, ONE), item(SHOWN, TWO)], known) == {ODD: entry(ONE), "bytes-\udcfe.py": entry(TWO)}


def test_listed__no_file_is_lost_to_another_with_the_same_mangled_name():
    found = listed([item(SHOWN, ONE), item(SHOWN, TWO)], {})
    assert found == {SHOWN: entry(ONE), f"{SHOWN} (222222222222)": entry(TWO)}


def test_differing__content_mode_and_presence():
    base = {"same": entry(), "content": entry(), "mode": entry(), "gone": entry()}
    head = {"same": entry(), "content": entry(TWO), "mode": entry(mode="100755"), "new": entry()}
    found = differing(base, head)
    assert (sorted(found.old), sorted(found.new)) == (["content", "gone", "mode"], ["content", "mode", "new"])
    assert found.complete
