"""The ways of doing the work of a review that a comparison sets side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from devpulse.core.annotated import annotate
from devpulse.core.budget import ContextBudget
from devpulse.core.comparison import AFTER, BEFORE, Ablation, Arm
from devpulse.core.shown import show_path
from devpulse.core.unbounded import UnboundedBudget, WholeFileBudget
from devpulse.pipeline.other_requests import VerbosePrompt, WholeFiles
from devpulse.pipeline.shared_history import SharedHistory
from devpulse.pipeline.work import Reading, Work
from devpulse.ports import ReviewModel

ISOLATE, COMPRESS, WHOLE_FILES, VERBOSE = "isolate", "compress", "whole-files", "verbose"
"""Names of the ways beside BEFORE and AFTER."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of doing the work: its name, what it is in words, its budget, and how the engine is asked.

    ``one_by_one``: its tasks must come one after the other.
    """

    name: str
    about: str
    budget: ContextBudget
    asked: Callable[[ReviewModel], ReviewModel]
    one_by_one: bool = False


def ways_of(work: Work, reading: Reading, budget: ContextBudget, *, ablation: bool) -> dict[str, Way]:
    """Every way by its name, in the order they are gone; only the first two without ``ablation``."""
    free = UnboundedBudget(budget.window)
    history = budget.history

    def shared(model: ReviewModel) -> ReviewModel:
        return SharedHistory(model, work.fence)

    def compacted(model: ReviewModel) -> ReviewModel:
        return SharedHistory(model, work.fence, history)

    def whole(model: ReviewModel) -> ReviewModel:
        return _whole_files(model, work, reading)

    ways = [
        Way(AFTER, "a fresh context for each task, compacted histories", budget, _as_it_is),
        Way(BEFORE, "one shared history, nothing compacted", free, shared, one_by_one=True),
    ]
    if ablation:
        # Of a request that was changed on its way no estimate of the pipeline can learn.
        steady = replace(budget, learns=False)
        ways += [
            Way(ISOLATE, "a fresh context for each task, nothing compacted", free, _as_it_is),
            Way(COMPRESS, "one shared history, compacted past its share", steady, compacted, one_by_one=True),
            Way(
                WHOLE_FILES,
                "each file alone, whole file and diff in one request, no tools",
                WholeFileBudget(budget.window),
                whole,
            ),
            Way(VERBOSE, "as after, with a verbose system prompt", steady, VerbosePrompt),
        ]
    return {way.name: way for way in ways}


def ablations(arms: Mapping[str, Arm]) -> tuple[Ablation, ...]:
    """Each strategy by itself, as far as there are arms for it."""
    before, after = arms[BEFORE], arms[AFTER]
    rows = [
        ("isolate only", "a shared history becomes a fresh context for each task", ISOLATE, before, None),
        ("compress only", "the shared history is compacted past its share", COMPRESS, before, None),
        ("select", "whole files become the diff, its functions and look-ups", WHOLE_FILES, None, after),
        ("write", "a verbose system prompt becomes the compact one", VERBOSE, None, after),
    ]
    return tuple(
        Ablation(strategy, switches, arms[name], more or arms[name], less or arms[name])
        for strategy, switches, name, more, less in rows
        if name in arms
    )


def _as_it_is(model: ReviewModel) -> ReviewModel:
    return model


def _whole_files(model: ReviewModel, work: Work, reading: Reading) -> WholeFiles:
    changes = {show_path(change.path): change for change in work.change_set.files}

    def whole(path: str) -> str | None:
        head = reading.texts.shown(changes[path]).head
        return None if head is None else "\n".join(head.lines)

    def diff(path: str) -> str:
        return annotate(changes[path].hunks, reading.texts.shown(changes[path]), lambda _line: None)

    return WholeFiles(model, work.fence, whole, diff)
