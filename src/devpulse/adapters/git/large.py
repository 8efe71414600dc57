"""Files of the working tree that may be larger than memory: compared and stored piece by piece."""

from __future__ import annotations

import errno
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from devpulse.adapters.git.checkout import LFS_POINTER_BYTES, lfs_digest
from devpulse.adapters.git.process import Git
from devpulse.adapters.work_tree import chunks_of
from devpulse.core.content import blob_id_of


def is_committed(git: Git, file: BinaryIO, sha: str, algorithm: str) -> bool:
    """Whether a file is the blob ``sha`` as it was checked out: as it is, by Git LFS, or with CR LF at line ends."""
    size = os.fstat(file.fileno()).st_size
    if blob_id_of(size, chunks_of(file), algorithm) == sha:
        return True
    asked = git.run(["cat-file", "-s", sha])
    if asked.status:
        return False
    committed = int(asked.output)
    if committed < LFS_POINTER_BYTES:
        expected = lfs_digest(git.check(["cat-file", "blob", sha]))
        return expected is not None and expected == _sha256(chunks_of(file))
    if committed >= size or sum(map(len, _with_lf(chunks_of(file)))) != committed:
        return False
    return blob_id_of(committed, _with_lf(chunks_of(file)), algorithm) == sha


def write_large_blob(objects: Path, file: BinaryIO, algorithm: str) -> str:
    """Store a file as a loose object in our own object folder; gives its id.

    Raises:
        OSError: it changed meanwhile, or the disk is full.
    """
    size = os.fstat(file.fileno()).st_size
    sha = blob_id_of(size, chunks_of(file), algorithm)
    target = objects / sha[:2] / sha[2:]
    if target.exists():
        return sha
    target.parent.mkdir(exist_ok=True)
    packed, check = zlib.compressobj(level=1), hashlib.new(algorithm, usedforsecurity=False)
    with target.open("wb") as store:
        for chunk in chain((b"blob %d\0" % size,), chunks_of(file)):
            check.update(chunk)
            store.write(packed.compress(chunk))
        store.write(packed.flush())
    if check.hexdigest() != sha:
        target.unlink()
        raise OSError(errno.EBUSY, "it changed while it was read")
    return sha


def _with_lf(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in chunks:
        joined = held + chunk
        held = b"\r" if joined.endswith(b"\r") else b""
        yield joined[: len(joined) - len(held)].replace(b"\r\n", b"\n")
    yield held


def _sha256(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()
