"""Bounds on reading an answer: the client's own timeout starts again with every byte, and it has no size limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2

from devpulse.adapters.gemini.failures import Failure
from devpulse.errors import ModelError

MAX_BYTES = 64 * 1024 * 1024
"""The largest answer that is read, as sent; the largest output a model has is far below."""


class BodyRefused(Exception):
    """Carries the failure out of the client, which passes on what its stream raises."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


class BoundedBody(httpx2.SyncByteStream):
    """The body of an answer, refused when it is longer than ``MAX_BYTES`` or not read in time.

    ``late`` says whether the time of this attempt is over.
    """

    def __init__(self, stream: httpx2.SyncByteStream, late: Callable[[], bool]) -> None:
        self._stream = stream
        self._late = late

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for piece in self._stream:
            read += len(piece)
            if read > MAX_BYTES:
                raise BodyRefused(Failure(ModelError(f"Gemini's answer is longer than {MAX_BYTES} bytes")))
            if self._late():
                raise httpx2.ReadTimeout("the answer was not complete in the time allowed")
            yield piece

    def close(self) -> None:
        """Close the connection's side of it."""
        self._stream.close()
