"""What can go wrong between a client and GitHub, switched on by a test."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fakes.github_http import Answer, GitHubRequest, Refused

INTEGRATION = "Resource not accessible by integration"
_SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
RESET = Answer(0)
"""In place of an answer: the connection is reset."""
_COUNTED = "^(?!GET /rate_limit)"
_PRIMARY = "API rate limit exceeded for installation ID 1."


@dataclass
class _Fault:
    match: re.Pattern[str]
    times: int | None
    answer: Answer | None
    applied: bool = False


class Faults:
    """The switches. ``match`` is a regular expression looked for in "METHOD /path?query"; empty means every request.

    ``times`` of None lasts until ``clear``. ``read_only`` is the token of a fork's pull request, ``may_not_resolve``
    one without contents: write, ``graphql_down`` answers every query with 502.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Everything works."""
        self._faults: list[_Fault] = []
        self._actions: list[tuple[re.Pattern[str], Callable[[], object]]] = []
        self._writes_left: int | None = None
        self._retry_after: int | None = None
        self.read_only = False
        self.may_not_resolve = False
        self.graphql_down = False

    def fail(
        self,
        match: str = "",
        status: int = 502,
        *,
        message: str = "Server Error",
        headers: Mapping[str, str] | None = None,
        times: int | None = 1,
    ) -> None:
        """Answer with an error; nothing is applied."""
        self._add(match, times, Refused(status, message, headers=headers).answer)

    def odd(self, match: str, status: int, body: bytes, *, applied: bool = False, times: int | None = 1) -> None:
        """Answer with what is none of GitHub's answers, after the request was applied or without."""
        self._faults.append(_Fault(re.compile(match), times, Answer(status, body), applied))

    def drop(self, match: str = "", times: int | None = 1) -> None:
        """Reset the connection before the request is applied."""
        self._add(match, times, None)

    def lose_reply(self, match: str = "", times: int | None = 1) -> None:
        """Apply the request, then reset the connection in place of an answer."""
        self._add(match, times, None, applied=True)

    def primary_limit(self, match: str = _COUNTED, *, reset: int | None = None, times: int | None = None) -> None:
        """The hour's requests are used up until ``reset``, in seconds of the epoch (by default a minute from now).

        Asking for the limit costs nothing (GitHub Docs, "Get rate limit status").
        """
        headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset or int(time.time()) + 60)}
        self.fail(match, 403, message=_PRIMARY, headers=headers, times=times)

    def secondary_limit(self, match: str = "", *, retry_after: int | None = None, times: int | None = 1) -> None:
        """Too much at once; GitHub does not always say how many seconds to wait."""
        headers = {"retry-after": str(retry_after)} if retry_after is not None else {}
        self.fail(match, 403, message=_SECONDARY, headers=headers, times=times)

    def limit_writes(self, after: int, *, retry_after: int | None = None) -> None:
        """Refuse every POST after that many, with the secondary limit."""
        self._writes_left, self._retry_after = after, retry_after

    def before(self, match: str, action: Callable[[], object]) -> None:
        """Do something once, just before the first such request is looked at."""
        self._actions.append((re.compile(match), action))

    def _add(self, match: str, times: int | None, answer: Answer | None, *, applied: bool = False) -> None:
        self._faults.append(_Fault(re.compile(match), times, answer, applied))

    def run_actions(self, request: GitHubRequest) -> None:
        for entry in [each for each in self._actions if each[0].search(str(request))]:
            self._actions.remove(entry)
            entry[1]()

    def take(self, request: GitHubRequest, *, applied: bool) -> Answer | None:
        """The answer, or ``RESET``, in place of the right one. ``applied`` asks for what happens after the write."""
        for fault in self._faults:
            if fault.applied == applied and fault.times != 0 and fault.match.search(str(request)):
                if fault.times is not None:
                    fault.times -= 1
                return fault.answer or RESET
        return None

    def refuse(self, request: GitHubRequest) -> None:
        """The lasting refusals: rate limit of writes, a token that may only read, GraphQL out of order."""
        if request.path == "/graphql":  # what its mutations may do is told in the answer
            if self.graphql_down:
                raise Refused(502, "Server Error")
            return
        if request.method == "GET":
            return
        if self.read_only:
            raise Refused(403, INTEGRATION)
        if request.method == "POST" and self._writes_left is not None:
            if self._writes_left == 0:
                after = {"retry-after": str(self._retry_after)} if self._retry_after is not None else {}
                raise Refused(403, _SECONDARY, headers=after)
            self._writes_left -= 1
