"""``progress_notes.md``: lines for people, each sealed with a sum over itself and all lines before it.

Nothing is ever decided by the notes: what is finished is known from the resume store. The seal is there
to tell people when a line they read was not written by a run. It is no signature.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_SEALED = re.compile(r"(?P<line>.*) sum=(?P<sum>[0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class Seal:
    """Where the chain of sums stands; the empty one begins a file."""

    sum: str = ""

    def next(self, line: str) -> tuple[str, Seal]:
        """The line as it is to be written, and the seal after it."""
        seal = Seal(hashlib.sha256(f"{self.sum}\n{line}".encode("utf-8", "backslashreplace")).hexdigest()[:12])
        return f"{line} sum={seal.sum}", seal


def first_altered(text: str) -> tuple[int, Seal]:
    """The number of the first line that no run wrote so and there, 0 when there is none; and the seal at the end."""
    seal = Seal()
    for number, written in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        match = _SEALED.fullmatch(written)
        if match is None:
            return number, seal
        expected, seal = seal.next(match["line"])
        if written != expected:
            return number, seal
    return 0, seal
