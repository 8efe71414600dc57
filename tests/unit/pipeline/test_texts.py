"""Both sides of a change, read once and redacted as a whole."""

from __future__ import annotations

from builders import DictTree, make_change, make_hunk, trees_of

from devpulse.core.change import FileKind, FileStatus, Side
from devpulse.core.redaction import Redactor
from devpulse.pipeline.gate import MAX_FILE_BYTES, MAX_LINE_NUMBER
from devpulse.pipeline.texts import ChangeTexts, RawText, SideTexts, last_line, text_of_hunks

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def _head(tree, *changes, redactor=None, fragments=frozenset()):
    return SideTexts(tree, Side.RIGHT, changes, redactor or Redactor(), fragments)


def test_text_of_hunks__puts_lines_at_their_numbers():
    hunks = [make_hunk(" a\n-b\n+c\n", old_start=2, new_start=3), make_hunk("+d\n", old_start=9, new_start=6)]
    assert text_of_hunks(hunks, Side.RIGHT) == "\n\na\nc\n\nd\n"
    assert text_of_hunks(hunks, Side.LEFT) == "\na\nb\n"
    assert text_of_hunks([], Side.LEFT) == ""


def test_raw__whole_text_of_the_tree_counts_as_complete():
    tree = DictTree({"a.py": b"caf\xe9\nb"})
    texts = _head(tree)
    assert texts.raw("a.py") == RawText("caf\ufffd\nb", complete=True)
    texts.raw("a.py")
    assert tree.reads == ["a.py"]


def test_raw__fragments_are_never_complete():
    assert _head(DictTree({"a.py": "x"}), fragments=frozenset({"a.py"})).raw("a.py") == RawText("x", complete=False)


def test_raw__what_the_tree_lacks_comes_from_the_hunks():
    change = make_change("a.py", "+x\n")
    assert _head(DictTree({}), change).raw("a.py") == RawText("x\n", complete=False)
    big = DictTree({"a.py": b"y" * (MAX_FILE_BYTES + 1)})
    assert _head(big, change).raw("a.py") == RawText("x\n", complete=False)
    assert big.reads == []


def test_raw__nothing_to_show():
    binary = DictTree({"logo.png": b"\x89PNG\0\x01\x02\x03" * 40})
    assert _head(binary).raw("logo.png") is None
    assert _head(binary).raw("missing.py") is None
    assert _head(binary, make_change("logo.png", kind=FileKind.BINARY)).raw("logo.png") is None
    assert _head(DictTree({}), make_change("a.py", status=FileStatus.DELETED)).raw("a.py") is None
    assert _head(DictTree({}), make_change("a.py", hunks=[])).raw("a.py") is None


def test_raw__a_text_with_a_stray_nul_is_text():
    assert _head(DictTree({"a.py": b"x = 1  # \0\n" + b"y = 2\n" * 9})).raw("a.py") is not None


def test_raw__unbelievable_line_numbers_cost_nothing():
    change = make_change("a.py", hunks=[make_hunk("+x\n", new_start=999_999_999)])
    assert last_line(change) > MAX_LINE_NUMBER
    assert _head(DictTree({}), change).raw("a.py") is None


def test_shown__secrets_are_replaced_and_learned():
    redactor = Redactor()
    texts = _head(DictTree({"a.py": f'token = "{TOKEN}"\nb\n'}), redactor=redactor)
    shown = texts.shown("a.py")
    assert shown is not None
    assert TOKEN not in "".join(shown.lines)
    assert len(shown.lines) == 2
    assert shown.altered == {1}
    assert TOKEN not in redactor.mask(f"leaked {TOKEN}")
    assert texts.shown("missing.py") is None


def test_shown__a_secret_known_from_elsewhere_is_masked_too():
    redactor = Redactor()
    texts = _head(DictTree({"a.py": 'password = "Xk29!qpz7Lm"\n', "b.py": 'print("Xk29!qpz7Lm")\n'}), redactor=redactor)
    texts.shown("a.py")
    shown = texts.shown("b.py")
    assert shown is not None
    assert "Xk29" not in shown.lines[0]


def test_change_texts__sides_by_their_own_names():
    change = make_change("new.py", status=FileStatus.RENAMED, previous="old.py")
    base, head = trees_of(change)
    redactor = Redactor()
    texts = ChangeTexts(SideTexts(base, Side.LEFT, [change], redactor), SideTexts(head, Side.RIGHT, [change], redactor))
    shown = texts.shown(change)
    assert shown.base is not None
    assert shown.head is not None
    assert shown.base.lines[2] == "    return db.get(name)"
    assert shown.head.lines[2].startswith("    return db.run(")
    added = texts.shown(make_change("new.py", status=FileStatus.ADDED))
    assert added.base is None


def test_learn__reads_many_at_once_and_those_without_content_from_their_hunks():
    class Batches(DictTree):
        def read_many(self, paths, most=None):
            self.asked = list(paths)
            return super().read_many(self.asked, most)

    known, gone = "xK9-mP2-vL5nQ8rT", "wJ7-bN3-cF6hD1sG"
    tree, redactor = Batches({"a.py": f'password = "{known}"\n'}), Redactor()
    texts = _head(tree, make_change("a.py"), make_change("gone.py", f'+password = "{gone}"\n'), redactor=redactor)
    assert redactor.mask(known + gone) == known + gone
    texts.learn()
    assert tree.asked == ["a.py", "gone.py"]
    assert known not in redactor.mask(f"see {known}")
    assert gone not in redactor.mask(f"see {gone}")
    before = list(tree.reads)
    assert texts.raw("a.py") == RawText(f'password = "{known}"\n', complete=True)
    assert tree.reads == before
