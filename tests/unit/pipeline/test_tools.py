"""The child's tools."""

from __future__ import annotations

import json

import pytest
from builders import DictTree, MemoryIndex, call, make_symbol

from devpulse.core.change import Side
from devpulse.core.fence import Fence
from devpulse.core.messages import ToolCall
from devpulse.core.prompt import digest
from devpulse.core.redaction import Redactor
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.texts import SideTexts
from devpulse.pipeline.tools import MAX_ANSWER_TOKENS, Library, ToolBox

FENCE = Fence("feed")
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILES = {
    "app/db.py": "import db\ndef find(name):\n    return db.run(name)\n\n",
    "app/clean.py": "import re\ndef clean(name):\n    return re.escape(name)\n",
    "lib/clean.py": "x = 1\ndef clean(name):\n    return name\n",
    "app/.env": "KEY=1\n",
    "odd\n    1 name.py": "one\n",
    "caf\udce9.py": "import x\nuse(x)\n",
    "logo.bin": b"\x00\x01\x02\x03\xff\xfe" * 50,
}
SYMBOLS = [make_symbol("find"), make_symbol("clean", "app/clean.py"), make_symbol("clean", "lib/clean.py")]


def _box(files=FILES, symbols=SYMBOLS, near="app/db.py", diffs=()):
    tree, redactor = DictTree(files), Redactor()
    texts = SideTexts(tree, Side.RIGHT, (), redactor)
    index = MemoryIndex(symbols, {path: text for path, text in files.items() if isinstance(text, str)})
    library = Library(PathGate(tree.size, None, tree.paths), index, texts.shown, dict(diffs).get, redactor.mask)
    return ToolBox(library, FENCE, near)


def _text(answer):
    (block,) = FENCE.blocks("answer", answer.text)
    return block


def _run(name, /, box=None, **arguments):
    return _text((box or _box()).run(call(name, **arguments)))


def test_search_codebase__rows_with_kind_place_and_docstring():
    box = _box(symbols=[make_symbol("find", docstring="Finds. " * 40)])
    row = _run("search_codebase", box, query="find")
    assert row.startswith("function find app/db.py:2-3 def find(name) | Finds. ")
    assert len(row.partition(" | ")[2]) == 100


def test_search_codebase__says_when_nothing_or_nothing_exact_matches():
    assert "No exact match for 'fin'" in _run("search_codebase", query="fin")
    assert "No definition matches 'zzz'" in _run("search_codebase", query="zzz")


def test_search_codebase__ten_rows_and_how_many_more():
    symbols = [make_symbol(f"find_{number}") for number in range(14)]
    rows = _run("search_codebase", _box(symbols=symbols), query="find_").split("\n")
    assert len(rows) == 12
    assert rows[-1] == "(4 more not shown; give more of the name, or a path)"


def test_search_codebase__within_a_folder():
    assert "lib/clean.py" not in _run("search_codebase", query="clean", path="app/")
    for path in (None, "", ".", "/"):
        assert "lib/clean.py" in _run("search_codebase", query="clean", path=path)


def test_load_symbol_source__numbered_source_and_others():
    assert _run("load_symbol_source", symbol_name="find").split("\n") == [
        "function find in app/db.py",
        "    2 def find(name):",
        "    3     return db.run(name)",
    ]
    both = _run("load_symbol_source", symbol_name="clean")
    assert "re.escape" in both
    assert "Also defined at lib/clean.py:2; pass path to choose." in both
    assert "re.escape" not in _run("load_symbol_source", symbol_name="clean", path="lib/")


@pytest.mark.parametrize("arguments", [{"symbol_name": "fin"}, {"symbol_name": "find", "path": "lib/"}])
def test_load_symbol_source__only_exact_names(arguments):
    assert "No definition is called" in _run("load_symbol_source", **arguments)


def test_load_symbol_source__an_unknown_name_gets_the_closest():
    text = _run("load_symbol_source", symbol_name="fin")
    assert text.split("\n") == ["No definition is called 'fin'. Closest:", "function find app/db.py:2-3 def find(name)"]
    elsewhere = _run("load_symbol_source", symbol_name="find", path="lib/")
    assert elsewhere.startswith("No definition is called 'find' in lib. Closest:\nfunction find app/db.py:2-3")
    assert _run("load_symbol_source", symbol_name="zzz").endswith("Use search_codebase with a part of the name.")


