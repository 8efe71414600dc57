"""The rules stage of one file: parse, find secrets, run the rules, keep what the change is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from devpulse.core.annotated import ShownChange
from devpulse.core.change import FileChange, Side
from devpulse.core.finding import Hit, HitKind, Lead
from devpulse.core.languages import language_of
from devpulse.core.lookup import Lookup, RecordingResolver
from devpulse.core.rules import OF_REMOVALS, run_rules, stopped_early
from devpulse.core.rules.changed_runs import without_told
from devpulse.core.rules.removed_checks import at_removed_check
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import normalise_space, split_lines
from devpulse.pipeline.texts import ChangeTexts, RawText

MAX_EVIDENCE = 10


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file ready for its child. ``findings`` stand by themselves, ``leads`` are to be confirmed.

    ``lookups`` are what the rules asked of the rest of the repository. ``stopped``: the rules came to their
    limit before the end of the file.
    """

    change: FileChange
    shown: ShownChange
    complete: bool
    findings: tuple[Hit, ...]
    leads: tuple[Lead, ...]
    lookups: tuple[Lookup, ...]
    stopped: bool = False


def prepare(change: FileChange, texts: ChangeTexts, resolver: Resolver) -> Prepared:
    """Run the rules over both sides of a file, before anything is sent anywhere."""
    head = None if change.head is None else texts.head.raw(change.head.path)
    base = None if change.base is None else texts.base.raw(change.base.path)
    recording = RecordingResolver(resolver)
    source = _source(change, base, head)
    changed = {side: change.changed(side) for side in Side}
    found = _told_once(change.path, changed, source, recording)
    hits = [shortened(hit, changed[hit.side]) for hit in found]
    shown = texts.shown(change)
    leads = [hit for hit in hits if hit.kind is HitKind.LEAD]
    return Prepared(
        change=change,
        shown=shown,
        complete=all(raw.complete for raw in (base, head) if raw is not None),
        findings=tuple(hit for hit in hits if hit.kind is HitKind.FINDING),
        leads=tuple(Lead(f"L{number}", hit, evidence_of(hit, shown)) for number, hit in enumerate(leads, 1)),
        lookups=recording.lookups(),
        stopped=stopped_early(source),
    )


def _source(change: FileChange, base: RawText | None, head: RawText | None) -> Source:
    before = None
    if base is not None and change.base is not None:
        before = Source(
            path=change.base.path,
            language=language_of(change.base.path),
            text=base.text,
            changed=change.changed(Side.LEFT),
            complete=base.complete,
        )
    return Source(
        path=change.path,
        language=language_of(change.path),
        text="" if head is None else head.text,
        changed=change.changed(Side.RIGHT),
        complete=head is None or head.complete,
        before=before,
    )


def _told_once(path: str, changed: Mapping[Side, frozenset[int]], source: Source, resolver: Resolver) -> list[Hit]:
    """The hits that the change is about; what was removed only where no other hit tells the same, and only once."""
    every = run_rules(source, resolver)
    removals = {(hit.category, hit.start_line): hit for hit in reversed(every) if hit.rule_id in OF_REMOVALS}
    found = _of_the_change(
        path, changed, source, tuple(hit for hit in every if hit.rule_id not in OF_REMOVALS), resolver
    )
    if not removals:
        return found
    left = without_told(removals.values(), found, source)
    return sorted((*found, *left), key=lambda hit: (hit.start_line, hit.end_line, hit.side))


def _of_the_change(
    path: str, changed: Mapping[Side, frozenset[int]], source: Source, hits: tuple[Hit, ...], resolver: Resolver
) -> list[Hit]:
    """The hits that the change is about: a changed line is on their path, or the base had no such hit.

    The latter is how a check that was weakened or taken out shows: nothing on the way to the sink
    changed, and yet the rules were quiet before.
    """
    apart: dict[bool, list[Hit]] = {True: [], False: []}
    for hit in hits:
        apart[belongs(hit, path, changed)].append(hit)
    sure = apart[True]
    # A removed guard is told once, where it stood; that its route now lacks it is the same finding again.
    told = {hit.category for hit in sure if hit.side is Side.LEFT}
    others = [hit for hit in apart[False] if hit.side is Side.RIGHT and hit.category not in told]
    before = source.before
    if not others or before is None or not (source.complete and before.complete):
        return sure
    head_lines, base_lines = split_lines(source.text), split_lines(before.text)
    known: dict[tuple[str, str], list[int]] = {}
    for hit in run_rules(replace(before, changed=frozenset()), resolver):
        known.setdefault(_identity(hit, base_lines), []).append(hit.confidence.rank)
    for hit in others:
        ranks = known.get(_identity(hit, head_lines), [])
        if any(rank >= hit.confidence.rank for rank in ranks):
            ranks.remove(max(ranks))
        else:
            sure.append(at_removed_check(hit, source))
    return sorted(sure, key=lambda hit: (hit.start_line, hit.end_line))


def _identity(hit: Hit, lines: list[str]) -> tuple[str, str]:
    """What a hit is on either side: its rule and its code, wherever that stands."""
    return hit.rule_id, "\n".join(map(normalise_space, lines[hit.start_line - 1 : hit.end_line]))


def belongs(hit: Hit, path: str, changed: Mapping[Side, frozenset[int]]) -> bool:
    """Whether a changed line stands on the hit's path: in its lines, its trace or its guards."""
    own = changed[hit.side]
    if not own.isdisjoint(range(hit.start_line, hit.end_line + 1)):
        return True
    if hit.trace is not None and any(step.path == path and step.line in own for step in hit.trace.all_steps()):
        return True
    return not changed[Side.LEFT].isdisjoint(hit.guards)


def shortened(hit: Hit, changed: frozenset[int]) -> Hit:
    """A hit on no more lines than evidence may have: its first ones, or those from its first changed line on when no
    changed line is among the first."""
    if hit.end_line - hit.start_line < MAX_EVIDENCE:
        return hit
    own = [number for number in changed if hit.start_line <= number <= hit.end_line]
    start = hit.start_line
    if own and min(own) >= start + MAX_EVIDENCE:
        start = min(own)
    return replace(hit, start_line=start, end_line=min(hit.end_line, start + MAX_EVIDENCE - 1), suggestion=None)


def evidence_of(hit: Hit, shown: ShownChange) -> str:
    """The code a hit rests on, as shown; at most ten lines."""
    text = shown.side(hit.side)
    last = min(hit.end_line, hit.start_line + MAX_EVIDENCE - 1)
    rows = [text.line(number) if text is not None else None for number in range(hit.start_line, last + 1)]
    return "\n".join(row for row in rows if row is not None)
