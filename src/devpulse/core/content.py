"""What the bytes of a file are: text that can be reviewed, or binary. Also a whole file seen as one added hunk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from devpulse.core.change import FileChange, FileKind, FileStatus, FileVersion, Hunk
from devpulse.core.packed_lines import PackedLines
from devpulse.core.text import BINARY_PROBE_BYTES, DIFF_LIMIT_BYTES, decode, split_lines

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_NUL_RUN = re.compile(rb"\x00+")
_ODD_CONTROLS = bytes(set(range(0x20)) - set(b"\0\t\n\v\f\r\b\x1b"))
_NUL_RUNS = 2
_NUL_RUNS_PER_BYTE = 1 / 8
_ODD_SHARE = 1 / 10


def is_git_binary(data: bytes) -> bool:
    """Git's own rule: a NUL byte among the first 8,000 bytes."""
    return b"\0" in data[:BINARY_PROBE_BYTES]


def has_stray_nul(data: bytes) -> bool:
    """Whether a file that git calls binary is text with some NUL bytes put into it.

    Otherwise one NUL byte in a comment would hide a source file from review. The rule: no UTF-16 or
    UTF-32 byte order mark; at most one *run* of NULs for eight other bytes, or two in all (UTF-16 text
    has one for every character, padding has few however long it is); and of the other bytes at most a tenth are
    control characters or not UTF-8 (compressed and machine code have far more).
    """
    if data.startswith(_WIDE_MARKS):
        return False
    rest = data.replace(b"\0", b"")
    if not rest or len(_NUL_RUN.findall(data)) > max(_NUL_RUNS, len(rest) * _NUL_RUNS_PER_BYTE):
        return False
    controls = len(rest) - len(rest.translate(None, _ODD_CONTROLS))
    undecodable = decode(rest).count("\ufffd") - rest.count("\ufffd".encode())
    return controls + undecodable <= len(rest) * _ODD_SHARE


def kind_of(data: bytes) -> FileKind:
    """TEXT, WIDE_TEXT or BINARY for the content of a regular file.

    A file beyond ``DIFF_LIMIT_BYTES`` is judged by its beginning alone.
    """
    sample = data if len(data) <= DIFF_LIMIT_BYTES else data[:BINARY_PROBE_BYTES]
    if sample.startswith(_WIDE_MARKS) and b"\0" in sample:
        return FileKind.WIDE_TEXT
    return FileKind.BINARY if is_git_binary(sample) and not has_stray_nul(sample) else FileKind.TEXT


def kind_of_mode(mode: str) -> FileKind | None:
    """SYMLINK or SUBMODULE by git's mode; ``None`` for a regular file, whose content decides."""
    return {"120000": FileKind.SYMLINK, "160000": FileKind.SUBMODULE}.get(mode)


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """Git's object id of a file with this content; ``algorithm`` is the repository's object format."""
    return blob_id_of(len(data), (data,), algorithm)


def blob_id_of(size: int, chunks: Iterable[bytes], algorithm: str = "sha1") -> str:
    """The id of a file of ``size`` bytes that comes in pieces."""
    digest = hashlib.new(algorithm, b"blob %d\0" % size, usedforsecurity=False)
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def whole_file(path: str, mode: str, data: bytes, blob: str | None = None) -> FileChange:
    """A file as if it had just been added: one hunk with all of its lines.

    Binary files, UTF-16 and UTF-32, and files beyond ``DIFF_LIMIT_BYTES`` have no hunk. ``blob`` is
    computed when not given.
    """
    kind = kind_of_mode(mode) or kind_of(data)
    version = FileVersion(path, mode, blob or blob_id(data), kind)
    shown = kind not in (FileKind.BINARY, FileKind.WIDE_TEXT) and len(data) <= DIFF_LIMIT_BYTES
    lines = split_lines(decode(data)) if shown else []
    return FileChange(FileStatus.ADDED, None, version, (added_hunk(lines),) if lines else ())


def added_hunk(lines: list[str]) -> Hunk:
    """The hunk of a file that consists of ``lines`` (at least one) and did not exist before."""
    packed = PackedLines(f"@@ -0,0 +1,{len(lines)} @@", [f"+{line}" for line in lines])
    return Hunk(0, 0, 1, len(lines), packed)


def large_file(path: str, mode: str, beginning: bytes, blob: str | None = None) -> FileChange:
    """A file beyond ``DIFF_LIMIT_BYTES`` of which only the ``beginning`` was read; never one without content."""
    return FileChange(FileStatus.ADDED, None, FileVersion(path, mode, blob, kind_of(beginning)), ())


def unread_file(path: str, mode: str) -> FileChange:
    """A file that is there but could not be read: it has no blob, and nobody may take it for an empty one."""
    return FileChange(FileStatus.ADDED, None, FileVersion(path, mode, None, kind_of_mode(mode) or FileKind.TEXT), ())
