import zlib

import pytest

from devpulse.core.change import FileKind, FileVersion
from devpulse.core.content import blob_id, blob_id_of, has_stray_nul, kind_of, large_file, whole_file
from devpulse.core.text import DIFF_LIMIT_BYTES

CODE = b"def f(x):\n    return x + 1\n" * 40


@pytest.mark.parametrize(
    "data",
    [b"", CODE, b"\xff\xfe not utf-8", b"a\0b\n", CODE + b"# \0\n", b"\0" + CODE, CODE + b"#" + b"\0" * 9000 + b"\n"],
)
def test_kind_of__text(data):
    assert kind_of(data) is FileKind.TEXT


@pytest.mark.parametrize(
    "data",
    [
        CODE.decode().encode("utf-16-le"),
        CODE.decode().encode("utf-32-be"),
        b"\0" * 100,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + zlib.compress(bytes(range(256)) * 20) + b"\0",
        b"\0\x01\x02\x03" * 50,
    ],
)
def test_kind_of__binary(data):
    assert kind_of(data) is FileKind.BINARY


@pytest.mark.parametrize("mark", ["utf-16", "utf-32"])
def test_kind_of__wide_text_is_told_by_its_mark(mark):
    data = CODE.decode().encode(mark)
    assert kind_of(data) is FileKind.WIDE_TEXT
    assert whole_file("x.ps1", "100644", data).hunks == ()
    assert whole_file("x", "120000", data).head == FileVersion("x", "120000", blob_id(data), FileKind.SYMLINK)


def test_kind_of__wide_text_without_ascii_at_its_start():
    assert kind_of("".join(["\ufeff", "\u4e2d" * 9000, "\nGet-Item x\n"]).encode("utf-16-be")) is FileKind.WIDE_TEXT


def test_blob_id_of__pieces():
    assert blob_id_of(len(CODE), (CODE[:100], CODE[100:]), "sha256") == blob_id(CODE, "sha256")


def test_large_file__is_never_taken_for_an_empty_one():
    change = large_file("dump.sql", "100644", b"select 1;\n")
    assert (change.head, change.hunks) == (FileVersion("dump.sql", "100644", None, FileKind.TEXT), ())
    image = large_file("disk.img", "100644", bytes(8000))
    assert image.head == FileVersion("disk.img", "100644", None, FileKind.BINARY)


def test_has_stray_nul__a_replacement_character_in_the_text_is_no_fault():
    assert has_stray_nul(b"\0" + "\ufffd\n".encode() * 20)


def test_blob_id__is_gits():
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert blob_id(b"a\n") == "78981922613b2afb6025042ff6bd878ac1994e85"


def test_whole_file__one_hunk_with_every_line():
    change = whole_file("x.py", "100644", b"a\r\n\x0cb")
    (hunk,) = change.hunks
    assert [(line.new, line.text) for line in hunk.lines] == [(1, "a\r"), (2, "\x0cb")]
    assert (hunk.old_start, hunk.old_length, hunk.new_start, hunk.new_length) == (0, 0, 1, 2)


@pytest.mark.parametrize("data", [b"", CODE.decode().encode("utf-16"), b"a\n" * (DIFF_LIMIT_BYTES // 2 + 1)])
def test_whole_file__no_hunk(data):
    assert whole_file("x", "100644", data).hunks == ()
