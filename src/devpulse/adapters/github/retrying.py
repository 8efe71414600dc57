"""Which requests are sent again, and after what wait: reads only, a few times, within one allowance for a whole run.

A write whose answer got lost may have been applied: sent again, it would be a second comment. Its sender has
to look before it repeats it. GitHub's rules for waits are in its documentation of rate limits.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

from github.GithubException import GithubException
from github.GithubRetry import GithubRetry
from github.Requester import Requester
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import InvalidHeader, MaxRetryError, ResponseError
from urllib3.response import BaseHTTPResponse, HTTPResponse
from urllib3.util import Retry

READS = frozenset({"GET", "HEAD"})
PASSING = frozenset({408, 409})
"""Refusals that are about the moment, not about the request."""
_SERVER_ERRORS = frozenset({500, 502, 503, 504})
_LIMITED = frozenset({403, 429})
ATTEMPTS_MORE = 3
"""How often a read is sent again."""
_WAITS_SECONDS = 90.0
UNSAID_WAIT_SECONDS = 60.0
"""GitHub asks for at least a minute after a secondary limit that names no time."""


class Calls:
    """How many requests were sent, those sent again included. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.made = 0

    def add(self) -> None:
        """Count one."""
        with self._lock:
            self.made += 1


class Patience:
    """The seconds that all waits of a run may take together: before reads are sent again, and for rate limits.

    ``clock`` never goes back.
    """

    def __init__(self, seconds: float = _WAITS_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._left = seconds
        self._clock = clock
        self._end = math.inf

    def end_in(self, seconds: float) -> None:
        """Have no wait go beyond so many seconds from now: then the run has to be at its end."""
        self._end = self._clock() + seconds

    def take(self, seconds: float) -> bool:
        """Spend ``seconds``; false, and nothing is spent, when fewer are left."""
        with self._lock:
            if seconds > self._left or self._clock() + seconds > self._end:
                return False
            self._left -= seconds
            return True


class ReadRetry(Retry):
    """What urllib3 asks after a failed attempt. A 403 or 429 that stands comes out as PyGithub's exception."""

    def __init__(self, *, calls: Calls, patience: Patience, backoff: float, wait: float = 0.0, **settings: Any) -> None:
        settings.setdefault("total", ATTEMPTS_MORE)
        settings.setdefault("allowed_methods", READS)
        settings.setdefault("status_forcelist", _SERVER_ERRORS | _LIMITED | PASSING)
        # The last answer then reaches PyGithub, which makes its exception of it.
        settings.setdefault("raise_on_status", False)
        super().__init__(**settings)
        self._calls = calls
        self._patience = patience
        self._backoff = backoff
        self._wait = wait

    def new(self, **settings: Any) -> Self:
        """A copy with other counters."""
        own = {"calls": self._calls, "patience": self._patience, "backoff": self._backoff, "wait": self._wait}
        return super().new(**{**own, **settings})

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        """The state for the next attempt.

        Raises:
            MaxRetryError: there is to be none.
            GithubException: there is to be none; the answer said forbidden, or too many requests.
        """
        if error is not None and (method or "").upper() not in READS:
            raise MaxRetryError(_pool, url, error) from error  # type: ignore[arg-type]  # as urllib3 itself does
        refusal = _read_refusal(response, url) if response is not None and response.status in _LIMITED else None
        try:
            following = super().increment(method, url, response, error, _pool, _stacktrace)
            wait = self._backoff * 2.0 ** (len(following.history) - 1)
            if refusal is not None:
                wait = max(wait, refusal.wait)
            elif response is not None:
                wait = max(wait, _retry_after(self, response.headers) or 0.0)
            if not self._patience.take(wait):
                raise MaxRetryError(_pool, url, error or ResponseError("no time left"))  # type: ignore[arg-type]
        except MaxRetryError as ended:
            if refusal is not None:
                raise refusal.exception from ended
            raise
        self._calls.add()
        return following.new(wait=wait)

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:  # noqa: ARG002  (urllib3's signature)
        """Wait as long as ``increment`` has decided."""
        time.sleep(self._wait)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A 403 or 429, whose body can be read only once; ``wait`` is infinite when it is no rate limit."""

    exception: GithubException
    wait: float


def _read_refusal(response: BaseHTTPResponse, url: str | None) -> _Refusal:
    headers = {name.lower(): value for name, value in response.headers.items()}
    try:
        body = json.loads(GithubRetry.get_content(cast("HTTPResponse", response), url or ""))
    except ValueError:
        body = None  # a proxy's page, say
    told = body if isinstance(body, dict) else {}
    message = str(told.get("message") or "")
    exception = Requester.createException(response.status, headers, {**told, "message": message})
    return _Refusal(exception, rate_limit_wait(response.status, headers, message, time.time()))


def rate_limit_wait(status: int, headers: Mapping[str, str], message: str, now: float) -> float:
    """Seconds until a request may be sent again; infinite when the answer is about something else.

    ``headers`` have names in lower case, ``now`` is in seconds since the epoch.
    """
    asked = _retry_after(Retry(), headers)
    if asked is not None:
        return asked
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        # The reset is somewhere in the second it names.
        return max(0.0, float(reset) - now) + 1.0
    if status == 429 or Requester.isRateLimitError(message):
        return UNSAID_WAIT_SECONDS
    return math.inf


def _retry_after(retry: Retry, headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after")
    try:
        return None if value is None else float(retry.parse_retry_after(value))
    except InvalidHeader:
        return None