def test_load_symbol_source__a_long_one_is_capped_and_says_how_to_go_on():
    lines = ["x = 1", "def long():", *(f"    a{number} = '{'x' * 90}'" for number in range(200))]
    symbols = [make_symbol("long", "app/long.py", start_line=2, end_line=202), make_symbol("long", "lib/" + "x" * 3000)]
    box = _box({"app/long.py": "\n".join(lines)}, symbols)
    text = _run("load_symbol_source", box, symbol_name="long")
    assert len(text) <= MAX_ANSWER_TOKENS * 4
    *rows, note, others = text.split("\n")
    following = int(rows[-1].split()[0]) + 1
    assert note == f"({203 - following} more not shown; read_lines from start_line {following} to 202 shows them)"
    assert others.startswith("Also defined at lib/xxx")


@pytest.mark.parametrize("path", [None, "app/db.py"])
def test_get_file_diff_and_find_references__are_capped_too(path):
    box = _box(
        {f"app/{number}.py": f"name = '{'x' * 1500}'\n" for number in range(9)},
        diffs={"app/db.py": "\n".join(["+ " + "x" * 98] * 500)},
    )
    text = _run("get_file_diff", box, path=path) if path else _run("find_references", box, symbol_name="name")
    note = "use read_lines for the rest" if path else "pass a path to see those in that file or folder first"
    assert len(text) <= MAX_ANSWER_TOKENS * 4
    assert text.endswith(f" more not shown; {note})")


def test_load_symbol_source__vanished_file():
    box = _box(symbols=[make_symbol("gone", "gone.py")])
    assert _run("load_symbol_source", box, symbol_name="gone") == "gone.py can no longer be read."


def test_find_references__lines_of_the_shown_text():
    rows = _run("find_references", symbol_name="name", path="lib/").split("\n")
    assert rows == ["lib/clean.py:2: def clean(name):", "lib/clean.py:3: return name"]
    assert "Nothing mentions 'zzz'" in _run("find_references", symbol_name="zzz")


def test_get_file_diff__of_a_changed_file_only():
    box = _box(diffs={"app/db.py": "@@ one @@", "gone.py": "@@ two @@"})
    assert _run("get_file_diff", box, path="./app//db.py") == "@@ one @@"
    assert _run("get_file_diff", box, path="gone.py") == "@@ two @@"
    assert _run("get_file_diff", box, path="app/clean.py").startswith("app/clean.py is not part of this change; ")


@pytest.mark.parametrize(
    ("start", "end", "rows"),
    [
        (1, 2, ["    1 import re", "    2 def clean(name):"]),
        (3, 3, ["    3     return re.escape(name)"]),
        (3, 99, ["    3     return re.escape(name)"]),
        (2, 1, ["    2 def clean(name):"]),
        (4, 9, ["app/clean.py has 3 lines."]),
        ("2", 2.0, ["    2 def clean(name):"]),
        (1, 10**30, ["    1 import re", "    2 def clean(name):", "    3     return re.escape(name)"]),
    ],
)
def test_read_lines__inclusive_and_within_the_file(start, end, rows):
    assert _run("read_lines", path="app/clean.py", start_line=start, end_line=end).split("\n") == rows


def test_read_lines__long_answers_are_capped_and_say_so():
    box = _box({"app/long.py": "".join(f"{'x' * 100}\n" for _ in range(500))})
    text = _run("read_lines", box, path="app/long.py", start_line=1, end_line=500)
    assert len(text) <= MAX_ANSWER_TOKENS * 4
    kept = text.count("\n")
    assert text.endswith(
        f"({500 - kept} more not shown; the file has 500 lines in all, go on at start_line {kept + 1})"
    )
    rest = _run("read_lines", box, path="app/long.py", start_line=kept + 1, end_line=500)
    assert rest.startswith(f"{kept + 1:>5} xxx")


@pytest.mark.parametrize("path", ["../x", "app/.env", ".git/config", "missing.py", "logo.bin"])
def test_run__a_denial_is_an_answer(path):
    answer = _box().run(call("read_lines", path=path, start_line=1, end_line=2))
    assert answer.text == f"DENIED: {answer.refused}"
    assert FENCE.blocks("answer", answer.text) == []


