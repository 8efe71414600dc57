"""Files by their object ids: from the checkout, from what was fetched before, else from GitHub."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

from devpulse.adapters.git.assembly import Assembly
from devpulse.adapters.github.reads import Reads
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.errors import GitHubError, GitHubNotFound, GitHubRateLimited

MAX_FETCHED = 700
"""Files asked of GitHub one by one. A workflow's token has 1,000 requests an hour for a repository."""

MAX_FAILURES = 3
"""Failures in a row after which GitHub is asked for no more files."""


class Blobs:
    """Fetched files are kept in the store beside the checkout's objects. Safe to use from several threads.

    A file that cannot be had is no reason to review none: half of the files reviewed are better than none, and the
    rest is reported as not read. ``problem`` is why the first was not given out, or why no more were asked for; empty
    when nothing went wrong.
    """

    def __init__(self, assembly: Assembly, reads: Reads) -> None:
        self._assembly = assembly
        self._reads = reads
        self._lock = threading.Lock()
        self._unreadable: set[str] = set()
        self._fetched = 0
        self._failures = 0
        self._exhausted = False
        self.problem = ""

    def local(self, shas: Sequence[str]) -> list[bytes | None]:
        """The contents of ``shas`` in their order, without a call."""
        return self._assembly.read_many(shas)

    def missing(self, shas: Iterable[str]) -> set[str]:
        """Those of ``shas`` that are not here."""
        wanted = set(shas)
        return wanted - self._assembly.present(wanted)

    def keep(self, data: bytes) -> None:
        """Put a file that was found by other means into the store."""
        self._assembly.store(data)

    def fetch(self, sha: str, size: int | None) -> bytes | None:
        """A file that is not here, from GitHub; ``None`` when it is too large, cannot be had, or is one too many."""
        with self._lock:
            found = self.local([sha])[0]  # another thread may have asked for it
            if found is not None:
                return found
            if self._fetched >= MAX_FETCHED:
                self._stop(f"GitHub is asked for {MAX_FETCHED} files at most")
            if self._exhausted or sha in self._unreadable or (size or 0) > DIFF_LIMIT_BYTES:
                return None
            self._fetched += 1
            data = self._ask(sha)
            if data is None:
                self._unreadable.add(sha)
            else:
                self.keep(data)
            return data

    def read(self, sha: str, size: Callable[[], int | None]) -> bytes | None:
        """A file from wherever it is; ``None`` when it cannot be had, which is tried once."""
        found = self.local([sha])[0]
        if found is not None:
            return found
        with self._lock:
            if sha in self._unreadable:
                return None
        try:
            return self.fetch(sha, size())
        except GitHubError:  # its size cannot be had
            with self._lock:
                self._unreadable.add(sha)
            return None

    def _ask(self, sha: str) -> bytes | None:
        try:
            data = self._reads.blob(sha)
        except GitHubError as error:
            self.problem = self.problem or str(error).rstrip(".")
            if not isinstance(error, GitHubNotFound):  # which says nothing about the next file
                self._failures += 1
            if isinstance(error, GitHubRateLimited) or self._failures >= MAX_FAILURES:
                self._stop(str(error).rstrip("."))
            return None
        self._failures = 0
        return data

    def _stop(self, reason: str) -> None:
        """Ask for no more; the reason concerns all that is left, whatever went wrong with single files."""
        if not self._exhausted:
            self._exhausted = True
            self.problem = reason
