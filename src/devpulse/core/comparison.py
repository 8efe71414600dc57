"""What the context strategies save: the same work done in several ways, as figures.

All tokens are estimates of whole requests, tool declarations included, but for those of ``reported``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devpulse.core.finding import Finding
from devpulse.core.isolation import base_task
from devpulse.core.messages import Usage

BEFORE = "before"
AFTER = "after"


@dataclass(frozen=True, slots=True)
class SentSize:
    """One request: the conversation it belongs to, and its estimated tokens."""

    task: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of doing the work. ``sizes`` are its requests, task by task in the order the tasks are begun.

    ``failure`` says what of the work was not done, and is empty when all of it was: only then its tokens can be
    compared. ``reported`` is what the engine reported.
    """

    name: str
    about: str
    sizes: tuple[SentSize, ...]
    findings: tuple[Finding, ...]
    reported: Usage
    failure: str = ""

    @property
    def tokens(self) -> int:
        """Input tokens of all requests."""
        return sum(size.tokens for size in self.sizes)

    @property
    def largest(self) -> int:
        """The largest request."""
        return max((size.tokens for size in self.sizes), default=0)

    def of_task(self, task: str) -> list[int]:
        """The requests of a task of the plan, its halves and its verification included."""
        return [size.tokens for size in self.sizes if base_task(size.task) == task]


@dataclass(frozen=True, slots=True)
class SameFindings:
    """The findings of two arms compared by fingerprint."""

    identical: int
    total: int
    only_first: tuple[Finding, ...]
    only_second: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Ablation:
    """One strategy by itself: ``arm`` was run for it, ``switches`` says how the two arms of the row differ.

    ``more`` and ``less`` are the arms without and with the strategy.
    """

    strategy: str
    switches: str
    arm: Arm
    more: Arm
    less: Arm

    @property
    def saved(self) -> int | None:
        """Tokens that the strategy saved, negative when it cost some; ``None`` when one of the arms failed."""
        return saved_tokens(self.more, self.less)

    @property
    def findings(self) -> SameFindings:
        """The findings of the two arms."""
        return same_findings(self.more.findings, self.less.findings)


@dataclass(frozen=True, slots=True)
class ComparedTask:
    """A task of the plan: ``path`` as it may be shown, ``part`` like ``2 of 5`` or empty."""

    task: str
    path: str
    part: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The work without the strategies, with them, and with single ones. ``window`` is that of one context."""

    engine: str
    model: str | None
    window: int
    limit: int
    tasks: tuple[ComparedTask, ...]
    before: Arm
    after: Arm
    ablations: tuple[Ablation, ...] = ()

    @property
    def saved(self) -> int | None:
        """Tokens saved by all strategies together; ``None`` when an arm failed."""
        return saved_tokens(self.before, self.after)

    @property
    def saved_reported(self) -> int | None:
        """Input tokens saved as the engine reported them; ``None`` when an arm failed or the engine reports none."""
        before, after = self.before.reported, self.after.reported
        unknown = self.saved is None or not (before.input_tokens and after.input_tokens)
        return None if unknown else before.input_tokens - after.input_tokens

    @property
    def saved_usd(self) -> float | None:
        """USD saved; ``None`` when an arm failed, the engine reports nothing, or the price is unknown."""
        before, after = self.before.reported, self.after.reported
        if self.saved is None or before.cost_usd is None or after.cost_usd is None:
            return None
        return float(before.cost_usd - after.cost_usd)

    @property
    def findings(self) -> SameFindings:
        """The findings of both arms."""
        return same_findings(self.before.findings, self.after.findings)


def saved_tokens(more: Arm, less: Arm) -> int | None:
    """How many tokens fewer the second arm took; ``None`` when one of the two did not do all the work."""
    return None if more.failure or less.failure else more.tokens - less.tokens


def share_percent(part: int | None, whole: int) -> float | None:
    """A part in percent of the whole; ``None`` when there is no part or no whole."""
    return None if part is None or whole <= 0 else 100 * part / whole


def same_findings(first: Iterable[Finding], second: Iterable[Finding]) -> SameFindings:
    """Which findings, by fingerprint, are in both, and which only in one."""
    ones = {finding.fingerprint: finding for finding in first}
    others = {finding.fingerprint: finding for finding in second}
    return SameFindings(
        identical=len(ones.keys() & others.keys()),
        total=len(ones.keys() | others.keys()),
        only_first=tuple(finding for name, finding in ones.items() if name not in others),
        only_second=tuple(finding for name, finding in others.items() if name not in ones),
    )


def in_task_order(sizes: Iterable[SentSize], tasks: Sequence[str]) -> tuple[SentSize, ...]:
    """Requests by the place of their task in ``tasks``, those of one task in the order they were sent.

    Parallel children send in any order; a figure must not depend on it. What belongs to no task comes last.
    """
    places = {task: place for place, task in enumerate(tasks)}
    return tuple(sorted(sizes, key=lambda size: places.get(base_task(size.task), len(places))))