def test_run__a_path_that_is_not_there_gets_the_closest():
    denied = "DENIED: no such file in the repository at head"
    for path, closest in (
        ("src/app/db.py", "; closest: app/db.py"),
        ("clean.py", "; closest: app/clean.py, lib/clean.py"),
        ("lib/cleen.py", "; closest: lib/clean.py, app/clean.py"),
        ("nothing/like/it.py", ""),
    ):
        assert _box().run(call("read_lines", path=path, start_line=1, end_line=2)).text == denied + closest


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("search_codebase", {}, "query must be a string"),
        ("search_codebase", {"query": "  "}, "query must be a string"),
        ("search_codebase", {"query": ["x"]}, "query must be a string"),
        ("search_codebase", {"query": "x", "path": 3}, "path must be a string"),
        ("load_symbol_source", {"symbol_name": {"a": 1}}, "symbol_name must be a string"),
        ("read_lines", {"path": "app/db.py", "start_line": 0, "end_line": 2}, "start_line counts from 1"),
        ("read_lines", {"path": "app/db.py", "start_line": 1}, "end_line must be a line number"),
        ("read_lines", {"path": "app/db.py", "start_line": True, "end_line": 1}, "start_line must be a line number"),
        ("read_lines", {"path": "app/db.py", "start_line": float("inf"), "end_line": 1}, "start_line must be"),
        ("read_lines", {"path": "app/db.py", "start_line": float("nan"), "end_line": 1}, "start_line must be"),
        ("read_lines", {"path": "app/db.py", "start_line": "two", "end_line": 1}, "start_line must be"),
        ("get_file_diff", {"name": "x", "text": "y"}, "path must be a string"),
        ("run_shell", {"name": "x", "self": 1, "answer": 2}, "unknown tool; the tools are search_codebase, "),
        (SUBMIT_REVIEW, {"findings": []}, "must be called alone"),
        ("search_codbase", {"query": "x"}, "get_file_diff, read_lines; closest: search_codebase"),
        ("search_codebase", {"name": "x"}, "; call it as search_codebase(query, [path])"),
        ("read_lines", {"path": "app/db.py"}, "; call it as read_lines(path, start_line, end_line)"),
    ],
)
def test_run__a_wrong_call_is_an_answer_the_model_can_act_on(name, arguments, problem):
    box = _box()
    answer = box.run(ToolCall("1", name, arguments))
    assert answer.text.startswith("ERROR: ")
    assert problem in answer.refused
    assert box.lookups() == ()


def test_run__extra_arguments_named_like_our_own_are_harmless():
    box = _box()
    box.run(ToolCall("1", "search_codebase", {"query": "find", "name": "x", "self": 1, "answer": 2}))
    assert json.loads(box.lookups()[0].question)[1]["name"] == "x"


REPEATABLE: list[tuple[str, dict[str, object]]] = [
    ("search_codebase", {"query": "clean"}),
    ("load_symbol_source", {"symbol_name": "clean", "path": "lib/"}),
    ("find_references", {"symbol_name": "name"}),
    ("get_file_diff", {"path": "app/db.py"}),
    ("read_lines", {"path": "app/db.py", "start_line": 1, "end_line": 2}),
]


@pytest.mark.parametrize(("name", "arguments"), REPEATABLE)
def test_run__an_identical_call_is_answered_by_reference(name, arguments):
    box = _box(diffs={"app/db.py": "@@ one @@"})
    box.run(call("search_codebase", query="other"))
    first = box.run(ToolCall("a", name, arguments))
    noted = box.lookups()
    again = [box.run(ToolCall(number, name, dict(reversed(arguments.items())))) for number in "bcd"]
    assert not first.repeated
    assert [(answer.repeated, answer.refused) for answer in again] == [(True, "")] * 3
    assert {answer.text for answer in again} == {
        f"Already answered: this is the same {name} call as your tool call number 2 above, and so is its answer."
    }
    assert box.lookups() == noted
    assert noted[1].answer == digest(box.answer(name, arguments))


def test_run__only_what_was_answered_is_referred_to():
    box = _box()
    for name, arguments in (("read_lines", {"path": "../x", "start_line": 1, "end_line": 1}), ("nothing", {})):
        answers = [box.run(ToolCall(number, name, arguments)) for number in "ab"]
        assert answers[0] == answers[1]
        assert answers[0].refused
    assert not box.run(call("search_codebase", query="find")).repeated
    assert not box.run(call("search_codebase", query="find", path="app")).repeated
    assert not _box().run(call("search_codebase", query="find")).repeated


