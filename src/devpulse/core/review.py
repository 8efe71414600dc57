"""A review as data: tasks, outcomes, coverage, and the report of the whole run."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from devpulse.core.budget import ContextUse
from devpulse.core.change import FileChange, Hunk, PullRequest
from devpulse.core.finding import Finding
from devpulse.core.messages import Usage


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """One unit of isolated work: a file, or one part of an oversized file.

    ``id`` is unique in a plan and safe as a file name. ``part`` counts from 1 to ``parts``.
    ``content_tokens`` is the estimated size of the annotated diff it starts with.
    """

    id: str
    change: FileChange
    hunks: tuple[Hunk, ...]
    part: int
    parts: int
    content_tokens: int
    review_type: str = "security"


RULES_ONLY = "model unavailable, rules only"
"""The reason of a file that the rules reviewed as a whole in the place of a model. Where something else is missing
as well the reason is longer."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The whole change of the file was looked at. ``reason`` is ``reused`` when a stored review stood."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Partial:
    """Some of it was looked at; what was found is kept, and ``reason`` says what was not done."""

    reason: str


class SkipKind(StrEnum):
    """POLICY skips are complete by intention; LIMIT skips (size, tokens, time) make a run incomplete."""

    POLICY = "policy"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Nothing was looked at, on purpose or because of a limit."""

    reason: str
    kind: SkipKind = SkipKind.POLICY


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing usable came of it; ``reason`` names the cause."""

    reason: str


Outcome = Reviewed | Partial | Skipped | Failed
"""A union on purpose: a file that was not reviewed can never look like a clean one."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """One row for each changed file: what became of it. ``tokens`` are input and output together,
    estimated where the engine reports none."""

    path: str
    outcome: Outcome
    parts: int
    tokens: int


EngineName = Literal["gemini", "offline"]
"""Who can have reviewed. A model that gave out, so that rules took over, is still the engine of its run."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a run found out, ready to be rendered. Paths of artifacts are not part of it.

    ``risk`` is ``none`` or a severity. ``incomplete`` is true when something that should have
    been reviewed was not. ``cost_usd`` is ``None`` when the price is unknown.
    ``context_tokens`` are the estimated tokens of all requests, also known offline, ``context_use`` says how full
    their windows were.
    """

    pull_request: PullRequest | None
    engine: str
    model: str | None
    risk: str
    summary: str
    coverage: tuple[Coverage, ...]
    findings: tuple[Finding, ...]
    usage: Usage
    context_tokens: int
    rung: str
    rung_reason: str
    incomplete: bool
    notices: tuple[str, ...] = ()
    cost_usd: float | None = None
    context_use: ContextUse = field(default_factory=ContextUse)
