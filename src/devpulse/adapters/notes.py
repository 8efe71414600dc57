"""``progress_notes.md``: lines for people, each sealed with a sum over itself and all lines before it.

Nothing is ever decided by the notes: what is finished is known from the resume store. The seal is there
to tell people when a line they read was not written by a run. It is no signature.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

_SEALED = re.compile(r"(?P<line>.*) sum=(?P<sum>[0-9a-f]{12})\Z")
_TAIL_BYTES = len(" sum=0123456789ab\n")


@dataclass(frozen=True, slots=True)
class Seal:
    """Where the chain of sums stands; the empty one begins a file."""

    sum: str = ""

    def next(self, line: str) -> tuple[str, Seal]:
        """The line as it is to be written, and the seal after it."""
        seal = Seal(hashlib.sha256(f"{self.sum}\n{line}".encode("utf-8", "backslashreplace")).hexdigest()[:12])
        return f"{line} sum={seal.sum}", seal


def last_seal(path: Path) -> Seal:
    """Where the file stands. It is asked and not remembered: a signal may come between a line and its memory.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            match = _SEALED.search(file.read().decode("ascii", "replace").removesuffix("\n"))
    except FileNotFoundError:
        return Seal()
    return Seal(match["sum"]) if match else Seal()


def first_altered(text: str) -> int:
    """The number of the first line that no run wrote so and there; 0 when there is none."""
    seal = Seal()
    for number, written in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        match = _SEALED.fullmatch(written)
        if match is None:
            return number
        expected, seal = seal.next(match["line"])
        if written != expected:
            return number
    return 0
