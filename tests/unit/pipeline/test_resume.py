"""Stored work: keys, and when an entry may stand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from builders import (
    DictTree,
    MemoryIndex,
    ScriptedModel,
    call,
    make_change,
    make_hunk,
    make_symbol,
    make_task,
)

from devpulse.core.change import FileStatus, Side
from devpulse.core.fence import Fence
from devpulse.core.lookup import RecordingResolver
from devpulse.core.redaction import Redactor
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.resume import KeyParts, lookups_json, still_valid
from devpulse.pipeline.texts import RawText, SideTexts
from devpulse.pipeline.tools import Library, ToolBox

TASK = make_task()
BASE, HEAD = RawText("old\n", complete=True), RawText("new\n", complete=True)
PARTS = KeyParts(ScriptedModel.of(), 10, 32_000, verify=True, build="b")
FILES = {"lib/clean.py": "import re\ndef clean(x):\n    return re.escape(x)\n", "lib/a.py": "clean(1)\n"}


def test_key__64_hex_digits_the_same_every_time():
    assert re.fullmatch("[0-9a-f]{64}", PARTS.key(TASK, "system", BASE, HEAD))
    assert PARTS.key(TASK, "system", BASE, HEAD) == PARTS.key(make_task(id="other-id"), "system", BASE, HEAD)


class _OtherModel(ScriptedModel):
    version = "2"


@pytest.mark.parametrize(
    "key",
    [
        PARTS.key(TASK, "other", BASE, HEAD),
        replace(PARTS, max_steps=9).key(TASK, "system", BASE, HEAD),
        replace(PARTS, window=16_000).key(TASK, "system", BASE, HEAD),
        replace(PARTS, model=_OtherModel.of()).key(TASK, "system", BASE, HEAD),
        PARTS.key(TASK, "system", HEAD, HEAD),
        PARTS.key(TASK, "system", None, HEAD),
        PARTS.key(TASK, "system", BASE, BASE),
        PARTS.key(TASK, "system", BASE, None),
        PARTS.key(make_task(make_change("other.py")), "system", BASE, HEAD),
        PARTS.key(make_task(make_change(status=FileStatus.RENAMED, previous="x.py")), "system", BASE, HEAD),
        PARTS.key(make_task(make_change(hunks=[make_hunk("+x\n")])), "system", BASE, HEAD),
        PARTS.key(make_task(part=1, parts=2), "system", BASE, HEAD),
        PARTS.key(make_task(make_change("caf\udce9.py")), "system", BASE, HEAD),
    ],
)
def test_key__changes_with_everything_the_review_depends_on(key):
    assert key != PARTS.key(TASK, "system", BASE, HEAD)


def _world(files=FILES):
    tree, redactor = DictTree(files), Redactor()
    index = MemoryIndex([make_symbol("clean", "lib/clean.py")], files)
    texts = SideTexts(tree, Side.RIGHT, (), redactor)
    library = Library(PathGate(tree.size), index, texts.shown, lambda _path: None, redactor.mask)
    return index, ToolBox(library, Fence("f"), "app/db.py")


def _entry():
    index, tools = _world()
    resolver = RecordingResolver(index)
    resolver.definitions("clean", near="app/db.py")
    resolver.references("clean")
    resolver.enclosing("lib/clean.py", 3)
    for one in (
        call("load_symbol_source", symbol_name="clean"),
        call("read_lines", path="lib/a.py", start_line=1, end_line=1),
        call("read_lines", path="../out", start_line=1, end_line=1),
        call("search_codebase", query="clean", name="odd"),
    ):
        tools.run(one)
    return {"lookups": lookups_json((*resolver.lookups(), *tools.lookups()))}


def test_still_valid__the_same_repository_gives_the_same_answers():
    entry = _entry()
    assert len(entry["lookups"]) == 7
    assert still_valid(entry, *_world())
    assert still_valid({"lookups": []}, *_world({}))


@pytest.mark.parametrize(
    "files",
    [
        {**FILES, "lib/clean.py": FILES["lib/clean.py"].replace("re.escape(x)", "x")},
        {**FILES, "lib/a.py": "clean(2)\n"},
        {**FILES, "lib/b.py": "clean(3)\n"},
        {"lib/a.py": FILES["lib/a.py"]},
    ],
)
def test_still_valid__a_change_elsewhere_makes_it_stale(files):
    assert not still_valid(_entry(), *_world(files))


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"lookups": None},
        {"lookups": 3},
        {"lookups": [["only one"]]},
        {"lookups": [[3, 4]]},
        {"lookups": [["not json", "x"]]},
        {"lookups": [['"x"', "x"]]},
        {"lookups": [['["unknown", {}]', "x"]]},
        {"lookups": [['[["list"], {}]', "x"]]},
        {"lookups": [['["definitions", []]', "x"]]},
        {"lookups": [['["definitions", {"name": "clean", "near": null, "limit": 3, "more": 1}]', "x"]]},
        {"lookups": [['["read_lines", {"path": 3}]', "x"]]},
        {"lookups": [['["submit_review", {}]', "x"]]},
        {"lookups": [['["search_codebase", null]', "x"]]},
    ],
)
def test_still_valid__an_entry_of_another_shape_is_redone(entry):
    assert not still_valid(entry, *_world())
