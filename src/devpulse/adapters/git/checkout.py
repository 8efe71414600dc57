"""What a checkout makes of a committed file, and how to take it back."""

from __future__ import annotations

import hashlib
import re

_LFS_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*oid sha256:([0-9a-f]{64})\n")
LFS_POINTER_BYTES = 1024
"""The specification of Git LFS asks for pointers below 1,024 bytes."""


def lfs_digest(committed: bytes) -> str | None:
    """The SHA-256 of the file that a pointer of Git LFS names; ``None`` for everything else."""
    pointer = _LFS_POINTER.match(committed) if len(committed) < LFS_POINTER_BYTES else None
    return pointer.group(1).decode() if pointer else None


def as_committed(data: bytes, committed: bytes | None) -> bytes | None:
    """What a checkout made of a file, taken back: ``None`` when it is then the committed content.

    Git LFS replaces a pointer by the file it names. ``core.autocrlf`` ends each line with CR LF where the
    committed file has none: then all CRs go, or one edit would show as a change of every line.
    """
    if committed is None:
        return data
    if hashlib.sha256(data).hexdigest() == lfs_digest(committed):
        return None
    if b"\r\n" in data and b"\r\n" not in committed and data.count(b"\n") == data.count(b"\r\n"):
        plain = data.replace(b"\r\n", b"\n")
        return None if plain == committed else plain
    return data