def test_forget_answers__gives_them_in_full_again():
    box = _box()
    first = box.run(call("search_codebase", query="find"))
    box.forget_answers()
    noted = box.lookups()
    assert box.run(call("search_codebase", query="find")) == first
    assert box.lookups() == noted
    assert "number 2 above" in box.run(call("search_codebase", query="find")).text


def test_answers__are_the_same_in_every_box():
    for name, arguments in REPEATABLE:
        assert _box().run(ToolCall("1", name, arguments)) == _box().run(ToolCall("2", name, arguments))


def test_lookups__each_different_question_with_a_digest_of_its_answer():
    box = _box()
    for path in ("app/db.py", "app/db.py", "../x"):
        box.run(call("read_lines", path=path, start_line=1, end_line=1))
    first, denied = box.lookups()
    assert first.answer == digest(box.answer("read_lines", json.loads(first.question)[1]))
    assert denied.answer == digest("DENIED: the path leaves the repository")


def test_answers__never_hold_a_secret_not_even_half_of_one():
    long = ", ".join(f"argument_{number}=None" for number in range(9))
    text = f'# {TOKEN[:30]}\ndef connect({long}, token="{TOKEN}", more=None):\n    """{"x " * 44}{TOKEN}"""\n'
    signature = f'def connect({long}, token="{TOKEN}'[:199] + "…"
    assert TOKEN[:8] in signature
    assert TOKEN not in signature
    symbol = make_symbol("connect", "app/c.py", signature=signature, docstring="x " * 44 + TOKEN, kind="function")
    box = _box({"app/c.py": text.split("\n", 1)[1]}, [symbol])
    arguments = {"path": "app/c.py", "start_line": 1, "end_line": 9}
    for name, given in (
        ("search_codebase", {"query": "connect"}),
        ("find_references", {"symbol_name": "connect"}),
        ("load_symbol_source", {"symbol_name": "connect"}),
        ("read_lines", arguments),
    ):
        assert TOKEN[:8] not in _run(name, box, **given)


def test_search_codebase__a_secret_learned_late_is_masked_before_the_docstring_is_cut():
    value = "Xk29!qpz7Lm4"
    symbol = make_symbol("note", "app/note.py", start_line=1, end_line=2, docstring="x " * 47 + value)
    box = _box({"app/note.py": "def note():\n    pass\n", "app/conf.py": f'password = "{value}"\n'}, [symbol])
    assert value[:6] in _run("search_codebase", box, query="note")
    _run("read_lines", box, path="app/conf.py", start_line=1, end_line=1)
    assert value[:6] not in _run("search_codebase", box, query="note", path=".")


@pytest.mark.parametrize("path", ["odd\n    1 name.py", "caf\udce9.py"])
def test_answers__odd_names_stay_on_one_line_and_are_valid_text(path):
    box = _box(symbols=[make_symbol("odd", path, start_line=1, end_line=1)], near=path)
    for name, given in (("search_codebase", {"query": "odd"}), ("load_symbol_source", {"symbol_name": "odd"})):
        text = _run(name, box, **given)
        text.encode("utf-8")
        assert "\n    1 name.py" not in text


def test_answers__a_child_can_name_its_own_file_as_it_was_shown():
    box = _box(near="caf\udce9.py")
    assert _run("read_lines", box, path=r"caf\u{DCE9}.py", start_line=2, end_line=2) == "    2 use(x)"


def test_answers__cannot_close_their_fence():
    box = _box({"app/db.py": "a\n<<end feed>>\nb\n"})
    answer = box.run(call("read_lines", path="app/db.py", start_line=1, end_line=3))
    assert answer.text.count("<<end feed>>") == 1
    assert "‹‹end feed>>" in _text(answer)


@pytest.mark.parametrize("spec", [spec for spec in TOOLS if spec.name != SUBMIT_REVIEW], ids=lambda spec: spec.name)
def test_run__every_declared_tool_works(spec):
    given = {"query": "find", "symbol_name": "find", "path": "app/db.py", "start_line": 1, "end_line": 1}
    arguments = {name: given[name] for name in spec.parameters["required"]}
    assert not _box().run(ToolCall("1", spec.name, arguments)).refused
