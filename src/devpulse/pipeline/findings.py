"""From submitted items and rule hits to findings: anchored by evidence, named by fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from devpulse.core.anchor import MAX_EVIDENCE_LINES, Anchor, LineIndex, Unanchored, anchor
from devpulse.core.categories import CATEGORIES, Confidence
from devpulse.core.change import FileChange, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus, Hit, Lead
from devpulse.core.fingerprint import fingerprint
from devpulse.core.shown import show_line
from devpulse.core.symbols import Symbol
from devpulse.core.verdict import STANDING_CATEGORIES
from devpulse.pipeline.prepare import Prepared, evidence_of
from devpulse.pipeline.submission import Submission

if TYPE_CHECKING:
    from devpulse.pipeline.submitted import SubmittedFinding

SymbolAt = Callable[[Side, int], Symbol | None]


@dataclass(frozen=True, slots=True)
class Assembler:
    """Turns what one child and its rules found into findings of one file.

    ``symbol_at`` gives the symbol around a line of a side; ``mask`` replaces known secrets in
    prose; ``source`` says whose findings the child's are.
    """

    prepared: Prepared
    source: FindingSource
    symbol_at: SymbolAt
    mask: Callable[[str], str]
    indexes: dict[Side, LineIndex] = field(default_factory=dict, init=False)
    counted: dict[tuple[Side, str | None, tuple[int, ...]], dict[int, int]] = field(default_factory=dict, init=False)

    def assemble(self, submission: Submission, leads: Iterable[Lead], *, judged: bool) -> tuple[Finding, ...]:
        """Findings of the child, then what becomes of the leads it did not confirm.

        ``judged`` is false when the child ended early: then it dropped nothing, and its leads stay
        what the rules made of them.
        """
        offered = {lead.id: lead for lead in leads}
        meant = [_meant(item, offered) for item in submission.findings]
        found = [self._submitted(item, lead) for item, lead in zip(submission.findings, meant, strict=True)]
        confirmed = {lead.id for lead in meant if lead is not None}
        if self.source is FindingSource.RULE and judged:
            return tuple(found)
        dismissed = {item.id: item.reason for item in submission.dismissed}
        others = (lead for lead in offered.values() if lead.id not in confirmed)
        return (*found, *(self._unconfirmed(lead.hit, dismissed.get(lead.id), judged=judged) for lead in others))

    def standing(self, hits: Iterable[Hit]) -> tuple[Finding, ...]:
        """Rule hits that are findings by themselves."""
        return tuple(self._from_hit(hit) for hit in hits)

    def _submitted(self, item: SubmittedFinding, lead: Lead | None) -> Finding:
        hit = lead.hit if lead is not None else None
        cwes = CATEGORIES[item.category].cwes
        finding = Finding(
            fingerprint="",
            category=item.category,
            cwe=hit.cwe if hit is not None and hit.category == item.category else next(iter(cwes), None),
            severity=item.severity,
            confidence=item.confidence,
            path=self.prepared.change.path,
            start_line=item.start_line,
            end_line=max(item.start_line, item.end_line),
            side=item.side,
            symbol=None,
            title=self._prose(item.title),
            description=self._prose(item.description),
            fix=self._prose(item.fix),
            evidence="\n".join(map(show_line, item.evidence.strip("\n").split("\n"))),
            source=self.source,
            status=FindingStatus.OPEN,
            suggestion=self._suggestion(item.suggestion or (hit.suggestion if hit else None)),
            trace=hit.trace if hit is not None else None,
            rule_id=hit.rule_id if hit is not None else None,
        )
        anchored = self._anchored(finding)
        if lead is None or anchored.status is not FindingStatus.UNANCHORED:
            return anchored
        # The lead was confirmed in words that are not in the file; where it stands is known all the same.
        place = replace(finding, start_line=lead.hit.start_line, end_line=lead.hit.end_line, side=lead.hit.side)
        return self._anchored(replace(place, evidence=lead.evidence, suggestion=None))

    def _suggestion(self, text: str | None) -> str | None:
        # A masked suggestion would write the mask into the file.
        return text if text is None or self.mask(text) == text else None

    def _from_hit(self, hit: Hit) -> Finding:
        finding = Finding(
            fingerprint="",
            category=hit.category,
            cwe=hit.cwe,
            severity=hit.severity,
            confidence=hit.confidence,
            path=self.prepared.change.path,
            start_line=hit.start_line,
            end_line=hit.end_line,
            side=hit.side,
            symbol=None,
            title=self._prose(hit.title),
            description=self._prose(hit.description),
            fix=self._prose(hit.fix),
            evidence=evidence_of(hit, self.prepared.shown),
            source=FindingSource.RULE,
            status=FindingStatus.OPEN,
            suggestion=self._suggestion(hit.suggestion),
            trace=hit.trace,
            rule_id=hit.rule_id,
        )
        return self._anchored(finding)

    def _unconfirmed(self, hit: Hit, dismissal: str | None, *, judged: bool) -> Finding:
        finding = self._from_hit(hit)
        if dismissal is not None and finding.status is not FindingStatus.UNANCHORED:
            return replace(finding, status=FindingStatus.DISPUTED, reason=f"dismissed: {self._prose(dismissal)}")
        return replace(finding, confidence=Confidence.LOW) if judged else finding

    def _prose(self, text: str) -> str:
        return "\n".join(show_line(line) for line in self.mask(text.strip()).split("\n"))

    def _anchored(self, finding: Finding) -> Finding:
        """Place a finding by its evidence, compared with what the child was shown, before anything is masked:
        a secret that became known since must not tear the two apart."""
        shown = self.prepared.shown.side(finding.side)
        lines = shown.lines if shown is not None else ()
        if finding.side not in self.indexes:
            self.indexes[finding.side] = LineIndex(lines)
        index = self.indexes[finding.side]
        place = anchor(finding.evidence, finding.start_line, index, self.prepared.change.hunks, finding.side)
        if isinstance(place, Unanchored):
            kept = "\n".join(finding.evidence.split("\n")[:MAX_EVIDENCE_LINES])
            lost = replace(finding, status=FindingStatus.UNANCHORED, reason=place.reason, suggestion=None)
            return self._named(replace(lost, evidence=self.mask(kept)), 1)
        altered = shown.altered if shown is not None else frozenset[int]()
        plain = altered.isdisjoint(range(place.start_line, place.end_line + 1))
        exact = (place.start_line, place.end_line) == (finding.start_line, finding.end_line)
        moved = replace(
            finding,
            start_line=place.start_line,
            end_line=place.end_line,
            symbol=self._symbol(finding.side, place.start_line),
            evidence="\n".join(lines[place.start_line - 1 : place.end_line]),
            suggestion=finding.suggestion if exact and plain and finding.side is Side.RIGHT else None,
        )
        named = self._named(moved, self._occurrence(moved, place))
        return replace(named, evidence=self.mask(named.evidence))

    def _occurrence(self, finding: Finding, place: Anchor) -> int:
        key = finding.side, finding.symbol, place.occurrences
        if key not in self.counted:
            same = [line for line in place.occurrences if self._symbol(finding.side, line) == finding.symbol]
            self.counted[key] = {line: number for number, line in enumerate(same, 1)}
        return self.counted[key][place.start_line]

    def _symbol(self, side: Side, line: int) -> str | None:
        symbol = self.symbol_at(side, line)
        return symbol.qualified_name if symbol is not None else None

    def _named(self, finding: Finding, occurrence: int) -> Finding:
        name = fingerprint(
            finding.category, stable_path(self.prepared.change), finding.symbol, finding.evidence, occurrence
        )
        return replace(finding, fingerprint=name)


def _meant(item: SubmittedFinding, offered: Mapping[str, Lead]) -> Lead | None:
    """The lead an item confirms: the one it names, if it is about the same weakness."""
    lead = offered.get(item.lead or "")
    return lead if lead is not None and lead.hit.category == item.category else None


def stable_path(change: FileChange) -> str:
    """The name a finding keeps when its file is renamed: the base path."""
    renamed = change.base is not None and change.status.value == "renamed"
    return change.base.path if renamed and change.base is not None else change.path


def deduplicate(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each weakness at each place, in order of path and line.

    Two are the same when their fingerprints are, or when category, path and side agree and their
    lines overlap. What a rule found for certain stays; else the surer one, then the one with a
    trace. The rule behind either is kept.
    """
    ordered = sorted(findings, key=lambda f: (f.path, f.side, f.start_line, f.end_line, f.category, f.fingerprint))
    kept: dict[tuple[str, str], list[Finding]] = {}
    named: dict[tuple[str, str], int] = {}
    for finding in ordered:
        rivals = kept.setdefault((finding.path, finding.category), [])
        newest = range(len(rivals) - 1, max(-1, len(rivals) - 1 - _NEIGHBOURS), -1)
        overlapping = next((index for index in newest if _overlap(finding, rivals[index])), None)
        twin = named.get((finding.path, finding.fingerprint), overlapping)
        if twin is None:
            twin = len(rivals)
            rivals.append(finding)
        else:
            rivals[twin] = _merged(*sorted((rivals[twin], finding), key=_strength))
        named[finding.path, finding.fingerprint] = twin
    every = [finding for rivals in kept.values() for finding in rivals]
    return tuple(sorted(every, key=lambda f: (f.path, f.side, f.start_line, f.end_line, f.category, f.fingerprint)))


_NEIGHBOURS = 50
"""Evidence has at most ten lines, so no more findings of a category than this stand close enough to overlap."""


def _overlap(one: Finding, other: Finding) -> bool:
    return (
        one.side is other.side
        and FindingStatus.UNANCHORED not in (one.status, other.status)
        and one.start_line <= other.end_line
        and other.start_line <= one.end_line
    )


def _merged(weaker: Finding, stronger: Finding) -> Finding:
    return replace(stronger, rule_id=stronger.rule_id or weaker.rule_id, trace=stronger.trace or weaker.trace)


def _strength(finding: Finding) -> tuple[bool, bool, int, int, bool]:
    certain = finding.source is FindingSource.RULE and finding.category in STANDING_CATEGORIES
    live = finding.status is FindingStatus.OPEN
    return (certain, live, finding.confidence.rank, finding.severity.rank, finding.trace is not None)
