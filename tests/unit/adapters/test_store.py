"""The resume store."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from devpulse.adapters.store import FolderStore, prune

KEY, OTHER = "ab" * 32, "cd" * 32
ENTRY = {"result": {"task": "db-1", "path": "caf\udce9\n.py"}, "lookups": [["q", "a"]]}


def _file(tmp_path, key=KEY):
    return tmp_path / "state" / key[:2] / f"{key}.json"


@pytest.fixture
def store(tmp_path):
    made = FolderStore(tmp_path / "state")
    made.save(KEY, ENTRY)
    return made


def test_load__gives_back_what_was_saved_also_to_a_later_run(store, tmp_path):
    assert store.load(KEY) == ENTRY
    assert FolderStore(tmp_path / "state").load(KEY) == ENTRY
    assert (store.damaged, store.unsaved) == ([], "")


def test_load__absent_is_not_damaged(store, tmp_path):
    assert store.load(OTHER) is None
    assert FolderStore(tmp_path / "nowhere").load(KEY) is None
    assert store.damaged == []


def test_save__the_later_entry_stands(store):
    store.save(KEY, {"result": 2})
    assert store.load(KEY) == {"result": 2}


def _edited(text, **changes):
    return json.dumps({**json.loads(text), **changes})


@pytest.mark.parametrize(
    "damage",
    [
        lambda _text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("db-1", "db-2"),
        lambda text: _edited(text, entry={}),
        lambda text: _edited(text, sha256="0" * 64),
        lambda text: _edited(text, sha256=None),
        lambda text: _edited(text, key=OTHER),
        lambda text: _edited(text, entry=[1]),
        lambda _text: "null",
        lambda _text: "[]",
        lambda _text: "3",
        lambda _text: '{"entry": {}}',
        lambda _text: "[" * 200_000,
        lambda text: text + "}",
    ],
)
def test_load__torn_or_edited_reads_as_absent_and_is_counted(store, tmp_path, damage):
    path = _file(tmp_path)
    path.write_text(damage(path.read_text()))
    assert store.load(KEY) is None
    assert store.damaged == [KEY]
    store.save(KEY, ENTRY)
    assert store.load(KEY) == ENTRY


def test_load__an_entry_moved_to_another_key_is_damaged(store, tmp_path):
    _file(tmp_path, OTHER).parent.mkdir()
    shutil.copy(_file(tmp_path), _file(tmp_path, OTHER))
    assert store.load(OTHER) is None
    assert store.damaged == [OTHER]


def test_load__a_well_formed_checksum_over_no_object_is_damaged(tmp_path):
    made = FolderStore(tmp_path / "other")
    made.save(KEY, ["not", "an", "object"])  # type: ignore[arg-type]  # what the type forbids, a file may hold
    assert made.load(KEY) is None
    assert made.damaged == [KEY]


def test_load__unreadable_is_damaged(store, tmp_path):
    _file(tmp_path).write_bytes(b"\xff\xfe")
    assert store.load(KEY) is None
    _file(tmp_path).unlink()
    _file(tmp_path).mkdir()
    assert store.load(KEY) is None
    assert store.damaged == [KEY, KEY]


def test_save__failing_is_no_error_and_the_first_reason_is_kept(tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    store = FolderStore(tmp_path / "state")
    store.save(KEY, ENTRY)
    first = store.unsaved
    store.save(OTHER, ENTRY)
    assert str(tmp_path / "state") in first
    assert store.unsaved == first


def test_save__while_another_run_clears_the_folder(store, tmp_path, monkeypatch):
    make = tempfile.mkstemp
    cleared: list[bool] = []

    def cleared_first(**options):
        if not cleared:
            shutil.rmtree(tmp_path / "state")
            cleared.append(True)
        return make(**options)

    monkeypatch.setattr(tempfile, "mkstemp", cleared_first)
    store.save(OTHER, ENTRY)
    assert cleared
    assert (store.load(OTHER), store.unsaved) == (ENTRY, "")


def test_clear__forgets_everything_and_may_be_repeated(store, tmp_path):
    store.clear()
    store.clear()
    assert not (tmp_path / "state").exists()
    assert store.load(KEY) is None
    assert store.damaged == []


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "AB" * 32, "xyz", "ab/cd"])
def test_keys__only_hexadecimal(store, key):
    for act in (lambda: store.load(key), lambda: store.save(key, {})):
        with pytest.raises(ValueError, match="hexadecimal"):
            act()


def test_store__many_threads_save_and_load(store):
    keys = [f"{number:064x}" for number in range(40)]

    def work(key):
        store.save(key, {"key": key})
        return store.load(key)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, keys)) == [{"key": key} for key in keys]


def _aged(store, tmp_path, key, days):
    store.save(key, ENTRY)
    file = _folder(tmp_path) / key[:2] / f"{key}.json"
    os.utime(file, (NOW - days * 86_400,) * 2)
    return file


def _folder(tmp_path):
    return tmp_path / "0123456789abcdef"


NOW = 2_000_000_000.0


def test_prune__entries_older_than_a_month_go(tmp_path):
    store = FolderStore(_folder(tmp_path))
    old, young = (_aged(store, tmp_path, key, days) for key, days in ((KEY, 31), (OTHER, 29)))
    left = old.with_name(f".{KEY}.json.x1.part")
    left.write_text("torn")
    os.utime(left, (1, 1))
    prune(tmp_path, NOW)
    assert (old.exists(), left.exists(), young.exists()) == (False, False, True)


def test_prune__what_a_killed_process_left_goes_after_a_day(tmp_path):
    entry = _aged(FolderStore(_folder(tmp_path)), tmp_path, KEY, 2)
    old, young = (entry.with_name(f".{KEY}.json.{name}.part") for name in ("x1", "x2"))
    for left, days in ((old, 2), (young, 0.5)):
        left.write_text("torn")
        os.utime(left, (NOW - days * 86_400,) * 2)
    prune(tmp_path, NOW)
    assert (entry.exists(), old.exists(), young.exists()) == (True, False, True)


def test_prune__used_entries_stay(tmp_path):
    store = FolderStore(_folder(tmp_path))
    file = _aged(store, tmp_path, KEY, 31)
    assert store.load(KEY) == ENTRY
    prune(tmp_path, file.stat().st_mtime + 1)
    assert file.exists()


def test_prune__at_most_so_many_the_oldest_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr("devpulse.adapters.store.MAX_ENTRIES", 2)
    store = FolderStore(_folder(tmp_path))
    files = [_aged(store, tmp_path, f"{number:02x}" * 32, number) for number in range(4)]
    prune(tmp_path, NOW)
    assert [file.exists() for file in files] == [True, True, False, False]


def test_prune__once_an_hour(tmp_path):
    store = FolderStore(_folder(tmp_path))
    prune(tmp_path, NOW)
    old = _aged(store, tmp_path, KEY, 31)
    prune(tmp_path, NOW + 3_599)
    assert old.exists()
    prune(tmp_path, NOW + 3_600)
    assert not old.exists()


def test_prune__a_clock_that_was_wrong_stops_nothing(tmp_path):
    prune(tmp_path, NOW + 86_400 * 365)
    old = _aged(FolderStore(_folder(tmp_path)), tmp_path, KEY, 31)
    prune(tmp_path, NOW)
    assert not old.exists()


def test_prune__touches_nothing_that_is_not_ours(tmp_path):
    others = [tmp_path / name for name in ("notes.json", "0123456789abcdef/notes.json", "project/ab/ab12.json")]
    outside = tmp_path / "elsewhere" / "ab" / f"{KEY}.json"
    for file in (*others, outside):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
        os.utime(file, (1, 1))
    (tmp_path / "fedcba9876543210").symlink_to(tmp_path / "elsewhere")
    prune(tmp_path, NOW)
    assert all(file.exists() for file in (*others, outside))


def test_prune__a_missing_or_locked_folder_is_no_error(tmp_path, monkeypatch):
    prune(tmp_path / "nowhere", NOW)
    file = _aged(FolderStore(_folder(tmp_path)), tmp_path, KEY, 31)

    def refuse(_path):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    prune(tmp_path, NOW)
    assert file.exists()
