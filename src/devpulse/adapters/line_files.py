"""Files that grow by whole lines: appended in one piece, and rid of what a sudden death left torn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

_BLOCK = 65_536


def append_line(path: Path, line: str) -> None:
    """Append a line with one call to the system, so that lines of several threads never mix.

    Raises:
        OSError: it cannot be written, or the disk is full; nothing of the line is then left.
    """
    data = (line + "\n").encode("utf-8", errors="backslashreplace")
    with path.open("ab", buffering=0) as file:
        start = file.seek(0, os.SEEK_END)
        try:
            written = file.write(data)
            while written < len(data):  # a disk that is nearly full takes a part
                written += file.write(data[written:])
        except OSError:
            file.truncate(start)
            raise


def drop_torn_end(path: Path) -> int:
    """Cut off an unfinished last line; gives the number of bytes that went.

    Raises:
        OSError: the file cannot be read or changed. One that is not there is whole.
    """
    try:
        with path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            whole = _end_of_lines(file, end)
            if whole < end:
                file.truncate(whole)
            return end - whole
    except FileNotFoundError:
        return 0


def _end_of_lines(file: BinaryIO, end: int) -> int:
    """Where the last line feed ends, 0 without any."""
    while end > 0:
        start = max(0, end - _BLOCK)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
