"""How much of a model's window each part of a context may take, measured in estimated tokens."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Self

CHARACTERS_PER_TOKEN = 4
DEFAULT_WINDOW = 32_000

SYSTEM_PERCENT = 5
CONTENT_PERCENT = 50
HISTORY_PERCENT = 25
OUTPUT_PERCENT = 20
PLANNED_PERCENT = 90
"""Of the room for content what a plan fills: headings and escapes of hidden characters come on top."""

REQUEST_PERCENT = 80
"""A request above this part of the window is never sent: the rest is the room for the answer."""

HEADROOM_PERCENT = 10
"""What calibration adds to the highest ratio seen: the next request may be denser than any before it."""

MOST_TIMES = 4
"""The highest believable ratio of tokens to estimated tokens: one token a character. Every request holds a prompt and
declarations in English, so that no script takes more on the whole."""

_REMEMBERED = 200


def estimate_tokens(text: str) -> int:
    """Tokens of a text by the usual rule of thumb: one for four characters, rounded up, at least one."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def estimate_all(texts: Iterable[str]) -> int:
    """Tokens of several texts together."""
    return sum(map(estimate_tokens, texts))


class TokenEstimate:
    """How far local estimates fall short, learned from what a service reports. Safe to use from several threads.

    The factor is the highest ratio of reported to estimated tokens among the last 200 requests, and a tenth more. The
    highest and no average, since a request that is too large is refused, while one that only seems so is halved. Of
    the last 200, so that one file in a dense script does not narrow a long run for ever. Never below one: the shares
    are laid out for one token in four characters, and a service that reports too little must not widen them. While
    nothing is reported, as offline, it is one.
    """

    def __init__(self, percent: int = 100) -> None:
        self._ratios: deque[int] = deque(maxlen=_REMEMBERED)
        self._percent = percent
        self._lock = Lock()

    def as_now(self) -> TokenEstimate:
        """The same factor, from now on apart from this one."""
        return TokenEstimate(self._percent)

    @property
    def factor(self) -> float:
        """By what estimates are multiplied."""
        return self._percent / 100

    def calibrated(self, estimated: int) -> int:
        """What so many estimated tokens will really take, rounded up."""
        return -(-estimated * self._percent // 100)

    def room(self, tokens: int) -> int:
        """The most estimated tokens that ``calibrated`` takes for at most ``tokens``."""
        return tokens * 100 // self._percent

    def observe(self, estimated: int, reported: int) -> bool:
        """Learn from one request; says whether the report can be believed. One that cannot changes nothing."""
        if estimated < 1 or not 0 < reported <= estimated * MOST_TIMES:
            return False
        with self._lock:
            self._ratios.append(-(-reported * 100 // estimated))
            self._percent = max(100, -(-max(self._ratios) * (100 + HEADROOM_PERCENT) // 100))
        return True


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """The shares of one context window.

    Figures are tokens as estimated here. ``history`` and ``request``, which texts are measured against before they are
    sent, get smaller when ``estimate`` learns that texts take more than estimated. What is planned does not, so that
    the same change always makes the same tasks and first texts; one that proves too large is halved. A budget that
    does not ``learn`` believes no report.
    """

    window: int = DEFAULT_WINDOW
    learns: bool = True
    estimate: TokenEstimate = field(default_factory=TokenEstimate, compare=False, repr=False)

    def for_a_run(self) -> Self:
        """The same shares, nothing learned yet."""
        return replace(self, estimate=TokenEstimate())

    def as_now(self) -> Self:
        """The same shares with the estimate as it is now: what other threads learn meanwhile does not change it, so
        that all that is asked of it for one request agrees."""
        return replace(self, estimate=self.estimate.as_now())

    @property
    def system(self) -> int:
        """Room for the system prompt."""
        return self.window * SYSTEM_PERCENT // 100

    @property
    def active_content(self) -> int:
        """Room for the annotated diff a child starts with."""
        return self.window * CONTENT_PERCENT // 100

    @property
    def planned_content(self) -> int:
        """What the annotated diff of a part, with the functions around it, is planned to take at most."""
        return self.active_content * PLANNED_PERCENT // 100

    @property
    def history(self) -> int:
        """Room for everything said and looked up after the first request."""
        return self.estimate.room(self.history_share)

    @property
    def history_share(self) -> int:
        """The same in tokens as the service counts them."""
        return self.window * HISTORY_PERCENT // 100

    @property
    def output(self) -> int:
        """Room for one answer, in tokens as the service counts them."""
        return self.window * OUTPUT_PERCENT // 100

    @property
    def request(self) -> int:
        """The most that one request may hold, tool declarations included."""
        return self.estimate.room(self.request_limit)

    @property
    def request_limit(self) -> int:
        """The same in tokens as the service counts them."""
        return self.window * REQUEST_PERCENT // 100

    def should_compress(self, history_tokens: int) -> bool:
        """Whether a history has outgrown its share."""
        return history_tokens > self.history

    def should_abort(self, request_tokens: int) -> bool:
        """Whether a request is too large to be sent at all."""
        return request_tokens > self.request

    def answered(self, request_tokens: int, reported: int) -> int:
        """Learn from an answered request; gives its size: as reported if that can be believed, else as estimated.

        ``request_tokens`` are estimated, ``reported`` what the service counted, zero when it did not say.
        """
        believed = self.learns and self.estimate.observe(request_tokens, reported)
        return reported if believed else self.estimate.calibrated(request_tokens)

    def overflowed(self, request_tokens: int) -> None:
        """Learn from a request that the service refused for its length: it must have filled the window at least."""
        if self.learns:
            self.estimate.observe(request_tokens, min(self.window, max(1, request_tokens) * MOST_TIMES))


@dataclass(frozen=True, slots=True)
class ContextUse:
    """How a piece of work used its contexts.

    ``largest_request`` are the tokens of the largest answered request, declarations included, of a ``window`` of so
    many; both zero when none was sent. ``compactions`` says how often a history was summed up, ``splits`` how often
    work was halved or narrowed, ``steps`` how many requests were made on the way.
    """

    window: int = 0
    largest_request: int = 0
    compactions: int = 0
    splits: int = 0
    steps: int = 0

    @property
    def percent(self) -> int:
        """The part of the window that the largest request took, rounded up."""
        return -(-self.largest_request * 100 // self.window) if self.window else 0

    def __add__(self, other: ContextUse) -> ContextUse:
        return ContextUse(
            max(self.window, other.window),
            max(self.largest_request, other.largest_request),
            self.compactions + other.compactions,
            self.splits + other.splits,
            self.steps + other.steps,
        )
