"""What an arm of a comparison left undone: an arm that did less work has saved nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from devpulse.core.comparison import AFTER, BEFORE, Arm
from devpulse.core.review import Coverage, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.unseen import is_unseen
from devpulse.output.paths import display_path
from devpulse.pipeline.joining import RunResult, is_unseen_in_parts

_NAMED_GAPS = 3


@dataclass(frozen=True, slots=True)
class DoneArm:
    """An arm and the result behind it; ``None`` when an error ended it, which then is its failure."""

    arm: Arm
    result: RunResult | None


def judged(done: Mapping[str, DoneArm], mask: Callable[[str], str]) -> dict[str, Arm]:
    """The arms, each with what it left undone as its failure.

    A file of which BEFORE and AFTER could not show the same, a minified one for example, is no failure of any. Nothing
    else is excused: what both left undone, at a step limit for example, is not known to be the same.
    """
    gaps = {name: _gaps(one) for name, one in done.items()}
    before, after = gaps[BEFORE], gaps[AFTER]
    excused = {path for path in before if path in after and before[path].outcome == after[path].outcome}
    return {name: _with_gaps(one.arm, gaps[name], excused, mask) for name, one in done.items()}


def _gaps(done: DoneArm) -> dict[str, Coverage]:
    rows = () if done.result is None else done.result.report.coverage
    return {row.path: row for row in rows if row.parts and not _finished(row)}


def _is_unseen(row: Coverage) -> bool:
    """Whether all was reviewed that could be shown."""
    outcome = row.outcome
    return isinstance(outcome, Partial) and (is_unseen(outcome.reason) or is_unseen_in_parts(outcome.reason))


def _finished(row: Coverage) -> bool:
    outcome = row.outcome
    return isinstance(outcome, Reviewed) or (isinstance(outcome, Skipped) and outcome.kind is SkipKind.POLICY)


def _with_gaps(arm: Arm, gaps: Mapping[str, Coverage], excused: set[str], mask: Callable[[str], str]) -> Arm:
    left = [row for path, row in gaps.items() if not (path in excused and _is_unseen(row))]
    if arm.failure or not left:
        return arm
    named = "; ".join(mask(f"{display_path(row.path)}: {row.outcome.reason}") for row in left[:_NAMED_GAPS])
    more = "" if len(left) <= _NAMED_GAPS else f"; and {len(left) - _NAMED_GAPS} more"
    files = "1 file was" if len(left) == 1 else f"{len(left)} files were"
    return replace(arm, failure=f"{files} not reviewed, or not wholly ({named}{more})")
