"""What the command line asks of the program: one value for each command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from devpulse.options import Color, FlagValue


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """``devpulse review``, ``scan``, ``compare``, ``plan`` or ``merge`` as the command line asked for it.

    ``path`` is the folder; ``diff`` a patch file, or ``-`` for standard input. ``progress`` is
    ``None`` when nothing was said. ``flags`` holds the options of the table by name, ``None``
    where the flag was not given; lists that were given several times are joined by line feeds.
    ``baseline`` is a file with findings that are known, ``write_baseline`` one to write those of a scan to.
    """

    command: Literal["review", "scan", "compare", "plan", "merge"]
    path: str
    base: str | None
    head: str | None
    diff: str | None
    staged: bool
    as_json: bool
    progress: bool | None
    flags: Mapping[str, FlagValue]
    color: Color = "auto"
    baseline: str | None = None
    write_baseline: str | None = None


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """``devpulse compare``: what ``review`` says is to be reviewed; ``ablation`` also measures single strategies."""

    review: ReviewRequest
    ablation: bool


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """``devpulse merge``: ``folders`` hold what the shards of the review wrote."""

    review: ReviewRequest
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """``devpulse action``; ``flags`` as in ``ReviewRequest``."""

    flags: Mapping[str, FlagValue]


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """``devpulse prompt``: the scale to compute the cost at; ``flags`` as in ``ReviewRequest``."""

    as_json: bool
    prs_per_day: int
    files: int
    turns: int
    flags: Mapping[str, FlagValue]


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """``devpulse index``: ``name`` is ``None`` for ``build``; ``path`` narrows a look-up to one file or folder."""

    action: Literal["build", "search", "show"]
    root: str
    name: str | None
    path: str | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class VerifyIsolationRequest:
    """``devpulse verify-isolation``: ``folder`` holds the artifacts of a run."""

    folder: str
